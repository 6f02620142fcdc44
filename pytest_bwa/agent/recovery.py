"""What to do when a sample is stuck on a page: what may help, what can be tried, a diagnosis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from pytest_bwa.actions.catalog import changes_page
from pytest_bwa.agent.step_log import STAYING, Transition
from pytest_bwa.errors import Stuck
from pytest_bwa.spec.network.responses import is_error, is_server_error
from pytest_bwa.spec.network.urls import NO_PAGE_URLS
from pytest_bwa.steps.step import Action, Observation, Step

STUCK_AFTER = 3  # steps in a row that could have changed the page but did not
MAX_ROUNDS = 2  # of recovery; the next time, the sample is stuck
NOTHING_NEW = "the last steps brought nothing new"


class Recovery:
    """Counts steps without effect, and tries what may help and can do no harm.

    After three such steps the page is scrolled. After six a page that did not come whole is opened
    anew, if ``may_reload`` and if nothing was done on it. After nine the sample is stuck. Nothing
    is ever pressed.
    """

    def __init__(self, *, may_reload: bool) -> None:
        self._may_reload = may_reload
        self._unchanged = 0
        self._tried: list[str] = []

    def is_stuck_after(self, transition: Transition) -> bool:
        """Count the step; True if the sample is stuck now. Steps that cannot change a page do not
        count, nor do faults of the network or the browser, which have a limit of their own."""
        if transition.verdict is None or transition.result.infrastructure:
            return False
        if transition.had_effect:
            self.reset()
            return False
        self._unchanged += 1
        return self._unchanged % STUCK_AFTER == 0

    def next_action(self, observation: Observation, steps: Sequence[Step]) -> Action | None:
        """What to try now; None if nothing may help. Raises Stuck, with the diagnosis, after the
        last round."""
        rounds = self._unchanged // STUCK_AFTER
        if rounds > MAX_ROUNDS:
            raise Stuck(diagnosis(observation, steps, self._tried))
        if rounds <= 1:
            self._tried.append("scrolling")
            return Action(action="scroll", direction="down")
        if self._may_reload and _came_in_part(observation) and _is_untouched(observation, steps):
            self._tried.append("reloading the page")
            return Action(action="goto", url=observation.url)
        return None

    def notice(self, observation: Observation, steps: Sequence[Step]) -> str:
        """What happened, and what can be tried. It recommends nothing: the model knows the task."""
        tried = {1: "It was scrolled down once. ", 2: "It was reloaded. "}
        return (
            f"The last {self._unchanged} actions changed nothing on the page "
            f"({_idle_actions(observation, steps)}). {tried.get(len(self._tried), '')}"
            "You can try another element, find, scroll, press, wait, back; goto with the "
            "same address reloads the page and loses what was entered."
        )

    def reset(self) -> None:
        """The page changed again: everything may be tried again."""
        self._unchanged = 0
        self._tried.clear()


def _came_in_part(observation: Observation) -> bool:
    """Whether the page may be whole when it is opened again."""
    if not observation.url or observation.url.startswith(NO_PAGE_URLS):
        return False
    return observation.busy or is_server_error(observation.http_status)


def _is_untouched(observation: Observation, steps: Sequence[Step]) -> bool:
    """Whether the page was opened by its address, and only read since then."""
    for step in reversed(steps):
        if step.action == "goto":
            return step.success or is_server_error(observation.http_status)
        if changes_page(step.action) and step.action not in STAYING:
            return False
    return False


def diagnosis(observation: Observation, steps: Sequence[Step], tried: Sequence[str] = ()) -> str:
    """One paragraph for a person: the page, the actions without effect, and what was tried."""
    count, actions = len(_idle(observation, steps)), _idle_actions(observation, steps)
    idle = f"the last {count} actions had no effect ({actions})"
    parts = [f"stuck at {observation.url}: {idle if count else NOTHING_NEW}"]
    if tried:
        parts.append(f"{' and '.join(tried)} did not help")
    if error := next((s.error for s in reversed(steps) if s.error), None):
        parts.append(f"the last error: {error[:200]}")
    if observation.busy:
        parts.append("the page says that it is still loading")
    if is_error(observation.http_status):
        parts.append(f"the page answered HTTP {observation.http_status}")
    return "; ".join(parts)


def _idle(observation: Observation, steps: Sequence[Step]) -> list[Step]:
    """The last steps, in a row, that could have changed this page but did not; the newest first."""
    here = takewhile(lambda s: not s.changed and s.url == observation.url, reversed(steps))
    return [step for step in here if step.changed is False]


def _idle_actions(observation: Observation, steps: Sequence[Step]) -> str:
    counts = Counter(_step_text(step) for step in reversed(_idle(observation, steps)))
    return ", ".join(f"{text} ×{n}" if n > 1 else text for text, n in counts.most_common(5))


def _step_text(step: Step) -> str:
    target = str(step.params.get("selector") or step.params.get("url") or "")
    return f"{step.action} {target[:60]}".strip()
