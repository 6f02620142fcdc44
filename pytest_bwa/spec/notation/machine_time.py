"""The time that a page gives to machines beside a text that people read: ``<time datetime>``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from babel.dates import format_timedelta

from pytest_bwa.spec.notation.locales import find_locale

_ISO = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?P<zone> ?Z| ?[+-]\d\d(?::?\d\d)?)?)?"
)
# The zones of the earth, from the west to the east of the line of dates.
_WEST, _EAST = timedelta(hours=-12), timedelta(hours=14)
_UNIT = r"(?:s|sec|second|m|min|minute|h|hr|hour|d|day|w|wk|week|mo|month|y|yr|year)s?\b\.?"
_AMOUNT = rf"(?:about |almost |over |less than )?(?:an?|one|\d{{1,5}}) ?{_UNIT}"
_CLOCK = r"\d{1,2}:\d\d(?: ?[ap]\.?m\.?)?"
_RELATIVE = re.compile(
    rf"{_AMOUNT} (?:ago|from now)|in {_AMOUNT}|(?:just )?now|{_CLOCK}"
    rf"|(?:yesterday|today|tomorrow)(?:,? (?:at )?{_CLOCK})?|(?:last|next) (?:week|month|year)",
    re.I,
)
_Unit = Literal["second", "minute", "hour", "day", "week", "month", "year"]
_UNITS: dict[_Unit, timedelta] = {
    "second": timedelta(seconds=1), "minute": timedelta(minutes=1), "hour": timedelta(hours=1),
    "day": timedelta(days=1), "week": timedelta(weeks=1), "month": timedelta(days=30),
    "year": timedelta(days=365),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MachineTime:
    """A moment or a day; ``days`` are those that a page may write for it, in some zone."""

    text: str
    day: date
    days: frozenset[date]

    @classmethod
    def read(cls, text: str | None) -> MachineTime | None:
        """None for what is no day: a duration, a clock, a year, the zero of a programming
        language."""
        match = _ISO.fullmatch((text or "").strip())
        if match is None:
            return None
        try:
            moment = datetime.fromisoformat(match[0].replace(" Z", "Z").replace(" +", "+"))
            if moment.year < 1800 or moment.year > 2299:
                return None
        except ValueError:
            return None
        days = {moment.date()}
        if match["zone"]:
            utc = moment.astimezone(UTC)
            days |= {(utc + shift).date() for shift in (_WEST, timedelta(0), _EAST)}
        return cls(match[0], moment.date(), frozenset(days))


def is_relative(text: str, locale: str | None) -> bool:
    """Whether the text counts from today, such as "3 days ago", or "vor 3 Tagen" in German."""
    if _RELATIVE.fullmatch(text):
        return True
    number, known = re.search(r"\d{1,5}", text), find_locale(locale)
    if number is None or known is None:
        return False
    return any(
        _relative(unit, sign * int(number[0]), known.language) == text.casefold()
        for unit in _UNITS
        for sign in (-1, 1)
    )


def _relative(unit: _Unit, amount: int, language: str) -> str:
    return format_timedelta(
        amount * _UNITS[unit],
        granularity=unit,
        threshold=float("inf"),
        add_direction=True,
        locale=language,
    ).casefold()
