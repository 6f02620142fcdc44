"""What a date or a time says under its number format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from pytest_bwa.spec.table.workbook.format_code import Section, Token, Unclear

_LONGEST = {"y": 4, "m": 2, "d": 2, "h": 2, "n": 2, "s": 2}
"""Longer codes are names, in the language of the computer."""


def date_text(section: Section, moment: datetime | date | time, length: timedelta) -> str:
    """A full date or a time of day in ISO form; of anything else, the numbers that are shown.
    ``length`` is the value as a duration. Raises Unclear."""
    if length < timedelta():
        raise Unclear("it is that of a date, and the number is negative")
    tokens = _with_minutes([t for t in section.tokens if t.kind != "literal" or t.text])
    if rest := section.kinds - {"literal", "date", "elapsed", "half", "digit", "point", "slash"}:
        raise Unclear(f"it has a date beside {'a text' if 'text' in rest else 'a number'}")
    codes = [token for token in tokens if token.kind == "date"]
    parts = {token.text[0] for token in codes}
    clock = _rounded(length, tokens)
    if _is_only_a_date(tokens) and {"y", "m", "d"} <= parts:
        if length < timedelta(days=1) or not isinstance(moment, datetime):
            raise Unclear("it is that of a date, and the number is none")
        return _iso(moment.date(), clock, parts)
    if _is_only_a_date(tokens) and "h" in parts <= {"h", "n", "s"}:
        return _clock_iso(clock, parts)
    return _as_numbers(tokens, moment, clock, length)


def _with_minutes(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, where ``n`` is what an ``m`` beside hours or seconds is: minutes."""
    places = [n for n, token in enumerate(tokens) if token.kind in {"date", "elapsed"}]
    changed = list(tokens)
    for before, place, after in zip([None, *places], places, [*places[1:], None], strict=False):
        token = tokens[place]
        beside = (tokens[before].text[0] if before is not None else "") == "h" or (
            (tokens[after].text[0] if after is not None else "") == "s"
        )
        if token.text[0] == "m" and len(token.text) < 3 and (beside or token.kind == "elapsed"):
            changed[place] = Token(token.kind, "n" * len(token.text))
    return changed


def _is_only_a_date(tokens: Sequence[Token]) -> bool:
    """Whether nothing but what belongs to a date is shown: no prefix, no run of digits."""
    if any(token.kind in {"elapsed", "digit"} for token in tokens):
        return False
    if any(a.kind == b.kind == "date" for a, b in pairwise(tokens)):
        return False
    first, last = tokens[0], tokens[-1]
    return not any(
        token.kind == "literal" and re.search(r"[0-9A-Za-z]", token.text) for token in (first, last)
    )


def _rounded(length: timedelta, tokens: Sequence[Token]) -> timedelta:
    """To the second, or to the parts of one that are shown."""
    decimals = sum(token.kind == "digit" for token in tokens)
    unit = timedelta(microseconds=10 ** (6 - min(decimals, 6)))
    return unit * round(length / unit)


def _iso(day: date, clock: timedelta, parts: set[str]) -> str:
    rest = clock % timedelta(days=1)
    if "h" not in parts or not rest:
        return day.isoformat()
    return f"{day.isoformat()}T{_clock_iso(clock, parts)}"


def _clock_iso(clock: timedelta, parts: set[str]) -> str:
    moment = (datetime.min + clock % timedelta(days=1)).time()
    unit = "seconds" if "s" in parts else "minutes" if "n" in parts else "hours"
    return moment.isoformat(unit)


def _as_numbers(
    tokens: Sequence[Token], moment: datetime | date | time, clock: timedelta, length: timedelta
) -> str:
    if any(token.kind == "half" for token in tokens):
        raise Unclear("it shows a part of a date and a time of day")
    codes = [token.text for token in tokens if token.kind == "date"]
    if any(len(code) > _LONGEST[code[0]] for code in codes):
        raise Unclear("it shows a part of a date in words, which depend on the computer")
    needs_date = any(code[0] in "ymd" for code in codes)
    if needs_date and (length < timedelta(days=1) or not isinstance(moment, datetime)):
        raise Unclear("it is that of a date, and the number is none")
    return "".join(_part(token, moment, clock) for token in _seconds_joined(tokens)).strip()


def _seconds_joined(tokens: Sequence[Token]) -> list[Token]:
    """With the parts of a second in one token with their seconds: ``ss.00``."""
    joined: list[Token] = []
    for token in tokens:
        if token.kind == "slash":
            joined.append(Token("literal", "/"))
        elif token.kind in {"point", "digit"} and joined and joined[-1].text[:1] == "s":
            joined[-1] = Token(joined[-1].kind, joined[-1].text + token.text)
        elif token.kind == "digit":
            raise Unclear("it has digits beside a date")
        else:
            joined.append(Token("literal", ".") if token.kind == "point" else token)
    return joined


def _part(token: Token, moment: datetime | date | time, clock: timedelta) -> str:
    if token.kind == "literal":
        return token.text
    code, _, fraction = token.text.partition(".")
    seconds = int(clock / timedelta(seconds=1))
    if token.kind == "elapsed":
        number = seconds // {"h": 3600, "n": 60, "s": 1}[code[0]]
    elif code[0] in "ymd":
        assert isinstance(moment, datetime)
        year = f"{moment.year:04d}"[-2:] if len(code) < 3 else f"{moment.year:04d}"
        if code[0] == "y":
            return year
        number = moment.month if code[0] == "m" else moment.day
    else:
        of_day = seconds % 86400
        number = {"h": of_day // 3600, "n": of_day // 60 % 60, "s": of_day % 60}[code[0]]
    parts = f"{clock / timedelta(seconds=1) % 1:.{len(fraction)}f}"[1:] if fraction else ""
    return f"{number:0{len(code)}d}{parts}"
