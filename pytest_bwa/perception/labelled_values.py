"""The values that a page labels itself, for readers without a model."""

from __future__ import annotations

import json

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

from pytest_bwa.page.script_loader import load_script
from pytest_bwa.steps import LabelledValue

MAX_VALUES = 3000  # a frame
_SCRIPT = load_script("labelled_values")


def read_labelled(page: Page) -> tuple[LabelledValue, ...]:
    """Main frame first, then the others that can be seen; the caller bounds the time. Errors of
    the main frame pass, those of other frames only leave their values out."""
    found = _values(page.evaluate(_SCRIPT, {"most": MAX_VALUES}))
    for frame in page.frames[1:]:
        try:
            if not frame.frame_element().is_visible():
                continue
            found += _values(frame.evaluate(_SCRIPT, {"most": MAX_VALUES}))
        except PlaywrightError:  # a frame may go at any time
            continue
    return tuple(found)


def _values(raw: str) -> list[LabelledValue]:
    return [
        LabelledValue(
            label=entry["label"],
            value=entry["value"],
            kind=entry["kind"],
            url=entry["url"],
            datetime=entry["datetime"],
            row=entry["row"],
            in_viewport=entry["near"],
        )
        for entry in json.loads(raw)
    ]
