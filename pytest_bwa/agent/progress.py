"""The data and notes a sample has saved so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_bwa.policy.base import ITEM_IDS
from pytest_bwa.steps import Action, ActionResult

_OF_A_PERSON = "username"
"""The id that several entries may have in common, such as two comments."""


def deep_merge(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Merge ``new`` into a copy of ``old``.

    Mappings are merged recursively. Arrays are appended, and array items with the same id are
    merged. Any other new value replaces the old one, but null never replaces a value: models
    repeat null for what they do not know.
    """
    merged = dict(old)
    for key, value in new.items():
        merged[key] = _merge_values(old[key], value) if key in old else value
    return merged


def merge_answer(
    saved: Mapping[str, Any], new: Mapping[str, Any], *, replace: bool = False
) -> dict[str, Any]:
    """What was saved, merged with ``new`` by ``deep_merge``; but a field that is null in ``new`` is
    taken back, and with ``replace`` each new field replaces the saved one as a whole."""
    merged = {**saved, **new} if replace else deep_merge(saved, new)
    return {**merged, **{name: None for name, value in new.items() if value is None}}


def taken_back(saved: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """The fields whose saved value ``new`` takes back."""
    return [name for name, value in new.items() if value is None and saved.get(name) is not None]


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
        if key in positions and _is_same(key, merged[positions[key]], item):
            merged[positions[key]] = deep_merge(merged[positions[key]], item)
        elif item not in merged:  # models often repeat the whole list: equal items add nothing
            merged.append(item)
            if key is not None:  # of equal ids, the latest
                positions[key] = len(merged) - 1
    return merged


def _item_id(item: Any) -> tuple[str, str] | None:
    if not isinstance(item, Mapping):
        return None
    for name in ITEM_IDS:
        value = item.get(name)
        if isinstance(value, str | int) and value != "":
            return name, str(value)
    return None


def _is_same(key: tuple[str, str], old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether two items with the same id are parts of one entry. Two entries of one person would
    take each other's values: there, what differs is another entry."""
    common = (name for name in new if old.get(name) is not None and new[name] is not None)
    return key[0] != _OF_A_PERSON or all(old[name] == new[name] for name in common)


class Progress:
    """The data one sample has collected, and its notes."""

    def __init__(self) -> None:
        self.collected: dict[str, Any] = {}
        self.notes: list[str] = []
        self.absent: list[str] = []
        """Fields that were saved as null and had no value: they were looked for, and no page shows
        them."""
        self.has_grown = False
        """Whether the last save added anything new."""

    def is_open(self, name: str) -> bool:
        """Whether a field has neither a value nor been confirmed to have none."""
        return self.collected.get(name) is None and name not in self.absent

    def save(self, action: Action) -> ActionResult:
        """Merge the action's data into the collected data; fails only if there is no data. The
        result names what was taken back, so that a null that was not meant so can be corrected."""
        if not action.extracted:
            return ActionResult(False, "nothing was saved: extracted is empty", error="no data")
        lost = taken_back(self.collected, action.extracted)
        nulls = [name for name, value in action.extracted.items() if value is None]
        absent = [name for name in nulls if name not in lost]
        kept = [name for name in action.extracted if name not in nulls]
        others = [name for name in self.absent if name not in action.extracted]
        self.absent = [*others, *absent]
        merged = merge_answer(self.collected, action.extracted, replace=bool(action.replace))
        self.has_grown = merged != self.collected
        self.collected = merged
        if action.note:
            self.notes.append(action.note)
        parts = [f"saved {', '.join(kept)}"] if kept else []
        parts += [f"{name}: null, confirmed" for name in absent]
        if lost:
            names = ", ".join(lost)
            parts.append(f"took back {names}: save it again if the null was not meant so")
        return ActionResult(True, "; ".join(parts))
