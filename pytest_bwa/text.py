"""Text on one line, and cut to a length."""

from __future__ import annotations

import re

_BREAKS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


def one_line(text: str, limit: int | None = None) -> str:
    """Text without line breaks (so that it cannot start a line with a heading of ours), cut to
    ``limit`` characters, which it then says."""
    line = _BREAKS.sub(" ", text)
    if limit is None or len(line) <= limit:
        return line
    return f"{line[:limit]}… ({len(line) - limit} more characters)"
