"""Out of a page that no longer moves: STUCK, a recovery action, and a diagnosis (F-61)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from pytest_bwa.agent.transition import Transition
from pytest_bwa.errors import Stuck
from pytest_bwa.steps import Action, Observation, Step

UNCHANGED = 3  # steps in a row that could have changed the page, F-61
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})


class Recovery:
    """Counts steps without effect. Each time three are full, one thing is tried that a person
    would try: scrolling, then loading the page anew. Then the sample ends."""

    def __init__(self) -> None:
        self._unchanged = 0
        self._tried: list[str] = []

    def after(self, transition: Transition) -> bool:
        """Whether the sample is stuck now. Steps that cannot change a page do not count."""
        if transition.verdict is None:
            return False
        if transition.verdict.changed:
            self._unchanged = 0
            return False
        self._unchanged += 1
        return self._unchanged % UNCHANGED == 0

    def action(self, observation: Observation, steps: Sequence[Step]) -> Action:
        """What to try next; raises Stuck, with the diagnosis, when nothing is left to try."""
        options = [("scrolling", Action(action="scroll", direction="down"))]
        if observation.url and not _filled(observation):
            # Loading anew would empty a form that was filled, so there it is not tried.
            options.append(("loading the page anew", Action(action="goto", url=observation.url)))
        for what, action in options:
            if what not in self._tried:
                self._tried.append(what)
                return action
        raise Stuck(diagnosis(observation, steps, self._tried))

    def recovered(self) -> None:
        """The page moves again: every remedy may be tried anew."""
        self._unchanged = 0
        self._tried.clear()


def _filled(observation: Observation) -> bool:
    return any(e.value for e in observation.elements if e.role in _FIELDS)


def diagnosis(observation: Observation, steps: Sequence[Step], tried: Sequence[str] = ()) -> str:
    """One paragraph for a person: where it stood, what was done in vain, what was tried."""
    vain = list(takewhile(lambda s: not s.changed and s.url == observation.url, reversed(steps)))
    counted = Counter(_spoken(step) for step in reversed(vain))
    done = ", ".join(f"{what} ×{n}" if n > 1 else what for what, n in counted.most_common(5))
    parts = [f"stuck at {observation.url}: the last {len(vain)} actions led nowhere ({done})"]
    if tried:
        parts.append(f"{' and '.join(tried)} did not help")
    if error := next((s.error for s in reversed(steps) if s.error), None):
        parts.append(f"the last error: {error[:200]}")
    if observation.busy:
        parts.append("the page says that it is still loading")
    if observation.http_status and observation.http_status >= 400:
        parts.append(f"it answered HTTP {observation.http_status}")
    return "; ".join(parts)


def _spoken(step: Step) -> str:
    target = str(step.params.get("selector") or step.params.get("url") or "")
    return f"{step.action} {target[:60]}".strip()
