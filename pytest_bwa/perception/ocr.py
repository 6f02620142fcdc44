"""Reading the text of a picture without a model: Tesseract, where it is installed (F-30)."""

from __future__ import annotations

import importlib.util
import io
import shutil
from collections.abc import Callable

SECONDS = 30
GET = "pip install 'pytest-bwa[ocr]' and Debian's tesseract-ocr"


def problem() -> str:
    """What keeps pages from being read by OCR, or empty."""
    missing = [name for name in ("pytesseract", "PIL") if importlib.util.find_spec(name) is None]
    if missing:
        return f"{' and '.join(missing)} not installed: {GET}"
    if shutil.which("tesseract") is None:
        return f"tesseract is not on PATH: {GET}"
    return ""


def reader() -> Callable[[bytes], str] | None:
    """A function from a PNG to its text, empty where it cannot be read; None where there is no
    OCR on this machine."""
    return None if problem() else _text


def _text(png: bytes) -> str:
    # An optional extra: imported where it is known to be there.
    import pytesseract
    from PIL import Image

    try:
        return str(
            pytesseract.image_to_string(Image.open(io.BytesIO(png)), timeout=SECONDS)
        ).strip()
    except (pytesseract.TesseractError, RuntimeError, OSError):  # it gave up, or took too long
        return ""
