"""The general part of an error's text: only our own words, never a page's."""

from __future__ import annotations

import re

MIN_WORDS, MAX_WORDS = 3, 10
_ADDRESS = re.compile(r"\b\w+://\S*")
# From the first quote to the last, so that a name with quotes in it leaves nothing behind.
_QUOTED = re.compile(r"[\"“”„«»](?:.*[\"“”„«»])?", re.S)
_BRACKETED = re.compile(r"\(.*\)|\[.*\]", re.S)
_CLAUSE_END = re.compile(r"[:;\n(\[]")
_PLAIN_CLAUSE = re.compile(r"[a-z]+(?:['-][a-z]+)*(?: [a-z]+(?:['-][a-z]+)*)*")


def error_pattern(error: str) -> str:
    """The clause of an error that does not depend on the page, such as ``is not a text field``;
    empty if too little is left to recognize the error by.

    Errors quote everything that comes from a page. So the clause is what stands before the first
    quote or after the last one, without addresses, numbers and brackets.
    """
    text = _BRACKETED.sub(" ", _ADDRESS.sub(" ", error))
    clauses = [_clause(part) for part in _QUOTED.split(text)]
    return max(clauses, key=lambda clause: len(clause.split()), default="")


def _clause(text: str) -> str:
    """The first clause of a text; empty if it has anything but a few plain words."""
    clause = _CLAUSE_END.split(text.strip(" ,;:.…—-"))[0]
    line = " ".join(re.sub(r"\d+", " ", clause.replace(",", " ")).split()).strip(" .").lower()
    is_plain = bool(_PLAIN_CLAUSE.fullmatch(line))
    return line if is_plain and MIN_WORDS <= len(line.split()) <= MAX_WORDS else ""
