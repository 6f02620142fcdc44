"""The general part of an error's text: only our own words, never a page's."""

from __future__ import annotations

import re

MIN_WORDS, MAX_WORDS = 3, 10
_ADDRESS = re.compile(r"\b\w+://\S*")
# From the first quote to the last, so that a name with quotes in it leaves nothing behind.
_QUOTED = re.compile(r"[\"“”„«»](?:.*[\"“”„«»])?", re.S)
# Only where brackets cannot be a half of those around a page's text: numbers, begin and end.
_BRACKETED = re.compile(r"\[\d+\]|^\s*\(.*\)|\([^()]*\)\s*$", re.S)
_PLAIN_WORDS = re.compile(r"[a-z' -]+")


def error_pattern(error: str) -> str:
    """The clause of an error that does not depend on the page, such as ``is not a text field``;
    empty if too little is left to recognize the error by.

    Errors quote everything that comes from a page. So the clause is what stands before the first
    quote or after the last one, without addresses, numbers and brackets.
    """
    clauses = [_clause(part) for part in _QUOTED.split(error)]
    return max(clauses, key=lambda clause: len(clause.split()), default="")


def _clause(text: str) -> str:
    """The first clause of a text; empty if it has anything but a few plain words."""
    text = _BRACKETED.sub(" ", text)
    if re.search(r"[()\[\]]", text):  # what stood in these brackets is cut in two by a quote
        return ""
    clause = re.split(r"[:;\n]", _ADDRESS.sub(" ", text).strip(" ,;:.…—-"))[0]
    words = re.sub(r"\w*\d\w*|[,.]", " ", clause).lower().split()
    line = " ".join(words)
    return line if MIN_WORDS <= len(words) <= MAX_WORDS and _PLAIN_WORDS.fullmatch(line) else ""
