"""Whether a file is whole that begins as its type does."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

PACKED: dict[str, Callable[[Path], Any]] = {
    "gz": gzip.open, "bz2": bz2.open, "xz": lzma.open,
}  # fmt: skip
PICTURES = frozenset({"png", "jpg", "gif", "bmp", "tif", "webp"})
ZIPPED = {
    "zip": "", "jar": "", "kmz": "", "docx": "word/", "docm": "word/", "dotx": "word/",
    "xlsx": "xl/", "xlsm": "xl/", "xltx": "xl/", "xlsb": "xl/", "pptx": "ppt/", "pptm": "ppt/",
    "odt": "content.xml", "ods": "content.xml", "odp": "content.xml", "epub": "meta-inf/",
}  # fmt: skip
"""The endings of what is a ZIP archive, each with how the name of one of its files begins."""
_ERRORS = (
    OSError, EOFError, ValueError, SyntaxError, zlib.error, lzma.LZMAError, tarfile.TarError,
    zipfile.BadZipFile,
)  # fmt: skip


def damage(path: Path, ending: str, max_unpacked: int) -> str:
    """What is missing or broken; empty for a type of which nobody here knows more than its
    beginning. At most so many bytes are unpacked."""
    try:
        if ending in ZIPPED:
            return _zip_fault(path, ending, max_unpacked)
        if ending in PICTURES:
            _load_picture(path)
        elif ending in PACKED:
            _unpack(path, PACKED[ending], max_unpacked)
        elif ending == "tar":
            with tarfile.open(path) as archive:
                archive.getmembers()
    except _ERRORS:
        return "it is damaged, or breaks off"
    return ""


def _zip_fault(path: Path, ending: str, max_unpacked: int) -> str:
    with zipfile.ZipFile(path) as archive:
        names = [name.replace("\\", "/").lower() for name in archive.namelist()]
        if ZIPPED[ending] and not any(name.startswith(ZIPPED[ending]) for name in names):
            return f"it is a ZIP archive, but no {ending.upper()}"
        if sum(info.file_size for info in archive.infolist()) > max_unpacked:
            return ""
        try:
            broken = archive.testzip()
        except (RuntimeError, NotImplementedError):  # a password, or a rare way of packing
            return ""
    return f"it is damaged ({broken})" if broken else ""


def _load_picture(path: Path) -> None:
    from PIL import Image  # takes long to load: few samples download a picture

    try:
        with Image.open(path) as picture:
            picture.load()
    except Image.DecompressionBombError:  # larger than Pillow reads
        return


def _unpack(path: Path, opened: Callable[[Path], Any], max_unpacked: int) -> None:
    with opened(path) as stream:
        left = max_unpacked
        while left > 0 and (block := stream.read(1 << 20)):
            left -= len(block)
