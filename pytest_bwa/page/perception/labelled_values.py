"""The values that a page itself labels, as they were read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, overload

from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.page.documents import LiveDocument
from pytest_bwa.page.readers import Readers
from pytest_bwa.page.script_loader import read_json
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import Box, LabelledValue, Place

MAX_VALUES = 3000  # per frame


class LabelledValues(Sequence[LabelledValue]):
    """What a page labels, read when it is first asked for: it takes a third of the time of a whole
    reading, and a task without answers needs none of it."""

    def __init__(self, parts: Sequence[Callable[[], list[LabelledValue]]]) -> None:
        """Of each frame, what asks for its values."""
        self._parts = parts

    @cached_property
    def _values(self) -> tuple[LabelledValue, ...]:
        values = tuple(value for ask in self._parts for value in ask())
        self._parts = ()  # the same in another form
        return values

    @overload
    def __getitem__(self, at: int) -> LabelledValue: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[LabelledValue]: ...
    def __getitem__(self, at: int | slice) -> LabelledValue | Sequence[LabelledValue]:
        return self._values[at]

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Sequence) and self._values == tuple(other))

    def __hash__(self) -> int:
        return hash(self._values)


def read_labelled(readers: Readers, document: LiveDocument) -> list[dict[str, Any]]:
    """What a document labels now; nothing if its frame shows another one, or is gone."""
    wanted = {"document": document.key, "maxValues": MAX_VALUES}
    try:
        found: list[dict[str, Any]] = read_json(readers.ask(document.frame, "readLabelled", wanted))
    except PlaywrightError:
        return []
    return found


def labelled_values(found: list[dict[str, Any]], document: int, frame: str) -> list[LabelledValue]:
    """What was found in the document with that number; ``frame`` is the address of its frame,
    empty for the main frame."""
    return [_value(entry, document, frame) for entry in found]


def _value(entry: dict[str, Any], document: int, frame: str) -> LabelledValue:
    return LabelledValue(
        label=entry["label"],
        value=entry["value"],
        kind=entry["kind"],
        url=entry.get("url"),
        datetime=entry.get("datetime"),
        items=tuple(entry.get("items", ())),
        in_viewport=entry["in_viewport"],
        place=Place(
            frame=frame,
            regions=tuple(entry["regions"]),
            headings=tuple(entry["headings"]),
            record=entry.get("record", ""),
            record_name=entry.get("record_name", ""),
        ),
        box=Box(*entry["box"]),
        ref=(document, entry["number"]),
        cut=entry.get("cut", False),
        doubt=Doubt(entry["doubt"]) if entry["doubt"] else None,
        language=entry.get("language", ""),
    )
