"""Tells the model when it has saved as many items as the task expects."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_bwa.agent.completion import count_items
from pytest_bwa.agent.transition import Transition


class ItemCountWatcher:
    """Gives one notice, after the save_progress call with which each array has as many items as
    ``expected`` says; without any number, none."""

    def __init__(self, expected: Mapping[str, int]) -> None:
        self._expected = expected
        self._was_told = not expected

    def notices_after(self, transition: Transition) -> list[str]:
        if self._was_told or transition.action.action != "save_progress":
            return []
        counts = {name: count_items(transition.collected.get(name)) for name in self._expected}
        if any(counts[name] < number for name, number in self._expected.items()):
            return []
        self._was_told = True
        named = ", ".join(f"{name} has {counts[name]}" for name in counts)
        return [f"All expected items are saved: {named}."]
