"""Tells the model when it has saved as many items as the task expects."""

from __future__ import annotations

from pytest_bwa.agent.transition import Transition


class ItemCountWatcher:
    """Gives one notice after the save_progress call that saves the last expected item."""

    def __init__(self, expected_items: int | None) -> None:
        self._expected = expected_items

    def notices_after(self, transition: Transition) -> list[str]:
        if self._expected is None or transition.action.action != "save_progress":
            return []
        if transition.saves != self._expected or not transition.result.success:
            return []
        return [
            f"save_progress was called {self._expected} times, once for each expected item: if "
            "all of them are complete, call done now."
        ]
