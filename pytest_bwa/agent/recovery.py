"""What to do when a sample is stuck on a page: recovery actions, then a diagnosis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from pytest_bwa.agent.transition import Transition
from pytest_bwa.errors import Stuck
from pytest_bwa.steps import Action, Observation, Step

STUCK_AFTER = 3  # steps in a row that could have changed the page but did not
_FORM_FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})


class Recovery:
    """Counts steps without effect and chooses recovery actions.

    After every three such steps one recovery action is tried: first scrolling, then reloading the
    page. If neither helps, the sample ends.
    """

    def __init__(self) -> None:
        self._unchanged = 0
        self._tried: list[str] = []

    def is_stuck_after(self, transition: Transition) -> bool:
        """Count the step; True if the sample is stuck now. Steps that cannot change a page do not
        count."""
        if transition.verdict is None:
            return False
        if transition.verdict.changed:
            self._unchanged = 0
            return False
        self._unchanged += 1
        return self._unchanged % STUCK_AFTER == 0

    def next_action(self, observation: Observation, steps: Sequence[Step]) -> Action:
        """What to try next; raises Stuck, with the diagnosis, if nothing is left to try."""
        options = [("scrolling", Action(action="scroll", direction="down"))]
        if observation.url and not _has_filled_field(observation):
            # Reloading would empty a filled form, so it is only tried if there is none.
            options.append(("reloading the page", Action(action="goto", url=observation.url)))
        for description, action in options:
            if description not in self._tried:
                self._tried.append(description)
                return action
        raise Stuck(diagnosis(observation, steps, self._tried))

    def reset(self) -> None:
        """The page changed again: every recovery action may be tried again."""
        self._unchanged = 0
        self._tried.clear()


def _has_filled_field(observation: Observation) -> bool:
    return any(e.value for e in observation.elements if e.role in _FORM_FIELDS)


def diagnosis(observation: Observation, steps: Sequence[Step], tried: Sequence[str] = ()) -> str:
    """One paragraph for a person: the page, the actions without effect, and what was tried."""
    idle = list(takewhile(lambda s: not s.changed and s.url == observation.url, reversed(steps)))
    counts = Counter(_step_text(step) for step in reversed(idle))
    actions = ", ".join(f"{text} ×{n}" if n > 1 else text for text, n in counts.most_common(5))
    parts = [f"stuck at {observation.url}: the last {len(idle)} actions had no effect ({actions})"]
    if tried:
        parts.append(f"{' and '.join(tried)} did not help")
    if error := next((s.error for s in reversed(steps) if s.error), None):
        parts.append(f"the last error: {error[:200]}")
    if observation.busy:
        parts.append("the page says that it is still loading")
    if observation.http_status and observation.http_status >= 400:
        parts.append(f"the page answered HTTP {observation.http_status}")
    return "; ".join(parts)


def _step_text(step: Step) -> str:
    target = str(step.params.get("selector") or step.params.get("url") or "")
    return f"{step.action} {target[:60]}".strip()
