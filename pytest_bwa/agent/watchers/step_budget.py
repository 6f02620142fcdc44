"""Warns the model when most of its steps are used up."""

from __future__ import annotations

from pytest_bwa.agent.transition import Transition

_ADVICE = (
    (0.90, "save what is not saved yet and call done now"),
    (0.75, "start to wrap up: save what you have, then go for what is still required"),
)


class StepBudgetWatcher:
    """Gives one notice at 75 % of the steps and one at 90 %, each of them once."""

    def __init__(self) -> None:
        self._passed: set[float] = set()

    def notices_after(self, transition: Transition) -> list[str]:
        used = transition.step / transition.max_steps
        for threshold, advice in _ADVICE:
            if used >= threshold:
                is_new = threshold not in self._passed
                # A short task may jump over 75 %: its notice would only repeat the one at 90 %.
                self._passed |= {t for t, _ in _ADVICE if t <= threshold}
                left = transition.max_steps - transition.step
                steps = "1 step is" if left == 1 else f"{left} steps are"
                return [f"{steps} left: {advice}."] if is_new and left else []
        return []
