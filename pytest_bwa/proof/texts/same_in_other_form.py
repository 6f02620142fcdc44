"""Whether a text is a value in another form: a date, a time, a month, a name or a code. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from pytest_bwa.facts.text_match import clean, words
from pytest_bwa.spec.notation.dates import month_in

MIN_CODE = 8
"""Characters of a code that is found with blanks between its parts."""
_CODE = re.compile(rf"\+?(?=(?:\D*\d){{4}})[^\W_]{{{MIN_CODE},}}")
_PARTS = re.compile(r"[\s()/‐-–-]")
_MONTH = re.compile(r"(\d{4})-(\d\d)")
_TIME = re.compile(r"(\d\d):(\d\d)(?::00)?")
_HALF_DAY = re.compile(r"(?<![\d:.])(\d{1,2})(?:[:.](\d\d))?\s?([ap])\.?m\b\.?", re.I)
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d\d)(?!\d)")
_ZONE = re.compile(r"(?:Z|[+-]\d\d:?\d\d)$")


def rule_of_other_form(value: str, text: str) -> str:
    """By which rule a whole text or cell is the value: with blanks in it, in the other order of a
    name, as a month or as a time of half a day; empty if it is not."""
    return next((rule for rule, is_same in _RULES.items() if is_same(value, text)), "")


def _is_same_code(value: str, text: str) -> bool:
    """With blanks, hyphens or slashes between its parts: an IBAN, the number of a telephone."""
    code = value.strip()
    return len(text) > len(code) and bool(_CODE.fullmatch(code)) and _PARTS.sub("", text) == code


def _is_same_month(value: str, text: str) -> bool:
    month = _MONTH.fullmatch(value)
    return month is not None and month_in(clean(text)) == (int(month[1]), int(month[2]))


def _is_same_time(value: str, text: str) -> bool:
    time, half = _TIME.fullmatch(value), _HALF_DAY.fullmatch(text.strip())
    if time is None or half is None:
        return False
    hour = int(half[1]) % 12 + (12 if half[3] in "pP" else 0)
    return (hour, int(half[2] or 0)) == (int(time[1]), int(time[2]))


def _in_other_order(value: str, text: str) -> bool:
    """Whether one of two texts is the other with a comma: "Quist, Ada" and "Ada Quist"."""
    pairs = [one.split(",") for one in (text, value)]
    one, other = ([words(part) for part in parts] for parts in pairs)
    if len(one) + len(other) != 3:
        return False
    turned, plain = (one, other) if len(one) == 2 else (other, one)
    return all(turned) and turned[1] + turned[0] == plain[0]


_RULES: dict[str, Callable[[str, str], bool]] = {
    "separators": _is_same_code,
    "month": _is_same_month,
    "time": _is_same_time,
    "name order": _in_other_order,
}


def may_be_same_time(value: str, beside: str) -> bool:
    """Whether what stands beside a date has no other time than a value. Half days have different
    names in every language, and a zone may change the hour."""
    own, there = _CLOCK.search(value), _CLOCK.findall(beside)
    if own is None or not there:
        return True
    has_zone = _ZONE.search(value, own.end()) is not None
    return any(
        minute == own[2] and (has_zone or (int(hour) - int(own[1])) % 12 == 0)
        for hour, minute in there
    )


def is_time(rest: str) -> bool:
    """Whether what follows a date is nothing, or the time of that day."""
    return not rest.strip() or rest[:1] in "T "
