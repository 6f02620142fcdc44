"""What the model is told as its steps and its items come to an end (F-51, F-56)."""

from __future__ import annotations

from pytest_bwa.agent.transition import Transition

_THRESHOLDS = (
    (0.90, "save what is not saved yet and call done now"),
    (0.75, "start to wrap up: save what you have, then go for what is still required"),
)


class StepBudgetNotices:
    """One notice at 75 % of the steps and one at 90 %; each is given once."""

    def __init__(self) -> None:
        self._given: set[float] = set()

    def after(self, transition: Transition) -> list[str]:
        used = transition.step / transition.max_steps
        for threshold, advice in _THRESHOLDS:
            if used >= threshold:
                fresh = threshold not in self._given
                # Where a short task jumps over 75 %, its notice would only repeat the other.
                self._given |= {t for t, _ in _THRESHOLDS if t <= threshold}
                left = transition.max_steps - transition.step
                steps = "1 step is" if left == 1 else f"{left} steps are"
                return [f"{steps} left: {advice}."] if fresh and left else []
        return []


class ItemCountNotices:
    """One notice when as many items were saved as the task expects."""

    def __init__(self, expected: int | None) -> None:
        self._expected = expected

    def after(self, transition: Transition) -> list[str]:
        if self._expected is None or transition.action.action != "save_progress":
            return []
        if transition.saves != self._expected or not transition.result.success:
            return []
        return [
            f"save_progress was called {self._expected} times, once for each expected item: if "
            "all of them are complete, call done now."
        ]
