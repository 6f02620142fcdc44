"""Finds a value in a text that was observed: whole tokens, never a part of one. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pytest_bwa.spec.notation.numbers import currencies_in
from pytest_bwa.steps.text import MARKS

# Scripts without spaces between words: there, every character is a token.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_RAISED = "²³¹⁰⁴-⁹"  # footnotes and exponents are no part of a word or number
_LETTER = rf"(?:[^\W_]|[{MARKS}])"
_TOKEN = re.compile(
    rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}{_RAISED}]){_LETTER})+(?:['’](?:(?!\d){_LETTER})+)*"
)
_UNSPACED_CHARACTER = re.compile(rf"[{_UNSPACED}]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_BEFORE_NUMBER = re.compile(r"\d[.,:/'’]$|(?:^|[\s(])[-−–]$")
_MORE_OF_ADDRESS = re.compile(r"[/?&=#%@._-]\w")
_MORE_OF_CODE = re.compile(r"[-_./]\d|[-_]\w")  # AX-77120 goes on in AX-77120-9 and AX-77120-B
_VERSION = re.compile(r"\d+(?:\.\d+){2,}")  # 2.4.1 goes on in 2.4.1-rc2
_SIGNS = ("-", "−", "–", "+")
_AFTER_NUMBER = re.compile(r"[.,:/'’]\d")
_THOUSANDS_BEFORE = re.compile(r"(?<![\d.,])\d{1,3}(?:[ \u202f]\d{3})*[ \u202f]$")
_THOUSANDS_AFTER = re.compile(r"[ \u202f]\d{3}(?!\d)")
GOES_ON = re.compile(r"\s*[\[(]?\s*(?:…|\.{3})")
"""What a page writes in place of the rest of a text: "…", " [...]", "… more"."""
_MINUS_APART = ("- ", "− ")
_CURRENCY_CHARACTERS = 4  # a code and a blank

TextRule = Literal["", "whitespace", "case", "punctuation"]
"""How a value differs from the text that it stands in; empty if it does not."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a number, in the form in which it is compared."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextMatch:
    """Where in a text a value stands."""

    start: int
    end: int
    rule: TextRule = ""


def clean(text: str) -> str:
    """Text on one line, composed, and without characters that nobody sees."""
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFC", text)).split())


def same_text(text: str) -> str:
    """A text in the form in which texts are compared."""
    return clean(text).casefold()


def tokens(text: str) -> list[Token]:
    """The words and numbers of a text, without regard to case and width."""
    return [Token(_form(m[0]), m.start(), m.end()) for m in _TOKEN.finditer(text)]


def _form(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold().replace("’", "'")


def words(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


def weight(text: str) -> int:
    """The length of a text; a character of a script without spaces says as much as two letters."""
    return len(text) + len(_UNSPACED_CHARACTER.findall(text))


def matches(value: str, text: str) -> Iterator[TextMatch]:
    """Every place in a clean text where the value stands as whole tokens."""
    wanted, line = tokens(clean(value)), clean(value)
    if not wanted:
        if line and line == text:
            yield TextMatch(0, len(text))
        return
    found = tokens(text)
    for at in range(len(found) - len(wanted) + 1):
        part = found[at : at + len(wanted)]
        if all(a.text == b.text for a, b in zip(part, wanted, strict=True)):
            match = _match(value, line, wanted, text, part)
            if match is not None:
                yield match


def _match(
    value: str, line: str, wanted: Sequence[Token], text: str, part: Sequence[Token]
) -> TextMatch | None:
    """The match of these tokens; None if they are only a part of a number or of a cut text."""
    lead, tail = wanted[0].start, len(line) - wanted[-1].end
    start, end = part[0].start, part[-1].end
    if text[max(0, start - lead) : start].casefold() == line[:lead].casefold():
        start -= min(lead, start)
    if text[end : end + tail].casefold() == line[len(line) - tail :].casefold():
        end += tail
    has_sign = wanted[0].text[0].isdigit() and line[lead - 1 : lead] in _SIGNS
    if has_sign and text[start] != line[0]:
        return None
    is_code = any(c.isalpha() for c in line) and line[-1:].isdigit()
    is_code |= _VERSION.fullmatch(line) is not None
    if is_code and _MORE_OF_CODE.match(text, end):
        return None
    if has_other_currency(line, text, start, end) or _is_other_case(line, wanted, text, part):
        return None
    if "://" in line and _MORE_OF_ADDRESS.match(text, end):
        return None
    if _is_part(text, start, end) or not _same_marks(line, wanted, text, part):
        return None
    here = text[start:end]
    if here == value:
        return TextMatch(start, end)
    if here == line:
        return TextMatch(start, end, "whitespace")
    return TextMatch(start, end, "case" if here.casefold() == line.casefold() else "punctuation")


def _is_other_case(line: str, wanted: Sequence[Token], text: str, part: Sequence[Token]) -> bool:
    """Whether a code of the text, such as aB3x, has other capital letters: there they count."""
    pairs = (
        (line[a.start : a.end], text[b.start : b.end]) for a, b in zip(wanted, part, strict=True)
    )
    return any(
        ours != theirs
        and any(character.isdigit() for character in theirs)
        and theirs not in (theirs.lower(), theirs.upper(), theirs.capitalize())
        for ours, theirs in pairs
    )


def has_other_currency(value: str, text: str, start: int, end: int) -> bool:
    """Whether a value and the text at this place have signs or codes of different currencies."""
    if not (own := _currencies(value)):
        return False
    there = _currencies(with_currency(text, start, end))
    return bool(there) and not own & there


def with_currency(text: str, start: int, end: int) -> str:
    """A number of a text with what may be its currency."""
    return text[max(0, start - _CURRENCY_CHARACTERS) : end + _CURRENCY_CHARACTERS]


def _currencies(text: str) -> set[str]:
    return currencies_in(text) | {c for c in text if unicodedata.category(c) == "Sc"}


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether the text goes on where the match ends: a longer number, or a text that was cut."""
    if GOES_ON.match(text, end) or text[start - 1 : start] == "…":
        return True
    if text[start].isdigit() and _BEFORE_NUMBER.search(text[max(0, start - 3) : start]):
        return True
    if text[start].isdigit() and text[:start] in _MINUS_APART:
        return True
    if text[start:end].isdecimal() and _is_group_of_thousands(text, start, end):
        return True
    return text[end - 1].isdigit() and bool(_AFTER_NUMBER.match(text, end))


def _is_group_of_thousands(text: str, start: int, end: int) -> bool:
    """Whether digits are a part of a number such as 12 500, which has blanks between thousands."""
    is_last = end - start == 3 and _THOUSANDS_BEFORE.search(text[:start])
    return bool(is_last) or (end - start <= 3 and bool(_THOUSANDS_AFTER.match(text, end)))


def _same_marks(line: str, wanted: Sequence[Token], text: str, part: Sequence[Token]) -> bool:
    """Whether what stands between digits is the same: 1.5 is not 1,5, and 1-2 not 1 2."""
    for (a, b), (c, d) in zip(pairwise(wanted), pairwise(part), strict=True):
        if not (a.text[-1].isdigit() and b.text[0].isdigit()):
            continue
        if line[a.end : b.start] != text[c.end : d.start]:
            return False
    return True
