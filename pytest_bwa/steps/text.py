"""Small functions on text: one line of limited length, tags around a page's text, text that is safe
in a terminal, what a page wrote without what nobody sees, labels that can be compared, short
addresses, and lists of names."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit

CELLS = " | "
"""What stands between the cells of a row where a text has them all."""
_BAR = re.compile(r"(?<!\S)\|(?!\S)")
# Controls of C0 and C1, marks of direction, separators of lines, and halves of a surrogate pair,
# which no terminal's encoding can write.
_OBEYED = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LINE_BREAKS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")

MARKS = (
    r"\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    r"\u0711\u0730-\u074a\u07a6-\u07b0"
    r"\u0900-\u0963\u0966-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    r"\u0f71-\u0f84\u0f8d-\u0fbc\u102b-\u103e\u17b4-\u17d3"
)
"""Signs that belong to the letter before them, as a part of a class of a pattern: Python takes the
vowels of Indic scripts and of Thai for punctuation."""
_BETWEEN_WORDS = re.compile(rf"(?:(?![{MARKS}])[\W_])+")
FENCE = "untrusted"
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
_UNSEEN = re.compile(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
"""Unicode's property Default_Ignorable_Code_Point, which Python does not have, without the soft
hyphen; a test compares it with the browser's."""
_FLAG = re.compile(
    "(\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073)\U000e007f)"
)
"""The emoji that are written with tag characters: the flags of England, Scotland and Wales."""
_JOINERS = "\u180e\u200c\u200d"
_VIRAMA = 9
"""The combining class of the sign that joins two consonants of an Indic script."""


def one_line(text: str, limit: int | None = None) -> str:
    """Text without line breaks, so that it cannot start a new line with one of our headings.

    Longer text is cut to ``limit`` characters, followed by how many were left out; but nothing is
    left out that is shorter than these words.
    """
    line = _LINE_BREAKS.sub(" ", text)
    if limit is None or len(line) <= limit:
        return line
    cut = f"{line[:limit]}… ({len(line) - limit} more characters)"
    return cut if len(cut) < len(line) else line


def fence(lines: Sequence[str]) -> list[str]:
    """Page text between tags that no page can write: their name contains a hash of that text."""
    return enclose(lines, tag_of(lines))


def enclose(lines: Sequence[str], tag: str) -> list[str]:
    return [f"<{tag}>", *lines, f"</{tag}>"]


def tag_of(lines: Iterable[str]) -> str:
    """The name of one message's tags: nobody can write text that contains its own hash."""
    digest = hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{FENCE}-{digest[:16]}"


def whole_characters(text: str) -> str:
    """The text with U+FFFD for each half of a character (a lone surrogate). Pages may contain them,
    and they cannot be encoded."""
    return _HALF_CHARACTER.sub("\ufffd", text)


def visible_text(text: str) -> str:
    """What a page wrote as it is kept and sent: with whole characters, and without those that
    nobody sees (no width, tags, marks of direction), which could say something to a model only.

    Joiners and variation selectors stay where they change how a letter or an emoji is written.
    """
    text = whole_characters(text)
    if not has_unseen(text):
        return text
    parts = _FLAG.split(text)
    return "".join(part if n % 2 else _without_unseen(part) for n, part in enumerate(parts))


def has_unseen(text: str) -> bool:
    return not text.isascii() and _UNSEEN.search(text) is not None


def _without_unseen(text: str) -> str:
    kept = ""
    for character, following in zip(text, f"{text[1:]} ", strict=False):
        if not _UNSEEN.match(character) or _changes_writing(kept[-1:], character, following):
            kept += character
    return kept


def _changes_writing(before: str, character: str, following: str) -> bool:
    """Whether a character that is not seen itself changes how its neighbours are written."""
    if not before or before in _JOINERS:
        return False
    if character in _JOINERS:
        is_half = unicodedata.combining(before) == _VIRAMA
        return is_half or (_has_forms(before) and _has_forms(following))
    if unicodedata.category(character) != "Mn" or _UNSEEN.match(before):  # no variation selector
        return False
    return _has_forms(before) or (before in "0123456789#*" and following == "\u20e3")


