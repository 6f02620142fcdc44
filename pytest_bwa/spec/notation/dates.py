"""Dates as people write them: every possible reading, and the one that is certain."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from pytest_bwa.spec.notation.characters import Uncertain, plain
from pytest_bwa.spec.notation.date_forms import (
    CLOCK_AFTER,
    CLOCK_BEFORE,
    DIGITS,
    FIRST_OF_TWO,
    FORMS,
    SHORT_FORMS,
    WEEKDAY_AFTER,
    WEEKDAY_BEFORE,
)
from pytest_bwa.spec.notation.locales import (
    day_comes_first,
    may_begin_with_year,
    month_numbers,
    weekday_numbers,
)
from pytest_bwa.spec.notation.machine_time import MachineTime, is_relative
from pytest_bwa.spec.notation.short_years import (
    is_short,
    may_be_of_other_calendar,
    years_of,
)

Order = Literal["day", "month", "year"]
"""What comes first of a date in numbers."""

_LONGEST_WEEKDAY = 40
_LONGEST_DATE = 120
# Other calendars count 1405, 1447 or 2569 today. Systems write the year 9999 for "without an end".
_YEARS = frozenset([*range(1000, 1300), *range(1500, 2300), 9999])


@dataclass(frozen=True, slots=True)
class DateReading:
    """One day that a part of a text may mean, as YYYY-MM-DD; ``start`` and ``end`` are places in
    that text."""

    value: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Written:
    """A part of a text that is written like a date, with the days that it may mean: none for 31
    February or a weekday that contradicts the day."""

    start: int
    end: int
    days: frozenset[date]


def dates_in(text: str, locale: str | None = None) -> list[DateReading]:
    """Every possible reading of every date in a running text: 04/05/2026 is two days if the locale
    does not tell the order. A weekday that contradicts its date leaves no reading."""
    flat, positions = plain(text)
    flat, readings = flat.replace("\u202f", " "), set()
    for written in (*_written_dates(flat, locale), *_uncertain_dates(flat, locale)):
        start, end = positions[written.start], positions[written.end - 1] + 1
        for day in written.days:
            readings.add(DateReading(day.isoformat(), text[start:end], start, end))
    return sorted(readings, key=lambda r: (r.start, -r.end, r.value))


def read_date(
    text: str,
    locale: str | None = None,
    machine_time: str | None = None,
    allows: Callable[[str], bool] | None = None,
) -> str:
    """The day that the whole text names, as YYYY-MM-DD; a clock beside it is left out.

    ``machine_time`` is the ``datetime`` attribute beside the text. It tells the day of "3 days ago"
    and "May 3", and decides between several days; if it contradicts the text, none is certain.
    ``allows``: whether the field may have a day, which decides as well. Raises Uncertain.
    """
    flat = re.sub("[ \u202f]+", " ", plain(text)[0]).strip(" \n")
    days, machine = _days_of(flat, locale), MachineTime.read(machine_time)
    if is_short_year := days is None:
        days = _days_of(flat, locale, SHORT_FORMS)
    if machine is not None and not days:
        return _only_day(text, _days_beside(flat, locale, machine) if days is None else days)
    if machine is not None and days:
        fitting = days & machine.days
        if len(fitting) != 1:
            raise Uncertain(text, f"does not agree with the time beside it, {machine.text}")
        return _only_day(text, fitting)
    if is_short_year and days and may_be_of_other_calendar(locale):
        raise Uncertain(text, "has a year of two digits, perhaps of another calendar")
    return _only_day(text, days, allows)


def _only_day(
    text: str, days: frozenset[date] | None, allows: Callable[[str], bool] | None = None
) -> str:
    if days is None:
        raise Uncertain(text, "cannot be read as a date")
    if not days:
        raise Uncertain(text, "is no day of our calendar, or contradicts its weekday")
    written = sorted(day.isoformat() for day in days)
    allowed = [day for day in written if len(written) == 1 or allows is None or allows(day)]
    if len(allowed) == 1:
        return allowed[0]
    *others, last = written
    why = f"may be {', '.join(others)} or {last}: {_what_is_not_known(days)}"
    if not allowed:
        raise Uncertain(text, f"{why}, and the spec allows none of them")
    raise Uncertain(text, why, allowed)


def _what_is_not_known(days: Collection[date]) -> str:
    in_a_year = {(day.month, day.day) for day in days}
    if len(in_a_year) == len(days):
        return "the order of day and month is not known"
    if len(in_a_year) > 1:
        return "neither its year nor the order of day and month is known"
    return "which year it means is not known"


def _days_beside(flat: str, locale: str | None, machine: MachineTime) -> frozenset[date] | None:
    """The machine's day for a text that leaves out the year, or counts from today."""
    if is_relative(flat, locale):
        return frozenset({machine.day})
    clock = next((m for m in CLOCK_AFTER.finditer(flat) if m.end() == len(flat)), None)
    dated = flat[: clock.start()] if clock else flat
    for year in {day.year for day in machine.days}:
        for mark in (" ", "/"):
            fitting = (_days_of(f"{dated}{mark}{year}", locale) or frozenset()) & machine.days
            if fitting:
                return fitting
    return None


