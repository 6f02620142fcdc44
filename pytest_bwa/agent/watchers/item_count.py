"""Tells the model when it has saved as many items as the task expects."""

from __future__ import annotations

from pytest_bwa.agent.transition import Transition


class ItemCountWatcher:
    """Gives one notice after the save_progress call that saves the last expected item.

    ``expected_items`` counts those of all array fields together; 0 gives no notice.
    """

    def __init__(self, expected_items: int) -> None:
        self._expected = expected_items

    def notices_after(self, transition: Transition) -> list[str]:
        if self._expected == 0 or transition.action.action != "save_progress":
            return []
        if transition.saves != self._expected or not transition.result.success:
            return []
        return [
            f"save_progress was called {self._expected} times; the task expects {self._expected} "
            "items."
        ]
