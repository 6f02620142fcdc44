"""Covers what is secret in a picture: secret fields, and every place that says a secret."""

from __future__ import annotations

import io
from collections.abc import Iterable
from contextlib import suppress

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame

from pytest_bwa.page.script_loader import read_json
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps.step import Box

COLOUR = "#5f6368"
MARGIN = 2
"""Pixels that are covered around a box: letters may reach out of theirs."""


def secret_boxes(tabs: Tabs, *, full_page: bool) -> list[Box]:
    """What a picture that is taken now must not show. Raises Playwright's errors."""
    main = tabs.current.main_frame
    _, left, top = tabs.readers.ask(main, "extent") if full_page else (0, 0, 0)
    boxes = []
    for frame in tabs.frames():
        with suppress(
            PlaywrightError
        ):  # a frame may go at any time, and is not in the picture then
            boxes += _boxes_in(frame, tabs)
    return [Box(box.x + left, box.y + top, box.width, box.height) for box in boxes]


def _boxes_in(frame: Frame, tabs: Tabs) -> list[Box]:
    """The boxes in the page's window. Of a frame that is not shown in its own size, all of it."""
    found = read_json(tabs.readers.ask(frame, "placesOfSecrets", []))
    if texts := tabs.secrets_in(found["text"]):
        found = read_json(tabs.readers.ask(frame, "placesOfSecrets", list(texts)))
    boxes = [Box(*box) for box in found["boxes"]]
    while boxes and frame.parent_frame is not None:
        outside = frame.frame_element()
        whole, (x, y), is_scaled = tabs.readers.ask_element(outside, "frameWindow")
        moved = [Box(box.x + x, box.y + y, box.width, box.height) for box in boxes]
        boxes = [Box(*whole)] if is_scaled else moved
        frame = frame.parent_frame
    return boxes


def cover(png: bytes, boxes: Iterable[Box]) -> bytes:
    """The picture without what stands in the boxes."""
    boxes = list(boxes)
    if not boxes:
        return png
    from PIL import Image, ImageDraw  # takes long to load, and most pages have no secrets

    image = Image.open(io.BytesIO(png)).convert("RGB")
    canvas = ImageDraw.Draw(image)
    for box in boxes:
        corners = (
            box.x - MARGIN,
            box.y - MARGIN,
            box.x + box.width + MARGIN,
            box.y + box.height + MARGIN,
        )
        canvas.rectangle(corners, fill=COLOUR)
    content = io.BytesIO()
    image.save(content, "PNG")
    return content.getvalue()
