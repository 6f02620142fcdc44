"""What a sample has collected so far: the deep merge of everything it saved (F-52)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_bwa.steps import Action, ActionResult

_IDENTITIES = ("id", "sample_id", "number", "url")


def deep_merge(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Mappings recurse, arrays append, array items with an id merge by it; else the new value
    stands, except that a null never replaces a value. Neither argument is changed."""
    merged = dict(old)
    for key, value in new.items():
        merged[key] = _merged(old[key], value) if key in old else value
    return merged


def _merged(old: Any, new: Any) -> Any:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return deep_merge(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _merged_lists(old, new)
    return old if new is None else new


def _merged_lists(old: list[Any], new: list[Any]) -> list[Any]:
    result = list(old)
    places = {key: n for n, item in enumerate(result) if (key := _identity(item)) is not None}
    for item in new:
        key = _identity(item)
        if key is not None and key in places:
            result[places[key]] = deep_merge(result[places[key]], item)
        elif item not in result:
            # The same item told again adds nothing; a model often repeats the whole list.
            result.append(item)
            if key is not None:
                places[key] = len(result) - 1
    return result


def _identity(item: Any) -> tuple[str, str] | None:
    if not isinstance(item, Mapping):
        return None
    for name in _IDENTITIES:
        value = item.get(name)
        if isinstance(value, str | int) and value != "":
            return name, str(value)
    return None


class Progress:
    """What one sample has collected, and the notes it made on the way."""

    def __init__(self) -> None:
        self.collected: dict[str, Any] = {}
        self.notes: list[str] = []
        self.saves = 0
        self.grew = False
        """Whether the last save brought anything new."""

    def save(self, action: Action) -> ActionResult:
        """Merge what the action brings; it fails only where there is nothing to save."""
        if not action.extracted:
            return ActionResult(False, "nothing was saved: extracted is empty", error="no data")
        merged = deep_merge(self.collected, action.extracted)
        self.grew = merged != self.collected
        self.collected = merged
        self.saves += 1
        if action.note:
            self.notes.append(action.note)
        return ActionResult(True, f"saved {', '.join(action.extracted)}")
