"""The limits of a sample: time, steps, and faults in a row."""

from __future__ import annotations

import time
from collections.abc import Callable

from pytest_bwa.errors import LimitReached, ModelFailed, SampleEnded, SiteUnreachable
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import paging
from pytest_bwa.steps.step import Action, ActionResult, Observation

MAX_FAILED_DECISIONS = 5  # in a row
STEPS_PER_PAGE = 3
LAST_DECISION_SECONDS = 30.0
"""For the last decision, which is made even after the sample's own time is up."""


class Limits:
    """Counts what a sample uses, and raises when a limit is reached."""

    def __init__(self, task: TaskSpec, clock: Callable[[], float] = time.monotonic) -> None:
        self.max_steps = task.max_steps
        self._max_granted_steps = 2 * task.max_steps
        self._max_seconds = task.max_time_seconds
        self._clock, self._started = clock, clock()
        self._max_faults = task.max_consecutive_network_errors
        self._faults_in_a_row = 0
        self._last_fault = ""
        self.unusable_replies = 0
        """In a row."""
        self._failed_calls = 0
        self.end: SampleEnded | None = None
        """Why the next decision is the last one; None as long as the sample goes on."""

    @property
    def seconds_left(self) -> float | None:
        """None if the task has no time limit."""
        if self._max_seconds is None:
            return None
        least = 0.0 if self.end is None else LAST_DECISION_SECONDS
        return max(least, self._max_seconds - (self._clock() - self._started))

    def is_last(self, step: int) -> bool:
        """Whether nothing can follow this step."""
        return self.end is not None or step >= self.max_steps

    def check(self, step: int) -> None:
        """Raise if step number ``step`` may not begin. The last decision is always left."""
        if self.end is not None:
            return
        if self.seconds_left == 0.0:
            raise LimitReached(
                f"the time limit of {self._max_seconds:g} s was reached (max_time_seconds in the "
                "spec)"
            )
        if self._faults_in_a_row >= self._max_faults:
            raise SiteUnreachable(
                f"{self._faults_in_a_row} network or browser errors in a row, the last: "
                f"{self._last_fault}"
            )
        if step > self.max_steps:
            raise LimitReached(
                f"the limit of {self.max_steps} steps was reached without done (max_steps)"
            )

    def count_faults(self, result: ActionResult) -> None:
        """Count infrastructure faults in a row; any other result shows that the site responds."""
        self._faults_in_a_row = self._faults_in_a_row + 1 if result.infrastructure else 0
        self._last_fault = result.error or ""

    def grant_steps_for_page(self) -> int:
        """Add the steps that one more page of a list costs, up to twice the task's own steps;
        returns the new maximum."""
        self.max_steps = min(self.max_steps + STEPS_PER_PAGE, self._max_granted_steps)
        return self.max_steps

    def count_unusable_reply(self, reason: str) -> None:
        self.unusable_replies += 1
        self._check_decisions(reason)

    def count_failed_call(self, reason: str) -> None:
        self._failed_calls += 1
        self._check_decisions(reason)

    def _check_decisions(self, reason: str) -> None:
        """Raise ModelFailed if too many decisions in a row have failed."""
        count = self.unusable_replies + self._failed_calls
        if count >= MAX_FAILED_DECISIONS:
            kind = "failed decisions" if self._failed_calls else "unusable replies"
            raise ModelFailed(f"{count} {kind} in a row, the last: {reason}")

    def reset_failed_decisions(self) -> None:
        self.unusable_replies = self._failed_calls = 0


def turns_page(action: Action, before: Observation) -> bool:
    """Whether the action clicks a control that leads through a list: next, load more, older, ›."""
    if action.action != "click":
        return False
    selector = (action.selector or "").strip("[] ")
    element = before.element_for(selector)
    return paging.turns_page(element.name if element else selector)
