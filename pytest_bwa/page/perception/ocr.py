"""Reads the text in a picture without a model, with Tesseract if it is installed."""

from __future__ import annotations

import importlib.util
import io
import shutil
from collections.abc import Callable

TIMEOUT_SECONDS = 30
INSTALL = "pip install 'pytest-bwa[ocr]' and Debian's tesseract-ocr"


def find_problem() -> str:
    """Why OCR is not available; empty if it is."""
    missing = [name for name in ("pytesseract", "PIL") if importlib.util.find_spec(name) is None]
    if missing:
        return f"{' and '.join(missing)} not installed: {INSTALL}"
    if shutil.which("tesseract") is None:
        return f"tesseract is not on PATH: {INSTALL}"
    return ""


def find_reader() -> Callable[[bytes], str] | None:
    """A function that returns the text in a PNG, or an empty string if it cannot be read; None if
    OCR is not available."""
    return None if find_problem() else _read_text


def _read_text(png: bytes) -> str:
    # Optional packages, imported only once it is known that they are installed.
    import pytesseract
    from PIL import Image

    try:
        return str(
            pytesseract.image_to_string(Image.open(io.BytesIO(png)), timeout=TIMEOUT_SECONDS)
        ).strip()
    except (pytesseract.TesseractError, RuntimeError, OSError):  # it failed or took too long
        return ""
