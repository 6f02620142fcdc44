"""What an action changed at its element, watched from before it until the page has settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from playwright.sync_api import ElementHandle
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.page.script_loader import read_json
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps.step import Effects, Element

MAX_CHANGES = 6
MAX_LOOKS = 3
_Part = Mapping[str, Any]


def compare(before: str | None, after: str | None, reported: int | None = None) -> Effects:
    """Two results of the script target_state; None where there is none to read. ``reported`` is the
    number of what the action itself has scrolled, whose place its description says."""
    if not before or not after:
        return Effects()
    old, new = read_json(before), read_json(after)
    known = {part["number"]: part for part in old["parts"]}
    both = [(known[part["number"]], part) for part in new["parts"] if part["number"] in known]
    changes = [line for part in new["parts"] for line in _changes(known.get(part["number"]), part)]
    moved = dict(_scrolled(old["scrolled"], new["scrolled"]))
    changes += [line for number, line in moved.items() if number != reported]
    looks = [line for was, part in both for line in _look_changes(was, part)]
    return Effects(
        tuple(dict.fromkeys(changes))[:MAX_CHANGES],
        is_restyled=any(_is_restyled(was, part) for was, part in both),
        looks=tuple(dict.fromkeys(looks))[:MAX_LOOKS],
        is_mutated=old["changes"] != new["changes"],
        is_scrolled=reported in moved,
    )


def _changes(was: _Part | None, part: _Part) -> Iterator[str]:
    if was is None:
        yield from _inserted(part)
        return
    yield from _class_changes(was, part)
    where, attributes = _where(part), part["attributes"]
    for name in dict.fromkeys([*attributes, *was["attributes"]]):
        value = attributes.get(name)
        if name == "style" or value == was["attributes"].get(name):
            continue
        if name == "drawing":
            yield f"the picture{where} changed"
        elif value is None:
            yield f"{name}{where} is gone"
        else:
            yield f"{name}{where} now “{value}”" if value else f"{name}{where} is set now"


def _inserted(part: _Part) -> Iterator[str]:
    """An icon is often exchanged for another one, which nothing but its class tells apart."""
    words = " ".join(filter(None, _words(part).values()))
    if part["place"] == "inside" and words:
        yield f"{part['tag']} of class “{words}” appeared inside it"


def _class_changes(was: _Part, part: _Part) -> Iterator[str]:
    """The classes that came, in the words that they say; else those that went."""
    old, new = _words(was), _words(part)
    came = [words for name, words in new.items() if words and name not in old]
    gone = [words for name, words in old.items() if words and name not in new]
    if came:
        yield f"class{_where(part)} now “{' '.join(came)}”"
    elif gone:
        yield f"class{_where(part)} no longer “{' '.join(gone)}”"


def _is_restyled(was: _Part, part: _Part) -> bool:
    """Whether the style changed, or a class that says nothing, but for one of a moment."""
    old, new = _words(was), _words(part)
    changed = [(old | new)[name] for name in old.keys() ^ new.keys()]
    return "" in changed or was["attributes"].get("style") != part["attributes"].get("style")


def _words(part: _Part) -> dict[str, str | None]:
    """What each class of an element says: nothing if it is empty, None for one of a moment."""
    return dict(part["classes"])


def _look_changes(was: _Part, part: _Part) -> Iterator[str]:
    for name, value in part["look"].items():
        if value != was["look"].get(name):
            yield f"{name}{_where(part)} now {value}"


def _where(part: _Part) -> str:
    return f" of {part['tag']} {part['place']} it" if part["place"] else ""


def _scrolled(old: list[_Part], new: list[_Part]) -> Iterator[tuple[int, str]]:
    known = {one["number"]: one["at"] for one in old}
    for one in new:
        if one["number"] in known and one["at"][:2] != known[one["number"]][:2]:
            yield one["number"], f"{one['name']} is scrolled to {scroll_position(one['at'])}"


def scroll_position(at: list[int]) -> str:
    """Where a scroller stands: ``600 of 1,240 pixels``; across only where it can be scrolled so."""
    left, top, max_left, max_top = at
    down = f"{top:,} of {max_top:,} pixels" if max_top > 1 else ""
    across = f"{left:,} of {max_left:,} pixels across" if max_left > 1 else ""
    return ", ".join(filter(None, [down, across])) or "its only position"


class WatchedTarget:
    """The first element that an action names; of a drag, what is dragged."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self._before: str | None = None
        self._read: Callable[[], str | None] | None = None
        self.reported_scroller: int | None = None
        """The number of what the action has scrolled, if its description says where it stands."""

    def watch(self, element: ElementHandle) -> None:
        """Read the element's state, unless an element is watched already."""
        if self._read is None:
            reference = self._tabs.readers.reference(element)
            self._read = partial(self._tabs.readers.ask_reference, reference, "targetState")
            self._before = self._read()

    def watch_focus(self) -> None:
        """The same for whatever has the focus, which the action may move."""
        if self._read is None:
            frame = self._tabs.current.main_frame
            self._read = partial(self._tabs.readers.ask, frame, "focusState")
            self._before = self._read()

    def watch_listed(self, element: Element, state: str) -> None:
        """The same for a listed element of the current tab whose state was just read."""
        reference = self._tabs.reference(element.ref)
        if self._read is None and reference is not None:
            self._before = state
            self._read = partial(self._tabs.readers.ask_reference, reference, "targetState")

    def effects(self) -> Effects:
        """What has changed since; nothing if the element or its document is gone."""
        if self._read is None:
            return Effects()
        try:
            return compare(self._before, self._read(), self.reported_scroller)
        except PlaywrightError:
            return Effects()
