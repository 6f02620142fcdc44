"""Copies of pictures in which the values are marked, for people who read a report.

The picture in the evidence folder stays as it was taken, with its hash.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from PIL import Image, ImageDraw, ImageFont

from pytest_bwa.evidence.grounding import Grounding, GroundingTree
from pytest_bwa.steps.artifacts import is_picture

Box = tuple[float, float, float, float]
Marks = Sequence[tuple[str, Box]]
"""Names of fields, each with the box of its value in CSS pixels, which are the picture's."""

COLOUR, TEXT_COLOUR = "#c2185b", "#ffffff"
FONT_SIZE, MARGIN = 13, 3


def marks(grounding: Mapping[str, GroundingTree | None]) -> dict[str, list[tuple[str, Box]]]:
    """The marks of each picture, by its file name."""
    found: defaultdict[str, list[tuple[str, Box]]] = defaultdict(list)
    for name, tree in grounding.items():
        _add(name, tree, found)
    return dict(found)


def _add(
    name: str, tree: GroundingTree | None, found: defaultdict[str, list[tuple[str, Box]]]
) -> None:
    if isinstance(tree, Grounding):
        if tree.artifact and tree.box and is_picture(tree.artifact):
            found[tree.artifact].append((name, tree.box))
    elif isinstance(tree, list):
        for number, item in enumerate(tree):
            _add(f"{name}[{number}]", item, found)
    elif tree is not None:
        for key, inner in tree.items():
            _add(f"{name}.{key}", inner, found)


def draw_marks(page: Image.Image, of_picture: Marks) -> None:
    """Draw a box and the field's name for each value into a picture of a page."""
    canvas, font = ImageDraw.Draw(page), ImageFont.load_default(FONT_SIZE)
    names: defaultdict[Box, list[str]] = defaultdict(list)
    for name, box in of_picture:
        names[box].append(name)
    for box, fields in names.items():
        _mark(canvas, font, box, ", ".join(fields), page.size)


def _mark(
    canvas: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    box: Box,
    name: str,
    size: tuple[int, int],
) -> None:
    """A frame around the value, and the name behind it, where it covers no neighbour; without room
    there, above the frame's end, or below it at the top of the picture."""
    x, y, width, height = box
    left, top = max(0.0, x - MARGIN), max(0.0, y - MARGIN)
    right, bottom = min(size[0] - 1.0, x + width + MARGIN), min(size[1] - 1.0, y + height + MARGIN)
    if right <= left or bottom <= top:
        return
    canvas.rectangle((left, top, right, bottom), outline=COLOUR, width=2)
    text_width = canvas.textlength(name, font=font) + 2 * MARGIN
    line = FONT_SIZE + 2 * MARGIN
    has_room = right + text_width <= size[0]
    above = top if has_room else top - line if top >= line else bottom
    begin = right if has_room else max(0.0, right - text_width)
    canvas.rectangle((begin, above, begin + text_width, above + line), fill=COLOUR)
    canvas.text((begin + MARGIN, above + 1), name, fill=TEXT_COLOUR, font=font)
