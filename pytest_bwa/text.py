"""Small functions on text: one line of limited length, tags around a page's text, text that is safe
in a terminal, characters that can be encoded, and labels that can be compared."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

# Controls of C0 and C1, marks of direction, separators of lines, and halves of a surrogate pair,
# which no terminal's encoding can write.
_OBEYED = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LINE_BREAKS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")

FENCE = "untrusted"
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")


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


def label_key(text: str) -> str:
    """A screenshot's label or file name in the form in which labels are compared: letters and
    digits of any script in lower case, everything else as one underscore."""
    return re.sub(r"[\W_]+", "_", text.casefold()).strip("_")


def has_words(text: str, words: str) -> bool:
    """Whether a text has these words, whole and in this order; case and punctuation aside."""
    return f"_{label_key(words)}_" in f"_{label_key(text)}_"


def show_controls(text: str) -> str:
    r"""Text that a terminal shows but does not obey: each control character, ESC among them, and
    each character that changes the direction of the text is written as ``\x1b`` or ``\u202e``.

    Line breaks (\n) and tabs stay.
    """
    return _OBEYED.sub(lambda match: ascii(match[0])[1:-1], text)