def _has_forms(character: str) -> bool:
    """Whether it may be written in several forms: letters of scripts without capitals, the marks on
    them, and signs such as emoji."""
    if character.isascii() or character.upper() != character.lower():
        return False
    return unicodedata.category(character)[0] in "LMPS"


def label_key(text: str) -> str:
    """A label, name or short text in the form in which such are compared: letters and digits of any
    script in lower case, what stands between them as one underscore."""
    return _BETWEEN_WORDS.sub("_", text.casefold()).strip("_")


def folded(text: str) -> str:
    """For comparing texts: without differences of case and white space."""
    return " ".join(text.split()).casefold()


def has_words(text: str, words: str) -> bool:
    """Whether a text has these words, whole and in this order; case and punctuation aside. What has
    no letter or digit, such as an emoji, must be the text itself."""
    if not (key := label_key(words)):
        return text.strip() == words.strip()
    return f"_{key}_" in f"_{label_key(text)}_"


def whole_words(texts: Iterable[str], flags: int = 0) -> re.Pattern[str]:
    """Finds each of these texts where no word goes on around it, of several the longest; without
    any text, nothing."""
    longest_first = sorted(texts, key=len, reverse=True)
    pattern = "|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in longest_first)
    return re.compile(pattern or r"(?!)", flags)


def show_controls(text: str) -> str:
    r"""Text that a terminal shows but does not obey: each control character, ESC among them, and
    each character that changes the direction of the text is written as ``\x1b`` or ``\u202e``.

    Line breaks (\n) and tabs stay.
    """
    return _OBEYED.sub(lambda match: ascii(match[0])[1:-1], text)


def in_encoding(text: str, encoding: str | None) -> str:
    """Text with a question mark for each character that an encoding lacks; None is UTF-8."""
    name = encoding or "utf-8"
    return text.encode(name, "replace").decode(name)


def show_controls_in_json(line: str) -> str:
    r"""JSON in which the same characters are written as ``\u202e``, which means the same to whoever
    reads it."""
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", line)


def first_of(names: Sequence[str], most: int) -> str:
    """The first names of a list on one line, and how many more there are: ``a, b and 3 more``."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def continued(sentence: str, more: str) -> str:
    """What is said and what follows it in one sentence: ``opened a; saved b.png``."""
    own = sentence if sentence.endswith("..") else sentence.removesuffix(".")
    return f"{own}; {more}"


def dollars(amount: float | None) -> str:
    """US dollars, or "unknown"."""
    return "unknown" if amount is None else f"${amount:.4f}"


MAX_ADDRESS = 150
"""Characters up to which the prompt shows an address whole."""
CUT_ADDRESS = 100
MAX_PATH = 300  # characters of an address before its query, which may be what is asked for


def short_address(url: str, page_url: str) -> str:
    """An address as the prompt shows it, its long query cut; empty if it leads nowhere."""
    address = _address_here(url, page_url)
    if len(address) <= MAX_ADDRESS:
        return address
    path = re.split(r"[?#]", address, maxsplit=1)[0]
    return one_line(address, max(CUT_ADDRESS, min(len(path), MAX_PATH)))


def _address_here(url: str, page_url: str) -> str:
    """Without the host of the page that it stands on."""
    try:
        address, page = urlsplit(url), urlsplit(page_url)
    except ValueError:  # a page may call anything an address
        return url
    if address.scheme == "javascript" or (url.endswith("#") and not address.fragment):
        return ""
    if not address.netloc or address[:2] != page[:2]:
        return url
    is_here = address.fragment and address[:4] == page[:4]
    if is_here:
        return f"#{address.fragment}"
    return urlunsplit(("", "", address.path or "/", address.query, address.fragment))


def cell_places(row: str) -> Iterator[tuple[int, str]]:
    """The cells of a row's text, also the empty ones, each with its place in it."""
    start = 0
    for end in (*(bar.start() for bar in _BAR.finditer(row)), len(row)):
        cell = row[start:end].lstrip()
        yield end - len(cell), cell.rstrip()
        start = end + 1


def cells_of(row: str) -> list[str]:
    return [cell for _, cell in cell_places(row)]


def column_at(row: str, start: int) -> int:
    """The number of the cell that a place in a row's text is in, from 0."""
    return sum(bar.start() < start for bar in _BAR.finditer(row))


def text_or_json(value: Any) -> str:
    """A text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
