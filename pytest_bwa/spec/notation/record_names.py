"""Names of records: which of them tell records of one kind apart, such as NET-204 and NET-197, and
which texts are a name."""

from __future__ import annotations

import re
from collections.abc import Callable

_TITLE_MARKS = re.compile(r"\s[-–—|·•:]\s|[|·•:(\[]\s*")
_EDGES = " #[](){}:,.;\"'“”„«»"
LONG_NUMBER = 5
"""Digits of a number that is hardly a year or a count."""


def tells_its_kind(name: str) -> bool:
    """Whether other names are recognised by this one: letters and a number, or a long number."""
    is_lettered = any(c.isalpha() for c in name) and any(c.isdigit() for c in name)
    return is_lettered or (name.isdecimal() and len(name) >= LONG_NUMBER)


def names_alike(name: str) -> re.Pattern[str]:
    """Finds names with other numbers in the same places, however they are divided: FV/2026/0418 for
    FV-2026-0422."""
    digits = rf"\d{{{len(name)}}}" if name.isdecimal() else r"\d+"
    parts = re.findall(r"\d+|[^\W\d_]+|[\W_]+", name)
    forms = (
        digits if p.isdecimal() else re.escape(p) if p.isalpha() else r"[\W_]{1,3}" for p in parts
    )
    return re.compile(rf"(?<![\w-]){''.join(forms)}(?![\w-])", re.I)


def goes_on(text: str) -> bool:
    """Whether a text says something else behind a mark, as "Ada Quist · Controller" does."""
    return _TITLE_MARKS.search(text.strip(_EDGES)) is not None


def is_called(text: str, name: str, is_kind: Callable[[str], bool] = str.isalpha) -> bool:
    """Whether a text is this name, or begins with it and goes on after a mark: "Ada Quist ·
    Controller", "BUG-7 Slow search", "Ticket BUG-7: Slow search"; never "Ada Quistgaard".

    ``is_kind`` tells whether the one word before a number is what the record is: "Ticket BUG-7" is
    one, "Fixes BUG-7" is another record's name.
    """
    text = " ".join(text.split())
    if name in (text, text.strip(_EDGES), _TITLE_MARKS.split(text)[0].strip(_EDGES)):
        return True
    if " " in name or not any(c.isdigit() for c in name):
        return False
    words, kind = (
        [word for one in part.split(" ") if (word := one.strip(_EDGES))]
        for part in (text, _TITLE_MARKS.split(text)[0].strip(_EDGES))
    )
    is_behind_kind = len(kind) == 2 and kind[1] == name and is_kind(kind[0])
    return is_behind_kind or (len(words) > 1 and words[0] == name)