def _days_of(
    flat: str, locale: str | None, forms: Iterable[re.Pattern[str]] = FORMS
) -> frozenset[date] | None:
    """The days that the whole text may mean; None if it is not written like a date."""
    if len(flat) > _LONGEST_DATE:
        return None
    written = _written_dates(flat, locale, forms)
    whole = [w.days for w in written if (w.start, w.end) == (0, len(flat))]
    return frozenset().union(*whole) if whole else None


def _written_dates(
    flat: str, locale: str | None, forms: Iterable[re.Pattern[str]] = FORMS
) -> Iterator[_Written]:
    months = month_numbers(locale)
    for form in forms:
        for match in form.finditer(flat):
            parts = match.groupdict()
            if "name" in parts and parts["name"].casefold() not in months:
                continue
            start, end, weekdays = _with_weekday_and_clock(match, locale)
            days = (day for day in _days(parts, locale) if weekdays <= {day.weekday()})
            yield _Written(start, end, frozenset(days))


def _uncertain_dates(flat: str, locale: str | None) -> Iterator[_Written]:
    """What a person takes for a date all the same, and no certain one is: a year of two digits,
    eight digits, and the first day of "3–5 May 2026" and "28 May – 5 June 2026"."""
    yield from _written_dates(flat, locale, SHORT_FORMS)
    for match in DIGITS.finditer(flat):
        yield _Written(*match.span(), frozenset(_days(match.groupdict(), locale)))
    for match in FIRST_OF_TWO.finditer(flat):
        whole = f"{match['first']} {match['name'] or match['last']} {match['year']}"
        for written in _written_dates(whole, locale):
            yield _Written(*match.span("first"), written.days)


def _with_weekday_and_clock(match: re.Match[str], locale: str | None) -> tuple[int, int, set[int]]:
    """The span of a date with the weekday and the clock beside it, and the weekdays."""
    flat, (start, end) = match.string, match.span()
    known, weekdays = weekday_numbers(locale), set()
    before = WEEKDAY_BEFORE.search(flat, max(0, start - _LONGEST_WEEKDAY), start)
    if before and before["name"].casefold() in known:
        weekdays.add(known[before["name"].casefold()])
        start = before.start()
    after = WEEKDAY_AFTER.match(flat, end)
    if after and after["name"].casefold() in known:
        weekdays.add(known[after["name"].casefold()])
        end = after.end()
    if clock := CLOCK_BEFORE.search(flat, max(0, start - _LONGEST_WEEKDAY), start):
        start = clock.start()
    if clock := CLOCK_AFTER.match(flat, end):
        end = clock.end()
    return start, end, weekdays


def _days(parts: Mapping[str, str], locale: str | None) -> list[date]:
    if "first" in parts:
        return _days_in_likely_orders(parts, locale)
    months = month_numbers(locale)
    month = months[parts["name"].casefold()] if "name" in parts else int(parts["month"])
    return _valid_days(*((year, month, int(parts["day"])) for year in years_of(parts, locale)))


def days_by_order(parts: Mapping[str, str], locale: str | None) -> dict[Order, list[date]]:
    """The days that the three numbers of a date are, by what comes first; a year of two digits may
    come first, too."""
    first, second = int(parts["first"]), int(parts["second"])
    years = years_of(parts, locale)
    found: dict[Order, list[date]] = {
        "day": _valid_days(*((year, second, first) for year in years)),
        "month": _valid_days(*((year, first, second) for year in years)),
    }
    if is_short(parts["year"]):
        ahead = years_of({"year": f"{first:02}"}, locale)
        found["year"] = _valid_days(*((year, second, int(parts["year"])) for year in ahead))
    return found


def _days_in_likely_orders(parts: Mapping[str, str], locale: str | None) -> list[date]:
    """The order of the locale goes first, but 25/12/2026 is one day everywhere. Points stand
    between numbers where the day comes first; elsewhere their order is not certain. 26-05-03 is
    written in every country."""
    by_order, mark, day_leads = days_by_order(parts, locale), parts["mark"], day_comes_first(locale)
    usual: set[Order] = {"day", "month"} if day_leads is None else {"day" if day_leads else "month"}
    if mark == "." and not day_leads:
        usual |= {"day", "month"}
    if mark == "-" or may_begin_with_year(locale):
        usual |= {"year"}
    likely = [day for order, days in by_order.items() if order in usual for day in days]
    return likely or [day for days in by_order.values() for day in days]


def _valid_days(*candidates: tuple[int, int, int]) -> list[date]:
    days = []
    for year, month, day in candidates:
        try:
            days += [date(year, month, day)] if year in _YEARS else []
        except ValueError:
            continue  # 31 February
    return days


def iso_date(text: str) -> date | None:
    """The day that a text like 2026-11-03 is."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


def month_in(text: str, locale: str | None = None) -> tuple[int, int] | None:
    """The year and month that a text is, and nothing else: ``November 2026``, ``2026 Nov``."""
    words = text.casefold().replace(",", " ").split()
    years = [word for word in words if len(word) == 4 and word.isascii() and word.isdigit()]
    names = [month_numbers(locale).get(word.rstrip(".")) for word in words if word not in years]
    is_month = len(words) == 2 and len(years) == 1 and names[0] is not None
    return (int(years[0]), names[0]) if is_month and names[0] else None
