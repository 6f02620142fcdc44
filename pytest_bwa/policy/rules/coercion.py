"""Text of a page to the types of output_schema. What is not certain stays unread."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Any

# One number and nothing that changes it: no "+", "~", "(", "of", second number, or letters glued
# to it in front (LED-77 is a name).
_NUMBER = re.compile(
    r"^(?:[#$€£¥]|(?:US|CA|AU)\$|[A-Z]{3} |[$€£]\s)?"
    r"([-−]?)((?:\d{1,3}(?:[,' \u00a0\u202f]\d{3})+|\d+)(?:\.\d+)?|\.\d+)"
    r"(?:(\s?[kKMB]|\s(?:thousand|million|billion|mn|bn))(?![\w])|\s?%|\s?[€£$])?"
    r"((?:\s[^\W\d_][^\d+]*)?)$"
)
# 25.000,00: with both marks in one number, the last is the decimal one.
_CONTINENTAL = re.compile(r"(?<![\d.,])\d{1,3}(?:[.' \u00a0\u202f]\d{3})+,\d{1,2}(?![\d.,])")
_SCALES = {
    "k": 1_000, "thousand": 1_000, "m": 1_000_000, "mn": 1_000_000, "million": 1_000_000,
    "b": 1_000_000_000, "bn": 1_000_000_000, "billion": 1_000_000_000,
}  # fmt: skip
# "1.2 Mio", "3 dozen", "5 or more": what follows changes the number.
_CHANGED = re.compile(
    r"\b(?:mio|mrd|mill?|dozen|hundred|lakh|crore|trillion|or (?:more|less|fewer)|to|of|half)\b",
    re.I,
)
_YES = frozenset({"yes", "true", "1", "checked", "on", "enabled", "✓", "✔", "✅"})
_NO = frozenset({"no", "false", "0", "unchecked", "off", "disabled", "✗", "✘", "❌"})
_NOTHING = re.compile(
    r"^\(?(?:[-–—]+|n/?a|none|null|nil|not (?:set|specified|provided|available|applicable)|unset)"
    r"\)?\.?$",
    re.I,
)
_VAGUE = re.compile(r"^(?:unknown|empty|tbd|tba|no [a-z ]{1,20}|never)$", re.I)
_DATES = (
    "%b %d %Y", "%B %d %Y", "%d %b %Y", "%d %B %Y", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y",
)  # fmt: skip
_SLASHED = re.compile(r"^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$")
_ISO = re.compile(r"^\d{4}-\d{2}-\d{2}(?:$|[T ]\d)")
_WEEKDAY = re.compile(
    r"^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s", re.I
)
_CLOCK = re.compile(
    r",?\s(?:at\s)?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?(?:\s(?:UTC|GMT|Z|[+-]\d{2}:?\d{2}))?$",
    re.I,
)


class Uncertain(ValueError):
    """The text has no one reading of the wanted type."""


def says_nothing(text: str, called: Iterable[str] = ()) -> bool:
    """The page says that there is no value: "—", "N/A", or, for a field ``called`` due date,
    "No due date". Other sentences with a no in front ("No findings") are answers."""
    plain = text.strip()
    negated = re.match(r"^no ([\w ]+?)(?: set| yet)?\.?$", plain, re.I)
    names = {word.casefold() for word in called} | {"value", "data", "date"}
    return bool(_NOTHING.match(plain)) or bool(
        negated and {_singular(w) for w in negated[1].casefold().split()} <= names
    )


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def coerce(
    text: str, kinds: frozenset[str], *, stamp: str | None = None, called: Iterable[str] = ()
) -> Any:
    """``text`` as the first of the kinds it fits; ``stamp`` is the machine-readable time beside
    it, ``called`` the words of the field. None only where the page says that there is nothing and
    null is allowed. Raises Uncertain.
    """
    folded = " ".join(text.split())
    if says_nothing(folded, called) or ("string" not in kinds and _VAGUE.match(folded)):
        if "null" in kinds:
            return None
        if "array" in kinds:
            return []
    readers: tuple[tuple[str, Callable[[str], Any]], ...] = (
        ("date", lambda t: _dated(t, stamp)),
        ("boolean", read_boolean),
        ("integer", read_integer),
        ("number", read_number),
    )
    for kind, read in readers:
        if kind in kinds:
            try:
                return read(folded)
            except Uncertain as why:
                if kinds <= {kind, "null"}:
                    raise why
    return _loose(folded, kinds)


def _loose(folded: str, kinds: frozenset[str]) -> Any:
    """The kinds that almost any text fits."""
    if "array" in kinds:
        return read_list(folded)
    if folded and ("string" in kinds or not kinds):
        if re.fullmatch(r"[-–—]+", folded):
            raise Uncertain(
                f'"{folded}" says that there is nothing, which the schema does not allow'
            )
        return folded
    raise Uncertain(f'"{folded[:60]}" is no {" or ".join(sorted(kinds - {"null"})) or "value"}')


def read_number(text: str) -> float | int:
    """231k, 1,234, 1.234,50, 1.2M, $12.50, 20%, "5 days". Not 1,5 (a decimal or a thousand?),
    500+, 3 of 5, 5m (minutes?) or LED-77."""
    plain = _CONTINENTAL.sub(lambda m: re.sub(r"[^\d,]", "", m[0]).replace(",", "."), text)
    match = _NUMBER.match(plain)
    if not match or _CHANGED.search(match[4]):
        raise Uncertain(f'"{text[:60]}" is no single number')
    value = float(re.sub(r"[^\d.]", "", match[2]))
    value *= _SCALES.get((match[3] or "").strip().lower(), 1) * (-1 if match[1] else 1)
    value = round(value, 6)
    return int(value) if value.is_integer() else value


def read_integer(text: str) -> int:
    value = read_number(text)
    if not isinstance(value, int):
        raise Uncertain(f'"{text[:60]}" is no whole number')
    return value


def read_boolean(text: str) -> bool:
    word = text.casefold().strip(" .")
    if word in _YES or word in _NO:
        return word in _YES
    raise Uncertain(f'"{text[:60]}" is neither yes nor no')


def _dated(text: str, stamp: str | None) -> str:
    """The machine's word first; a stamp that is no day (a duration, a year) leaves the text."""
    if stamp:
        try:
            return read_date(stamp)
        except Uncertain:
            return read_date(text)
    return read_date(text)


