"""Copies of pictures for people: below a strip that says what they show, with the values marked, or
cut around one value. The picture itself stays as it was taken, with its hash."""

from __future__ import annotations

import base64
import io
import textwrap
import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFont

from pytest_bwa.evidence.grounding import GroundingTree, leaves_in
from pytest_bwa.spec.workpaper import Workpaper
from pytest_bwa.steps.artifacts import PICTURE_SUFFIX, is_picture
from pytest_bwa.steps.step import Artifact

FRAMED = f".framed{PICTURE_SUFFIX}"
"""The end of the name of a framed copy: ``01_page.framed.png`` of ``01_page.png``."""
MAX_PIXELS = 40_000_000
"""A larger picture gets no copy: drawing it takes hundreds of megabytes."""
MIN_WIDTH = 480  # a narrower picture is framed with a margin beside it
FONT_SIZE, LINE, MARGIN = 13, 18, 8
PAPER, INK, RULE = "#f4f4f1", "#1c1c1a", "#b9b9b2"
COMPRESSION = 1
"""zlib's fastest level: a copy takes a third of the time, and some more room on the disk."""
Box = tuple[float, float, float, float]
Marks = Sequence[tuple[str, Box]]
"""Names of fields, each with the box of its value in CSS pixels, which are the picture's."""
COLOUR, TEXT_COLOUR = "#c2185b", "#ffffff"
AROUND_VALUE = 3
"""Pixels between a value and its frame."""
AROUND_X, AROUND_Y = 220, 44
"""Pixels of the page that a crop has on each side of the value, so that its label is seen too."""
MAX_LABEL, GAP = 160, 12
"""So many pixels more it has if it would cut a text; and so wide are gaps between two texts."""
FAINT = 24
"""Shades that nobody tells apart in a picture."""
MAX_PART = 1600
"""Pixels of a crop's longer side; of a longer value it is a smaller picture, with all of it."""
QUALITY = 82


def framed_name(filename: str) -> str:
    return filename.removesuffix(PICTURE_SUFFIX) + FRAMED


