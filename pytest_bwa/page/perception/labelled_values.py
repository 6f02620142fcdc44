"""The values that a page itself labels, as they were read."""

from __future__ import annotations

from typing import Any

from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import Box, LabelledValue, Place

MAX_VALUES = 3000  # per frame


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