def read_date(text: str) -> str:
    """ISO 8601. 03/04/2026 could be two days and is refused; 25/12/2026 is one."""
    text = text.strip()
    if _ISO.match(text):
        return _valid(lambda: date.fromisoformat(text[:10]), text)
    bare = _CLOCK.sub("", _WEEKDAY.sub("", text))
    if slashed := _SLASHED.match(bare):
        return _slashed(int(slashed[1]), int(slashed[2]), int(slashed[3]), text)
    plain = re.sub(r"(\d)(?:st|nd|rd|th)\b", r"\1", bare).replace(",", " ").replace("-", " ")
    plain = re.sub(r"\bsept\b", "Sep", " ".join(plain.split()), flags=re.I)
    plain = re.sub(r"([A-Za-z]{3,})\.", r"\1", plain)
    for form in _DATES:
        try:
            return datetime.strptime(plain, form).date().isoformat()
        except ValueError:
            continue
    raise Uncertain(f'"{text[:60]}" is no date')


def _slashed(first: int, second: int, year: int, text: str) -> str:
    if first > 12 or first == second:
        return _valid(lambda: date(year, second, first), text)
    if second > 12:
        return _valid(lambda: date(year, first, second), text)
    raise Uncertain(f'"{text}" may be two days: which number is the month is unclear')


def _valid(read: Callable[[], date], text: str) -> str:
    try:
        return read().isoformat()
    except ValueError:
        raise Uncertain(f'"{text[:60]}" is no day of the calendar') from None


def read_list(text: str) -> list[str]:
    """Split where it is clearly a list of short items, at the strongest mark it has; else the one
    item. "Doe, John; Roe, Jane" is two people."""
    for mark in ("•", "·", ";", ","):
        parts = [part.strip() for part in text.split(mark)]
        parts = [part for part in parts if part]
        if len(parts) > 1 and all(len(part) <= 40 for part in parts):
            if mark == "," and (last := re.match(r"^(?:(.+?) )?and (.+)$", parts[-1])):
                parts[-1:] = [part for part in last.groups() if part]
            return parts
    return [text] if text else []
