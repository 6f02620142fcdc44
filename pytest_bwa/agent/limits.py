"""What may end a sample before it is done: wall clock, steps, faults in a row (F-47, F-58)."""

from __future__ import annotations

import time

from pytest_bwa.errors import LimitReached, ModelFailed, PageLost
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import ActionResult

MOST_FAILED_DECISIONS = 5  # in a row, F-47


class Limits:
    """Counts; raises where a count is full. Asked before every step."""

    def __init__(self, task: TaskSpec) -> None:
        self.max_steps = task.max_steps
        self._seconds = task.max_time_seconds
        self._begun = time.monotonic()
        self._most_faults = task.max_consecutive_network_errors
        self._faults = 0
        self._last_fault = ""
        self._failed_decisions = 0

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

    def decision_failed(self, why: str) -> None:
        self._failed_decisions += 1
        if self._failed_decisions >= MOST_FAILED_DECISIONS:
            raise ModelFailed(
                f"{self._failed_decisions} unusable replies in a row, the last: {why}"
            )

    def decision_taken(self) -> None:
        self._failed_decisions = 0
