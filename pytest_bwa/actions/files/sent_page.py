"""A page of text that a site sent in place of a file, and what it says."""

from __future__ import annotations

import codecs
import re
from html.parser import HTMLParser

from pytest_bwa.steps.text import one_line, visible_text

MAX_QUOTED = 120
"""Characters that are quoted of a page or of another text."""
_BEFORE = r"(?:\s|<!--.*?-->|<\?xml[^>]*\?>)*"
_DOCUMENT = re.compile(_BEFORE + r"<(?:!doctype\s+html\b|(?:\w+:)?html(?=[\s/>]))", re.I | re.S)
_FRAGMENT = re.compile(
    _BEFORE + r"<(?:head|body|title|meta|link|base|style|script|noscript|iframe|h[1-6]|p|br|hr|div|"
    r"span|main|section|article|header|nav|form|table|center|font|a|b|strong|em|i|img|ul|ol|dl|pre)"
    r"(?=[\s/>])",
    re.I | re.S,
)
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
"""What tells other bytes from the texts of older encodings."""
_UNREAD = frozenset({"script", "style", "template", "noscript", "svg", "title"})
_CONTROLS = frozenset({"form", "nav", "button", "select"})


def decoded(data: bytes) -> str | None:
    """The text of bytes, which may be cut within a character; None if they are no text."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data:
        return None
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return None if _CONTROL.search(data) else data.decode("latin-1")


def is_page(text: str, *, may_be_xml: bool = False) -> bool:
    """Whether a text begins as a web page does; as a whole one, if it may be other XML."""
    if _DOCUMENT.match(text):
        return True
    return not may_be_xml and _FRAGMENT.match(text) is not None


def quoted(text: str) -> str:
    """The beginning of a text in quotation marks, on one line."""
    words = " ".join(visible_text(one_line(text)).split())
    return f"“{words[:MAX_QUOTED].rstrip()}…”" if len(words) > MAX_QUOTED else f"“{words}”"


def quoted_page(html: str) -> str:
    """What a page says: its text without forms, else its title, else all of its text."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    parts = (reader.content, reader.title, reader.in_controls)
    words = (" ".join(" ".join(part).split()) for part in parts)
    return quoted(next(filter(None, words), ""))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.content: list[str] = []
        self.title: list[str] = []
        self.in_controls: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if "title" in self._open and "svg" not in self._open:
            self.title.append(data)
        elif not _UNREAD.intersection(self._open):
            is_control = _CONTROLS.intersection(self._open)
            (self.in_controls if is_control else self.content).append(data)
