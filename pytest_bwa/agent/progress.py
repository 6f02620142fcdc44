"""The data and notes a sample has saved so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_bwa.steps import Action, ActionResult

_ID_KEYS = ("id", "sample_id", "number", "url")


def deep_merge(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Merge ``new`` into a copy of ``old``.

    Mappings are merged recursively. Arrays are appended, and array items with the same id are
    merged. Any other new value replaces the old one, but null never replaces a value.
    """
    merged = dict(old)
    for key, value in new.items():
        merged[key] = _merge_values(old[key], value) if key in old else value
    return merged


def _merge_values(old: Any, new: Any) -> Any:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return deep_merge(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _merge_lists(old, new)
    return old if new is None else new


def _merge_lists(old: list[Any], new: list[Any]) -> list[Any]:
    merged = list(old)
    positions = {key: n for n, item in enumerate(merged) if (key := _item_id(item)) is not None}
    for item in new:
        key = _item_id(item)
        if key is not None and key in positions:
            merged[positions[key]] = deep_merge(merged[positions[key]], item)
        elif item not in merged:  # models often repeat the whole list: equal items add nothing
            merged.append(item)
            if key is not None:
                positions[key] = len(merged) - 1
    return merged


def _item_id(item: Any) -> tuple[str, str] | None:
    if not isinstance(item, Mapping):
        return None
    for name in _ID_KEYS:
        value = item.get(name)
        if isinstance(value, str | int) and value != "":
            return name, str(value)
    return None


class Progress:
    """The data one sample has collected, and its notes."""

    def __init__(self) -> None:
        self.collected: dict[str, Any] = {}
        self.notes: list[str] = []
        self.saves = 0
        self.has_grown = False
        """Whether the last save added anything new."""

    def save(self, action: Action) -> ActionResult:
        """Merge the action's data into the collected data; fails only if there is no data."""
        if not action.extracted:
            return ActionResult(False, "nothing was saved: extracted is empty", error="no data")
        merged = deep_merge(self.collected, action.extracted)
        self.has_grown = merged != self.collected
        self.collected = merged
        self.saves += 1
        if action.note:
            self.notes.append(action.note)
        return ActionResult(True, f"saved {', '.join(action.extracted)}")
