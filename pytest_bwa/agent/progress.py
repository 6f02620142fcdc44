"""The data and notes a sample has saved so far."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_bwa.agent.completion import split_judgment
from pytest_bwa.policy.base import ITEM_IDS
from pytest_bwa.steps.step import Action, ActionResult

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
    """What was saved, merged with ``new`` by ``deep_merge``; but what is null in ``new``, a field
    or a part of one, is taken back, and with ``replace`` each new field replaces the saved one as
    a whole."""
    if replace:
        return {**saved, **new}
    merged = dict(saved)
    for name, value in new.items():
        old = saved.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            merged[name] = merge_answer(old, value)
        else:
            merged[name] = None if value is None else _merge_values(old, value)
    return merged


def taken_back(saved: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """The fields, and the parts of fields (``owner.start``), whose saved value ``new`` takes back
    with a null."""
    return [path for path, old, value in _pairs(saved, new) if value is None and old is not None]


def shortened(saved: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """The lists of which ``new`` has only a part of what was saved, and nothing else, or nothing.
    Entries that are all new, or one that says more, only add to a list."""
    return [path for path, old, value in _pairs(saved, new) if _is_shortened(old, value)]


@dataclass(frozen=True, slots=True)
class Denial:
    """What an answer says against what was saved."""

    nulls: Sequence[str]
    """The paths of ``taken_back``."""
    lists: Sequence[str]
    """The paths of ``shortened``."""

    @property
    def names(self) -> list[str]:
        return [*self.nulls, *(f"entries of {path}" for path in self.lists)]

    def __str__(self) -> str:
        saved = "a value was saved" if len(self.nulls) == 1 else "values were saved"
        nulls = [f"null for {', '.join(self.nulls)}, for which {saved}"] if self.nulls else []
        few = [f"fewer entries than were saved for {', '.join(self.lists)}"] if self.lists else []
        return ", and ".join([*nulls, *few])


def denial(saved: Mapping[str, Any], new: Mapping[str, Any]) -> Denial:
    return Denial(taken_back(saved, new), shortened(saved, new))


def without_left_out(saved: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What was saved, without the entries that the lists of ``shortened`` leave out."""
    kept = dict(saved)
    for name, value in new.items():
        old = saved.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            kept[name] = without_left_out(old, value)
        elif _is_shortened(old, value):
            kept[name] = _entries_in(old, value)
    return kept


def _pairs(
    saved: Mapping[str, Any], new: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, Any, Any]]:
    """Each new value with its path and what was saved of it; of objects, their parts."""
    for name, value in new.items():
        old = saved.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            yield from _pairs(old, value, f"{path}{name}.")
        else:
            yield f"{path}{name}", old, value


def _is_shortened(old: Any, new: Any) -> bool:
    if not isinstance(old, list) or not isinstance(new, list) or len(new) >= len(old):
        return False
    return _merge_lists(old, new) == old and len(_entries_in(old, new)) < len(old)


def _entries_in(old: Any, new: Any) -> list[Any]:
    """The saved entries that a list has, whole or only a part of what was saved of them."""
    return [entry for entry in old if any(_merge_lists([entry], [e]) == [entry] for e in new)]


def _dropped(saved: Mapping[str, Any], new: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """What ``replace`` does not keep: parts of objects by name, entries of lists by number."""
    for name, value in new.items():
        old, here = saved.get(name), f"{path}{name}"
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            yield from (f"{here}.{p}" for p, v in old.items() if v is not None and p not in value)
            yield from _dropped(old, value, f"{here}.")
        elif isinstance(old, list) and isinstance(value, list):
            left = sum(entry not in value for entry in old)
            yield from [f"{left} of {len(old)} entries of {here}"] if left else []


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

    def __init__(self, fields: Container[str] = ()) -> None:
        """``fields`` are those of the task."""
        self._fields = fields
        self.judgment: Any = None
        """The judgment that was saved last, if any."""
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
        if not action.extracted and not action.judgment:
            why = action.unread or "extracted is empty"
            return ActionResult(False, f"nothing was saved: {why}", error="no data")
        extracted, judgment = split_judgment(action.extracted or {}, self._fields)
        judgment = action.judgment or judgment
        self.judgment = judgment or self.judgment
        lost = taken_back(self.collected, extracted)
        nulls = [name for name, value in extracted.items() if value is None]
        absent = [name for name in nulls if name not in lost]
        kept = [name for name in extracted if name not in nulls]
        kept += ["judgment"] if judgment else []
        others = [name for name in self.absent if name not in extracted]
        self.absent = [*others, *absent]
        parts = [f"saved {', '.join(kept)}"] if kept else []
        parts += [f"{name}: null, confirmed" for name in absent]
        if lost:
            names = ", ".join(lost)
            parts.append(f"took back {names}: save it again if you did not mean the null")
        parts += self._not_as_sent(extracted, bool(action.replace))
        merged = merge_answer(self.collected, extracted, replace=bool(action.replace))
        self.has_grown = merged != self.collected
        self.collected = merged
        if action.note:
            self.notes.append(action.note)
        return ActionResult(True, "; ".join(parts))

    def _not_as_sent(self, new: Mapping[str, Any], is_replacing: bool) -> Iterator[str]:
        """What is saved that ``new`` does not have, or no longer, although it seems to say all."""
        if not is_replacing:
            lists = shortened(self.collected, new)
            yield from (f"{path} keeps its other entries, without replace" for path in lists)
        elif dropped := list(_dropped(self.collected, new)):
            yield f"dropped {', '.join(dropped)}"
