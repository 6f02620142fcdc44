"""Pictures for a model: cropped to what is there, with the numbers of the listed elements.

They are never evidence: the evidence keeps pictures as they were taken.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_bwa.page.picture import take_picture
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps.step import INTERACTIVE_ROLES, Box, Element, Picture

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

MAX_HEIGHT = 2400
"""In pixels; of a longer page only the viewport is in the picture."""
MARGIN, FONT_SIZE = 16, 11
COLOUR, TEXT_COLOUR = "#c2185b", "#ffffff"


@dataclass(frozen=True, slots=True)
class Mark:
    """A number and its element's place in the picture."""

    number: int
    box: Box
    framed: bool
    """Whether it can be acted on, and is framed."""


def take_for_model(
    tabs: Tabs, timeout_ms: float, elements: Sequence[Element]
) -> tuple[Picture, bytes]:
    """The picture as it was taken, and the PNG with the elements' numbers. Raises Playwright's
    errors."""
    height, *_ = tabs.readers.ask(tabs.current.main_frame, "extent")
    is_whole = height <= MAX_HEIGHT
    picture = take_picture(tabs, timeout_ms, full_page=is_whole)
    left, top = 0, 0
    if not is_whole:
        _, left, top = tabs.readers.ask(tabs.current.main_frame, "extent")
    marks = []
    for element in elements:
        box = picture.box_of(element.ref, element.box) if element.box else None
        if box is not None:
            place = Box(box.x - left, box.y - top, box.width, box.height)
            marks.append(Mark(element.index, place, element.role in INTERACTIVE_ROLES))
    return picture, number_and_crop(picture.png, marks)


def number_and_crop(png: bytes, marks: Sequence[Mark]) -> bytes:
    """The picture with a number for each mark, without its empty margins."""
    from PIL import Image, ImageDraw, ImageFont  # takes long to load: few samples need it

    image = Image.open(io.BytesIO(png)).convert("RGB")
    frame = _content(image, marks)
    canvas, font = ImageDraw.Draw(image), ImageFont.load_default(FONT_SIZE)
    for mark in marks:
        _draw(canvas, font, mark)
    content = io.BytesIO()
    image.crop(frame).save(content, "PNG")
    return content.getvalue()


def _content(image: Image.Image, marks: Sequence[Mark]) -> tuple[int, int, int, int]:
    """What is not background, which is the colour of the last pixel, and every marked box."""
    from PIL import Image, ImageChops  # as above

    empty = Image.new("RGB", image.size, image.getpixel((image.width - 1, image.height - 1)))
    found = ImageChops.difference(image, empty).getbbox()
    if found is None:
        return 0, 0, *image.size
    boxes = [found, *(_corners(mark.box) for mark in marks)]
    left, top = min(b[0] for b in boxes) - MARGIN, min(b[1] for b in boxes) - MARGIN
    right, bottom = max(b[2] for b in boxes) + MARGIN, max(b[3] for b in boxes) + MARGIN
    return max(0, left), max(0, top), min(image.width, right), min(image.height, bottom)


def _corners(box: Box) -> tuple[int, int, int, int]:
    return int(box.x), int(box.y), int(box.x + box.width), int(box.y + box.height)


def _draw(
    canvas: ImageDraw.ImageDraw, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, mark: Mark
) -> None:
    """The number where it covers least: before a text, and above the corner of a frame."""
    box, number = mark.box, str(mark.number)
    width, height = canvas.textlength(number, font=font) + 3, FONT_SIZE + 1
    left, top = max(0.0, box.x - width - 1), box.y
    if mark.framed:
        canvas.rectangle(
            (box.x - 1, box.y - 1, box.x + box.width, box.y + box.height), outline=COLOUR
        )
        left, top = box.x - 1, box.y - height - 1 if box.y > height else box.y
    canvas.rectangle((left, top, left + width, top + height), fill=COLOUR)
    canvas.text((left + 2, top), number, fill=TEXT_COLOUR, font=font)
