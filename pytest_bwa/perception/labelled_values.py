"""The values that a page itself labels, as they were read."""

from __future__ import annotations

from typing import Any

from pytest_bwa.steps import Box, LabelledValue, Place

MAX_VALUES = 3000  # per frame


def labelled_values(found: list[dict[str, Any]], frame: str) -> list[LabelledValue]:
    """What was found in one frame; ``frame`` is its address, empty for the main frame."""
    return [_value(entry, frame) for entry in found]


def _value(entry: dict[str, Any], frame: str) -> LabelledValue:
    return LabelledValue(
        label=entry["label"],
        value=entry["value"],
        kind=entry["kind"],
        url=entry["url"],
        datetime=entry["datetime"],
        items=tuple(entry["items"]),
        in_viewport=entry["in_viewport"],
        place=Place(
            frame=frame,
            regions=tuple(entry["regions"]),
            headings=tuple(entry["headings"]),
            record=entry["record"],
            record_name=entry["record_name"],
        ),
        box=Box(*entry["box"]),
        cut=entry["cut"],
        doubt=entry["doubt"],
        language=entry["language"],
    )
