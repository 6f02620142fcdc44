"""Small functions on text: one line of limited length, and labels that can be compared."""

from __future__ import annotations

import re

_LINE_BREAKS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


def one_line(text: str, limit: int | None = None) -> str:
    """Text without line breaks, so that it cannot start a new line with one of our headings.

    Longer text is cut to ``limit`` characters, followed by how many were left out.
    """
    line = _LINE_BREAKS.sub(" ", text)
    if limit is None or len(line) <= limit:
        return line
    return f"{line[:limit]}… ({len(line) - limit} more characters)"


def label_key(text: str) -> str:
    """A screenshot's label or file name in the form in which labels are compared: letters and
    digits of any script in lower case, everything else as one underscore."""
    return re.sub(r"[\W_]+", "_", text.casefold()).strip("_")