def open_picture(path: Path) -> Image.Image | None:
    """The picture, or None if it cannot be read or is too large."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(path)
        if image.width * image.height > MAX_PIXELS:
            return None
        return image.convert("RGB")
    except (OSError, Image.DecompressionBombError):
        return None


def as_png(image: Image.Image) -> bytes:
    content = io.BytesIO()
    image.save(content, "PNG", compress_level=COMPRESSION)
    return content.getvalue()


def framed(
    page: Image.Image, sample_id: str, artifact: Artifact, workpaper: Workpaper
) -> Image.Image:
    """The picture below a strip that says what it shows, of when, and what it is evidence of."""
    width = max(page.width, MIN_WIDTH)
    font = ImageFont.load_default(FONT_SIZE)
    lines = _wrapped(strip_lines(sample_id, artifact, workpaper), width, font)
    strip = len(lines) * LINE + 2 * MARGIN
    copy = Image.new("RGB", (width, page.height + strip), PAPER)
    copy.paste(page, (0, strip))
    canvas = ImageDraw.Draw(copy)
    for number, line in enumerate(lines):
        canvas.text((MARGIN, MARGIN + number * LINE), line, fill=INK, font=font)
    canvas.line((0, strip - 1, width, strip - 1), fill=RULE)
    return copy


def is_copy_of(copy: Path, picture: Path) -> bool:
    """Whether a framed copy shows a picture as it is, below its strip."""
    framed_page, page = open_picture(copy), open_picture(picture)
    if framed_page is None or page is None:
        return False
    top = framed_page.height - page.height
    below = framed_page.crop((0, top, page.width, framed_page.height))
    return top > 0 and below.tobytes() == page.tobytes()


def strip_lines(sample_id: str, artifact: Artifact, workpaper: Workpaper) -> list[str]:
    """What the strip says. The font has Latin letters only, so others are written as escapes."""
    time = artifact.timestamp.replace("T", " ").removesuffix("Z")
    lines = [
        artifact.source_url,
        f"sample {sample_id} - {time} UTC - {artifact.filename}",
        " - ".join(f"{name} {text}" for name, text in workpaper.facts()),
        f"SHA-256 of {artifact.filename}: {artifact.sha256}",
    ]
    return [line.encode("latin-1", "backslashreplace").decode("latin-1") for line in lines if line]


def _wrapped(
    lines: list[str], width: int, font: ImageFont.FreeTypeFont | ImageFont.ImageFont
) -> list[str]:
    """The lines, broken where they are wider than the picture."""
    widest = max(font.getlength(letter) for letter in "0mW")
    room = max(20, int((width - 2 * MARGIN) / widest))
    return [part for line in lines for part in _parts(line, width - 2 * MARGIN, room, font)]


def _parts(
    line: str, width: int, room: int, font: ImageFont.FreeTypeFont | ImageFont.ImageFont
) -> list[str]:
    if font.getlength(line) <= width:
        return [line]
    return textwrap.wrap(line, room, break_on_hyphens=False) or [""]


# -- marks ----------------------------------------------------------------------------------------


def marks(grounding: Mapping[str, GroundingTree | None]) -> dict[str, list[tuple[str, Box]]]:
    """The marks of each picture, by its file name."""
    found: defaultdict[str, list[tuple[str, Box]]] = defaultdict(list)
    for field, tree in grounding.items():
        for name, seen in leaves_in(field, tree):
            if seen.artifact and seen.box and is_picture(seen.artifact):
                found[seen.artifact].append((name, seen.box))
    return dict(found)


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
    left, top = max(0.0, x - AROUND_VALUE), max(0.0, y - AROUND_VALUE)
    right, bottom = (
        min(size[0] - 1.0, x + width + AROUND_VALUE),
        min(size[1] - 1.0, y + height + AROUND_VALUE),
    )
    if right <= left or bottom <= top:
        return
    canvas.rectangle((left, top, right, bottom), outline=COLOUR, width=2)
    text_width = canvas.textlength(name, font=font) + 2 * AROUND_VALUE
    line = FONT_SIZE + 2 * AROUND_VALUE
    has_room = right + text_width <= size[0]
    above = top if has_room else top - line if top >= line else bottom
    begin = right if has_room else max(0.0, right - text_width)
    canvas.rectangle((begin, above, begin + text_width, above + line), fill=COLOUR)
    canvas.text((begin + AROUND_VALUE, above + 1), name, fill=TEXT_COLOUR, font=font)


# -- crops ----------------------------------------------------------------------------------------


def data_address(content: bytes) -> str:
    """The address of a crop that stands in a page; empty if there is none."""
    return f"data:image/webp;base64,{base64.b64encode(content).decode()}" if content else ""


def crop(page: Image.Image, box: Box) -> bytes:
    """The picture around the box as WebP, with a frame around the value; empty if the box is not in
    the picture."""
    x, y, right, bottom = _painted(page, box)
    area = (
        _edge(page, x - AROUND_X, -1, (y, bottom)),
        max(0, int(y - AROUND_Y)),
        _edge(page, right + AROUND_X, 1, (y, bottom)),
        min(page.height, int(bottom + AROUND_Y)),
    )
    if area[2] - area[0] < 1 or area[3] - area[1] < 1:
        return b""
    part = page.crop(area)
    # A value that the page cuts has its frame closed at the page's edge.
    mark = (
        max(0.0, x - area[0] - AROUND_VALUE),
        max(0.0, y - area[1] - AROUND_VALUE),
        min(part.width - 1.0, right - area[0] + AROUND_VALUE),
        min(part.height - 1.0, bottom - area[1] + AROUND_VALUE),
    )
    ImageDraw.Draw(part).rectangle(mark, outline=COLOUR, width=2)
    part.thumbnail((MAX_PART, MAX_PART))
    content = io.BytesIO()
    part.save(content, "WEBP", quality=QUALITY, method=0)
    return content.getvalue()


def _painted(page: Image.Image, box: Box) -> Box:
    """Left, top, right and bottom of the box, and no wider than what is painted in it: the text of
    a cell, and not the cell."""
    x, y, width, height = box
    inner = (max(0, int(x)), max(0, int(y)), int(x + width), int(y + height))
    found = _columns(page, inner) if inner[0] < min(inner[2], page.width) else []
    painted = [inner[0] + at for at, is_painted in enumerate(found) if is_painted]
    if not painted:
        return x, y, x + width, y + height
    return painted[0], y, min(x + width, painted[-1] + 1), y + height


def _edge(page: Image.Image, at: float, step: int, rows: tuple[float, float]) -> int:
    """Where a crop ends that is to end here: at a gap in the value's line not far outside, as half
    a label says nothing."""
    begin = int(min(max(0, at), page.width))
    end = min(max(0, begin + step * MAX_LABEL), page.width)
    near = (min(begin, end), int(rows[0]), max(begin, end), int(rows[1]))
    columns = _columns(page, near)[::step]
    for number in range(len(columns) - GAP):
        if not any(columns[number : number + GAP]):
            return begin + step * (number + GAP // 2 * (number > 0))
    return begin


def _columns(page: Image.Image, area: tuple[int, int, int, int]) -> list[bool]:
    """Of each column of a part, whether it differs from the one before, as those of a text do; a
    rule across the part does not."""
    part = page.crop(area).convert("L")
    if min(part.size) < 1:
        return []
    before = ImageChops.offset(part, 1, 0)
    changes = ImageChops.difference(part, before).point(lambda level: 255 * (level > FAINT))
    summed = changes.resize((part.width, 1), Image.Resampling.BOX)
    return [False, *(level > 0 for level in summed.tobytes()[1:])]
