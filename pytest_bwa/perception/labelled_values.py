"""Reads the values that a page itself labels, for policies without a model."""

from __future__ import annotations

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

from pytest_bwa.page.script_loader import load_script, read_json
from pytest_bwa.steps import LabelledValue

MAX_VALUES = 3000  # per frame
_SCRIPT = load_script("labelled_values")


def read_labelled(page: Page) -> tuple[LabelledValue, ...]:
    """The values of the main frame, then of the other visible frames. The caller limits the time.
    An error in the main frame is raised; another frame with an error is left out."""
    values = _values(page.evaluate(_SCRIPT, {"maxValues": MAX_VALUES}))
    for frame in page.frames[1:]:
        try:
            if not frame.frame_element().is_visible():
                continue
            values += _values(frame.evaluate(_SCRIPT, {"maxValues": MAX_VALUES}))
        except PlaywrightError:  # a frame may disappear at any time
            continue
    return tuple(values)


def _values(raw: str) -> list[LabelledValue]:
    return [
        LabelledValue(
            label=entry["label"],
            value=entry["value"],
            kind=entry["kind"],
            url=entry["url"],
            datetime=entry["datetime"],
            row=entry["row"],
            in_viewport=entry["in_viewport"],
        )
        for entry in read_json(raw)
    ]
