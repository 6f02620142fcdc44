"""Helpers for the error messages of this package: quoting values and suggesting known names."""

from __future__ import annotations

import json
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

MAX_QUOTED_CHARACTERS = 60


def quote_value(value: Any) -> str:
    """Return the value as JSON on one line, cut at 60 characters."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    if len(text) > MAX_QUOTED_CHARACTERS:
        text = text[: MAX_QUOTED_CHARACTERS - 1] + "…"
    # json.dumps does not escape U+2028 or control characters above 0x7e; a terminal obeys them.
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def printable_name(name: str) -> str:
    """Return a name from a file, such as a column name, as it may appear in a one-line message."""
    return quote_value(" ".join(name.split()))[1:-1].replace('\\"', '"')


def suggest_name(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean "x"?`` for the most similar known word, or an empty string.

    Upper and lower case are not distinguished.
    """
    folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    return f"; did you mean {quote_value(folded[close[0]])}?" if close else ""
