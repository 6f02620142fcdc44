"""What may end a sample before it is done: wall clock, steps, faults in a row (F-47, F-58)."""

from __future__ import annotations

import re
import time

from pytest_bwa.errors import LimitReached, ModelFailed, PageLost
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, ActionResult, Observation

MAX_FAILED_DECISIONS = 5  # in a row, F-47
STEPS_A_PAGE = 3  # F-57
_PAGING = re.compile(
    r"(next|next page|load more|show more|view more|see more|older|newer|older posts|"
    r"newer posts|page \d+|[»›→⟩>]+)(\s*[»›→⟩>]+)?",
    re.I,
)


class Limits:
    """Counts; raises where a count is full. Checked before every step."""

    def __init__(self, task: TaskSpec) -> None:
        self.max_steps = task.max_steps
        self._most_steps = 2 * task.max_steps
        self._seconds = task.max_time_seconds
        self._begun = time.monotonic()
        self._most_faults = task.max_consecutive_network_errors
        self._faults = 0
        self._last_fault = ""
        self.failed_decisions = 0

    @property
    def seconds_left(self) -> float | None:
        if self._seconds is None:
            return None
        return max(0.0, self._seconds - (time.monotonic() - self._begun))

    def check(self, step: int) -> None:
        """Raise if step number ``step`` may not begin."""
        if self.seconds_left == 0.0:
            raise LimitReached(
                f"the time limit of {self._seconds:g} s is spent (max_time_seconds in the spec)"
            )
        if self._faults >= self._most_faults:
            raise PageLost(
                f"{self._faults} network or browser errors in a row, the last: {self._last_fault}"
            )
        if step > self.max_steps:
            raise LimitReached(
                f"the limit of {self.max_steps} steps is spent without done (max_steps)"
            )

    def count(self, result: ActionResult) -> None:
        """An infrastructure fault counts; anything else shows that the site is there."""
        self._faults = self._faults + 1 if result.infrastructure else 0
        self._last_fault = result.error or ""

    def turned_page(self) -> bool:
        """Grant the steps that a page of a list costs; in all no more than the spec's own steps."""
        granted = min(self.max_steps + STEPS_A_PAGE, self._most_steps) - self.max_steps
        self.max_steps += granted
        return granted > 0

    def decision_failed(self, why: str) -> None:
        self.failed_decisions += 1
        if self.failed_decisions >= MAX_FAILED_DECISIONS:
            raise ModelFailed(f"{self.failed_decisions} unusable replies in a row, the last: {why}")

    def decision_taken(self) -> None:
        self.failed_decisions = 0


def turns_page(action: Action, before: Observation) -> bool:
    """Whether a click is on what leads through a list: next, load more, older, ›, … (F-57)."""
    if action.action != "click":
        return False
    selector = (action.selector or "").strip("[] ")
    element = before.element_for(selector)
    return bool(_PAGING.fullmatch((element.name if element else selector).strip()))
