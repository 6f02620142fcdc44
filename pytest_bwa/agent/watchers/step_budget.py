"""Warns the model when most of its steps are used up."""

from __future__ import annotations

from pytest_bwa.agent.transition import Transition

_THRESHOLDS = (0.90, 0.75)


class StepBudgetWatcher:
    """Gives one notice at 75 % of the steps and one at 90 %, each of them once."""

    def __init__(self) -> None:
        self._passed: set[float] = set()

    def notices_after(self, transition: Transition) -> list[str]:
        used = transition.step / transition.max_steps
        for threshold in _THRESHOLDS:
            if used >= threshold:
                is_new = threshold not in self._passed
                # A short task may jump over 75 %: its notice would only repeat the one at 90 %.
                self._passed |= {t for t in _THRESHOLDS if t <= threshold}
                left = transition.max_steps - transition.step
                steps = "1 step is" if left == 1 else f"{left} steps are"
                last = "it" if left == 1 else "the last one"
                return (
                    [f"{steps} left; {last} is only for done or fail."] if is_new and left else []
                )
        return []
