"""What an action changed at its element: compares the element's state before and after it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_bwa.page.script_loader import read_json
from pytest_bwa.steps import Effects

MAX_CHANGES = 6
MAX_LOOKS = 3
_Part = Mapping[str, Any]


def compare(before: str | None, after: str | None) -> Effects:
    """Two results of the script target_state; None where there is none to read."""
    if not before or not after:
        return Effects()
    old, new = read_json(before), read_json(after)
    known = {part["number"]: part for part in old["parts"]}
    changes = [line for part in new["parts"] for line in _attribute_changes(known, part)]
    changes += _scrolled(old["scrolled"], new["scrolled"])
    looks = [line for part in new["parts"] for line in _look_changes(known, part)]
    return Effects(
        tuple(dict.fromkeys(changes))[:MAX_CHANGES],
        tuple(dict.fromkeys(looks))[:MAX_LOOKS],
        is_mutated=old["changes"] != new["changes"],
    )


def _attribute_changes(known: Mapping[int, _Part], part: _Part) -> Iterator[str]:
    where, attributes = _where(part), part["attributes"]
    was = known.get(part["number"])
    if was is None:
        # An icon is often exchanged for another one, which nothing but its class tells apart.
        if part["place"] == "inside" and attributes.get("class"):
            yield f"{part['tag']} of class “{attributes['class']}” appeared inside it"
        return
    for name in dict.fromkeys([*attributes, *was["attributes"]]):
        value = attributes.get(name)
        if value == was["attributes"].get(name):
            continue
        if name == "drawing":
            yield f"the picture{where} changed"
        elif value is None:
            yield f"{name}{where} is gone"
        elif not value:
            yield f"{name}{where} is empty now" if name == "class" else f"{name}{where} is set now"
        else:
            yield f"{name}{where} now “{value}”"


def _look_changes(known: Mapping[int, _Part], part: _Part) -> Iterator[str]:
    was = known.get(part["number"])
    for name, value in part["look"].items() if was else ():
        if was is not None and value != was["look"].get(name):
            yield f"{name}{_where(part)} now {value}"


def _where(part: _Part) -> str:
    return f" of {part['tag']} {part['place']} it" if part["place"] else ""


def _scrolled(old: list[_Part], new: list[_Part]) -> Iterator[str]:
    known = {one["number"]: one["at"] for one in old}
    for one in new:
        if one["number"] in known and one["at"][:2] != known[one["number"]][:2]:
            yield f"{one['name']} is scrolled to {scroll_position(one['at'])}"


def scroll_position(at: list[int]) -> str:
    """Where a scroller stands: ``600 of 1,240 pixels``; across only where it can be scrolled so."""
    left, top, max_left, max_top = at
    down = f"{top:,} of {max_top:,} pixels" if max_top > 1 else ""
    across = f"{left:,} of {max_left:,} pixels across" if max_left > 1 else ""
    return ", ".join(filter(None, [down, across])) or "its only position"
