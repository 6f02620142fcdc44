"""The part of a picture around a value, small enough to stand in a page."""

from __future__ import annotations

import base64
import io

from PIL import Image, ImageDraw

AROUND_X, AROUND_Y = 220, 36
"""Pixels of the page that are shown on each side of the value, so that its label is seen too."""
MAX_WIDTH, MAX_HEIGHT = 760, 320
EDGE = 3
COLOUR = "#c2185b"
QUALITY = 82

Box = tuple[float, float, float, float]


def data_address(content: bytes) -> str:
    """The address of a crop that stands in a page; empty if there is none."""
    return f"data:image/webp;base64,{base64.b64encode(content).decode()}" if content else ""


def crop(page: Image.Image, box: Box) -> bytes:
    """The picture around the box as WebP, with a frame around the value; empty if the box is not in
    the picture."""
    x, y, width, height = box
    left, top = max(0.0, x - AROUND_X), max(0.0, y - AROUND_Y)
    right = min(float(page.width), x + width + AROUND_X, left + MAX_WIDTH)
    bottom = min(float(page.height), y + height + AROUND_Y, top + MAX_HEIGHT)
    if right - left < 1 or bottom - top < 1:
        return b""
    part = page.crop((int(left), int(top), int(right), int(bottom)))
    # A value that is wider than the crop has its frame closed at the crop's edge.
    mark = (
        max(0.0, x - left - EDGE),
        max(0.0, y - top - EDGE),
        min(part.width - 1.0, x - left + width + EDGE),
        min(part.height - 1.0, y - top + height + EDGE),
    )
    ImageDraw.Draw(part).rectangle(mark, outline=COLOUR, width=2)
    content = io.BytesIO()
    part.save(content, "WEBP", quality=QUALITY, method=0)
    return content.getvalue()
