"""Number formats of Excel, taken apart (ECMA-376, part 1, 18.8.31). A code that is not understood
is never guessed at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

MOST_SECTIONS = 4
_COLOURS = re.compile(r"(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)", re.I)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_CURRENCY = re.compile(r"\$([^-]*)(?:-([0-9a-fA-F]+|x-\w+))?(?:,\d+)?")
_SYSTEM_FORMATS = {"f800": "yyyy-mm-dd", "x-sysdate": "yyyy-mm-dd", "f400": "h:mm:ss"}
"""Codes for “as this computer writes a date” and “a time”, and what they show in any language."""
_TOKEN = re.compile(
    r"""
      "(?P<quoted>[^"]*)" | \\(?P<escaped>.) | (?P<blank>_.) | \*(?P<fill>.)
    | \[(?P<elapsed>h+|m+|s+)\] | \[(?P<bracket>[^\]]*)\]
    | (?P<general>general) | (?P<half>am/pm|a/p) | (?P<exponent>e[+-])
    | (?P<date>y+|m+|d+|h+|s+) | (?P<digit>[0\#?]) | (?P<point>\.) | (?P<comma>,)
    | (?P<percent>%) | (?P<text>@) | (?P<end>;) | (?P<slash>/)
    | (?P<plain>[-+$():!^&'~{}<>=1-9\s]|[^\x00-\x7f])
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


class Unclear(Exception):
    """What Excel shows is not certain; the message says why."""


@dataclass(frozen=True, slots=True)
class Token:
    """One part of a section. ``literal`` is shown as it is; the other kinds are those of the
    pattern above."""

    kind: str
    text: str


@dataclass(frozen=True)
class Section:
    """What is between two semicolons."""

    tokens: tuple[Token, ...]
    condition: tuple[str, str] | None = None
    """The comparison and the number of ``[<=100]``."""

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(token.kind for token in self.tokens)

    @property
    def is_date(self) -> bool:
        return bool(self.kinds & {"date", "elapsed"})


@lru_cache(maxsize=256)
def parsed(code: str) -> tuple[Section, ...]:
    """The sections of a number format. Raises Unclear."""
    sections: list[list[re.Match[str]]] = [[]]
    place = 0
    while place < len(code):
        found = _TOKEN.match(code, place)
        if found is None:
            raise Unclear(f"“{code[place]}” in it is not understood")
        place = found.end()
        if found.lastgroup == "end":
            sections.append([])
        else:
            sections[-1].append(found)
    if len(sections) > MOST_SECTIONS:
        raise Unclear(f"it has more than {MOST_SECTIONS} parts")
    return tuple(map(_section, sections))


def _section(matches: list[re.Match[str]]) -> Section:
    tokens: list[Token] = []
    condition: tuple[str, str] | None = None
    for match in matches:
        kind, text = str(match.lastgroup), match[str(match.lastgroup)]
        if kind == "bracket" and (compared := _CONDITION.fullmatch(text)):
            condition = (compared[1], compared[2])
        elif kind == "bracket" and (code := _system_format(text)):
            return parsed(code)[0]
        else:
            tokens.append(_token(kind, text))
    return Section(tuple(tokens), condition)


def _token(kind: str, text: str) -> Token:
    match kind:
        case "quoted" | "escaped" | "plain":
            return Token("literal", text)
        case "blank":  # as wide as the character that follows
            return Token("literal", " ")
        case "fill" if text == " ":
            return Token("literal", "")
        case "fill":
            raise Unclear(f"“*{text}” fills the width of the column")
        case "bracket":
            return Token("literal", _bracket(text))
    return Token(kind, text.lower())


def _system_format(bracket: str) -> str:
    currency = _CURRENCY.fullmatch(bracket)
    return _SYSTEM_FORMATS.get((currency[2] or "").lower(), "") if currency else ""


def _bracket(text: str) -> str:
    """What the brackets show: the symbol of a currency, or nothing."""
    if _COLOURS.fullmatch(text):
        return ""
    currency = _CURRENCY.fullmatch(text)
    if currency is None:
        raise Unclear(f"“[{text}]” in it is not understood")
    # The digits above the language choose other numerals, or another calendar.
    if (language := currency[2]) and (language.startswith("x-") or int(language, 16) > 0xFFFF):
        raise Unclear(f"“[{text}]” stands for other digits, or another calendar")
    return currency[1]
