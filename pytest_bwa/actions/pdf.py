"""PDF files as pages of text: a browser shows them in a viewer that nobody can read from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from io import SEEK_END, BytesIO
from pathlib import Path

MAX_PAGES = 100
_COLUMN_GAP = re.compile(r" {3,}")
_NO_PDF = "it is a PDF that cannot be read"
_START, _END = b"%PDF-", b"%%EOF"
_END_WITHIN = 2048
"""Bytes at the end of a file, of which the last ones may be no part of the PDF."""
_LINEARIZED = re.compile(rb"/Linearized\b[^>]*?/L (\d+)")
"""How many bytes a PDF has that was made to be shown before all of it has come."""
_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError, OSError)


def is_pdf(data: bytes) -> bool:
    return _START in data[:1024]


def pdf_fault(path: Path) -> str:
    """Why a file that begins as a PDF is none that can be used. One with a password is whole."""
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    with path.open("rb") as stream:
        head, size = stream.read(1024), stream.seek(0, SEEK_END)
        stream.seek(max(0, size - _END_WITHIN))
        has_end = _END in stream.read()
    announced = _LINEARIZED.search(head)
    if not has_end or (announced and int(announced[1]) > size):
        return f"{_NO_PDF}: it breaks off"
    try:
        reader = PdfReader(path)
        return "" if reader.is_encrypted or len(reader.pages) else f"{_NO_PDF}: it has no pages"
    except DependencyError:  # it has a password of a kind that is not read here
        return ""
    except (*_UNREADABLE, PyPdfError):
        return f"{_NO_PDF}: it is damaged"


def pdf_as_html(data: bytes, name: str) -> tuple[str, int] | None:
    """The text as a web page, and how many pages the file has; None if it is no PDF that can be
    read without a password."""
    # Imported here, because few samples open a PDF and pypdf takes time at every start of pytest.
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(BytesIO(data))
        total = len(reader.pages)
        texts = [reader.pages[n].extract_text() or "" for n in range(min(total, MAX_PAGES))]
    except (*_UNREADABLE, PyPdfError):
        return None
    cut = (
        f"<p>Only the first {MAX_PAGES} of {total} pages are shown.</p>"
        if total > MAX_PAGES
        else ""
    )
    body = "".join(_sections(texts))
    title = escape(name)
    html = f"<!doctype html><meta charset=utf-8><title>{title}</title><main><h1>{title}</h1>"
    return f"{html}{cut}{body}</main>", total


def _sections(texts: list[str]) -> Iterator[str]:
    """One section for each page. Columns stay apart: two values of one line are not one value."""
    for number, text in enumerate(texts, 1):
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        rows = "".join(f"<p>{'</p><p>'.join(_columns(line))}</p>" for line in lines)
        empty = "" if lines else "<p>This page has no text: it may be a scanned picture.</p>"
        yield f"<section><h2>Page {number}</h2>{rows}{empty}</section>"


def _columns(line: str) -> list[str]:
    return [escape(part) for part in _COLUMN_GAP.split(line)]
