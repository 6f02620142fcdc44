"""The characters of a text as a person sees them, and the error of a text that is not certain."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pytest_bwa.spec.messages import quote_value

# Soft hyphens, spaces of no width, and marks of direction that frameworks set around a value. The
# joiners U+200C and U+200D are letters' business (Persian, emoji) and stay.
_INVISIBLE = frozenset("\u00ad\u200b\u200e\u200f\u061c\u2060\u2066\u2067\u2068\u2069\ufeff")
_SAME = {
    "−": "-", "－": "-", "﹣": "-", "‐": "-", "‑": "-", "，": ",", "．": ".", "：": ":", "／": "/",
    "’": "'", "＇": "'", "ʼ": "'", "％": "%", "٪": "%", "＄": "$", "（": "(", "）": ")",
    "\u2009": "\u202f",
}  # fmt: skip
_NARROW_SPACE = "\u202f"
_UNREADABLE = (
    (re.compile(r"[\u202a-\u202e]"), "changes the direction of its letters"),
    (re.compile(r"[\ufffd\ud800-\udfff]"), "contains a broken character"),
    (re.compile(r"[\ue000-\uf8ff]"), "contains a sign that only the site's own font knows"),
    (re.compile(r"[*•●∙▪■█]{3}|\b[Xx]{3,}[- ]"), "is masked"),
    (re.compile(r"(?:…|\.\.\.)(?: ?(?i:more|show more|read more|mehr|plus))?\s*$"), "is cut"),
    (
        re.compile(
            r"^\s*(?:\{\{[^{}]*\}\}|\{%[^{}]*%\}|<%[^<>]*%>|\$\{[^{}]*\}|\[object \w+\]"
            r"|%[A-Z_]+%|__\w+__|undefined|NaN|Invalid [Dd]ate)\s*$"
        ),
        "is what a page shows before or instead of a value",
    ),
)  # fmt: skip


class Uncertain(ValueError):
    """The text has no one reading of the wanted type; the message names the text and why."""

    def __init__(self, text: str, why: str, readings: Sequence[str] = ()) -> None:
        """``readings`` are the values that the text may be, if these are known."""
        self.readings, self.why = tuple(readings), why
        super().__init__(f"{quote_value(text)} {why}")


def check_readable(text: str) -> None:
    """Raise Uncertain for a text that cannot be the value itself, whatever its type."""
    for pattern, why in _UNREADABLE:
        if pattern.search(text):
            raise Uncertain(text, why)


def visible(text: str) -> str:
    """The text without the characters that nobody sees."""
    return "".join(character for character in text if character not in _INVISIBLE)


def plain(text: str) -> tuple[str, list[int]]:
    """The text with one form for each digit, mark and space, and where each character was.

    Narrow spaces, which stand inside numbers only, stay apart from the others; what ends a line or
    a cell becomes a line break. The list has the end of the text as its last entry.
    """
    characters, positions = [], []
    for position, character in enumerate(text):
        if character in _INVISIBLE:
            continue
        characters.append(_plain_character(character))
        positions.append(position)
    return "".join(characters), [*positions, len(text)]


def _plain_character(character: str) -> str:
    if character.isspace() and unicodedata.category(character) != "Zs":
        return "\n"
    if character.isascii():
        return character
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    character = _SAME.get(character, character)
    return " " if character.isspace() and character != _NARROW_SPACE else character
