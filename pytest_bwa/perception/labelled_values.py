"""Reads the values that a page itself labels, for policies without a model."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

from pytest_bwa.page.script_loader import load_script, read_json
from pytest_bwa.steps import Box, LabelledValue, Place

MAX_VALUES = 3000  # per frame
_SCRIPT = load_script("labelled_values")


def read_labelled(page: Page) -> tuple[LabelledValue, ...]:
    """The values of the main frame, then of the other visible frames. The caller limits the time.
    An error in the main frame is raised; another frame with an error is left out."""
    values = _values(page.evaluate(_SCRIPT, {"maxValues": MAX_VALUES}), frame="")
    for frame in page.frames[1:]:
        try:
            if not frame.frame_element().is_visible():
                continue
            values += _values(frame.evaluate(_SCRIPT, {"maxValues": MAX_VALUES}), frame.url)
        except PlaywrightError:  # a frame may disappear at any time
            continue
    return tuple(values)


def _values(raw: str, frame: str) -> list[LabelledValue]:
    return [_value(entry, frame) for entry in read_json(raw)]


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
