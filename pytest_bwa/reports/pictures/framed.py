"""Copies of pictures that stand alone: a strip above the page says what it is a picture of.

The picture itself stays as it was taken, with its hash.
"""

from __future__ import annotations

import io
import textwrap
import warnings
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from pytest_bwa.steps.artifacts import PICTURE_SUFFIX
from pytest_bwa.steps.step import Artifact

FRAMED = f".framed{PICTURE_SUFFIX}"
"""The end of the name of a framed copy: ``01_page.framed.png`` of ``01_page.png``."""
MAX_PIXELS = 40_000_000
"""A larger picture gets no copy: drawing it takes hundreds of megabytes."""
MIN_WIDTH = 480  # a narrower picture is framed with a margin beside it
FONT_SIZE, LINE, MARGIN = 13, 18, 8
PAPER, INK, EDGE = "#f4f4f1", "#1c1c1a", "#b9b9b2"
COMPRESSION = 1
"""zlib's fastest level: a copy takes a third of the time, and some more room on the disk."""


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


def framed(page: Image.Image, sample_id: str, artifact: Artifact) -> Image.Image:
    """The picture below a strip with its address, time, sample and SHA-256."""
    width = max(page.width, MIN_WIDTH)
    font = ImageFont.load_default(FONT_SIZE)
    lines = _wrapped(strip_lines(sample_id, artifact), width, font)
    strip = len(lines) * LINE + 2 * MARGIN
    copy = Image.new("RGB", (width, page.height + strip), PAPER)
    copy.paste(page, (0, strip))
    canvas = ImageDraw.Draw(copy)
    for number, line in enumerate(lines):
        canvas.text((MARGIN, MARGIN + number * LINE), line, fill=INK, font=font)
    canvas.line((0, strip - 1, width, strip - 1), fill=EDGE)
    return copy


def is_copy_of(copy: Path, picture: Path) -> bool:
    """Whether a framed copy shows a picture as it is, below its strip."""
    framed_page, page = open_picture(copy), open_picture(picture)
    if framed_page is None or page is None:
        return False
    top = framed_page.height - page.height
    below = framed_page.crop((0, top, page.width, framed_page.height))
    return top > 0 and below.tobytes() == page.tobytes()


def strip_lines(sample_id: str, artifact: Artifact) -> list[str]:
    """What the strip says. The font has Latin letters only, so others are written as escapes."""
    time = artifact.timestamp.replace("T", " ").removesuffix("Z")
    lines = [
        artifact.source_url,
        f"sample {sample_id} - {time} UTC - {artifact.filename}",
        f"SHA-256 of {artifact.filename}: {artifact.sha256}",
    ]
    return [line.encode("latin-1", "backslashreplace").decode("latin-1") for line in lines]


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
