"""How the messages of this room quote what they found, and suggest what was meant."""

from __future__ import annotations

import json
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

QUOTED_CHARACTERS = 60


def quoted(value: Any) -> str:
    """The value as JSON on one line, cut at 60 characters."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    if len(text) > QUOTED_CHARACTERS:
        text = text[: QUOTED_CHARACTERS - 1] + "…"
    # JSON leaves U+2028 and escape sequences above 0x7e as they are; a terminal acts on them.
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def shown(name: str) -> str:
    """A name from a file, such as a column's, fit to stand in a message of one line."""
    return quoted(" ".join(name.split()))[1:-1].replace('\\"', '"')


def nearest(word: str, known: Iterable[str]) -> str:
    """``; did you mean "x"?`` for the known word most like it, whatever its case, or empty."""
    folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    return f"; did you mean {quoted(folded[close[0]])}?" if close else ""
