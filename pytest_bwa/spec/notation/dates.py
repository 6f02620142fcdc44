"""Dates as people write them: every possible reading, and the one that is certain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from pytest_bwa.spec.notation.characters import Uncertain, plain
from pytest_bwa.spec.notation.locales import day_comes_first, month_numbers, weekday_numbers
from pytest_bwa.spec.notation.machine_time import MachineTime, is_relative

_WORD = r"[^\W\d_][^\s\d_.,;:()/–-]{0,30}"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_DAY = r"(?P<day>\d{1,2})"
_HOURS = r"(?:[01]?\d|2[0-4])"
_TIME = (
    rf"{_HOURS}(?:(?::[0-5]\d){{1,2}}(?:[.,]\d+)?(?: ?[AaPp]\.?[Mm]\b\.?| Uhr\b)?|h[0-5]\d"
    r"| ?[AaPp]\.?[Mm]\b\.?)(?!\d)"
)
_ZONE = r"(?: ?\(?(?:Z|UTC|GMT|[A-Z]{1,4}T)\b\)?)?(?: ?[+-]\d\d?(?::?\d\d)?(?!\d))?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        # 2026-05-03, 2026/5/3, 2026. 05. 03.
        rf"(?<![\w./-]){_YEAR}(?P<mark>[-/.]) ?(?P<month>\d{{1,2}})(?P=mark) ?{_DAY}(?!\d)\.?"
        r"(?![-/.]\d)",
        # 04/05/2026 in either order
        rf"(?<![\w./-])(?P<first>\d{{1,2}})(?P<mark>[-/.]) ?(?P<second>\d{{1,2}})(?P=mark) ?{_YEAR}"
        r"(?![-/.]\d)",
        # 3 May 2026, 3rd of May, 2026, 3. Mai 2026, 3 de mayo de 2026, 03-May-2026, 03.may.2026
        rf"(?<![\w.,/-]){_DAY}(?:st|nd|rd|th|er|º|ª|°|\.)?(?:[ /-]|(?<=\.))(?:of |de |d')?"
        rf"(?P<name>{_WORD})\.?,?(?:[ /-]|(?<=\.))(?:del? )?{_YEAR}(?: г\.?| р\.?)?",
        # May 3, 2026
        rf"(?<![\w-])(?P<name>{_WORD})\.?[ -]{_DAY}(?:st|nd|rd|th)?(?:, ?|[ -]){_YEAR}",
        # May 3 12:00:00 2026, May 3 12:00:00 UTC 2026, as clocks of computers print it
        rf"(?<![\w-])(?P<name>{_WORD}) {{1,2}}{_DAY} {_TIME}{_ZONE} {_YEAR}",
        # 2026 May 3, 2026. május 3.
        rf"(?<![\w.,/-]){_YEAR}\.?[ -](?P<name>{_WORD})\.?[ -]{_DAY}(?!\d)\.?",
        # 2026年5月3日
        rf"(?<!\d){_YEAR} ?[年년] ?(?P<month>\d{{1,2}}) ?[月월] ?{_DAY} ?[日일]",
    )
)
_SHORT_YEAR = re.compile(
    r"(?<![\w./-])(?P<first>\d{1,2})(?P<mark>[./-])(?P<second>\d{1,2})(?P=mark)(?P<year>\d\d)"
    r"(?![\w/-]|\.\d)"
)
_NAMED_SHORT_YEAR = re.compile(
    rf"(?<![\w./-]){_DAY}(?P<mark>[./-])(?P<name>{_WORD})(?P=mark)(?P<year>\d\d)(?![\w/-]|\.\d)"
)
_DIGITS = re.compile(
    r"(?<![\w.,/-])(?P<year>20\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?![\w/-]|[.,]\d)"
)
_FIRST_OF_TWO = re.compile(
    rf"(?<![\w.,/-])(?P<first>\d{{1,2}})\.?(?: (?P<name>{_WORD})\.?)? ?[-–—] ?"
    rf"\d{{1,2}}\.? (?P<last>{_WORD})\.?,? {_YEAR}"
)
_CLOCK_BEFORE = re.compile(rf"(?<![\w:.]){_TIME}{_ZONE}(?:,| ·| on| -)? $")
_CLOCK_AFTER = re.compile(rf"(?:T|,? (?:(?:at|um|kl\.?|à|@|·|-) )?){_TIME}{_ZONE}")
_WEEKDAY_BEFORE = re.compile(rf"(?<!\w)(?P<name>{_WORD})\.?,? (?:the |den |le |el )?$")
_WEEKDAY_AFTER = re.compile(rf",? ?\(?(?P<name>{_WORD})\.?\)?")
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
    for written in (*_written_dates(flat, locale), *_short_dates(flat, locale)):
        start, end = positions[written.start], positions[written.end - 1] + 1
        for day in written.days:
            readings.add(DateReading(day.isoformat(), text[start:end], start, end))
    return sorted(readings, key=lambda r: (r.start, -r.end, r.value))


def read_date(text: str, locale: str | None = None, machine_time: str | None = None) -> str:
    """The day that the whole text names, as YYYY-MM-DD; a clock beside it is left out.

    ``machine_time`` is the ``datetime`` attribute beside the text. It tells the day of "3 days ago"
    and "May 3", and decides between two days; if it contradicts the text, neither is certain.
    Raises Uncertain.
    """
    flat = re.sub("[ \u202f]+", " ", plain(text)[0]).strip(" \n")
    days = _days_of(flat, locale)
    machine = MachineTime.read(machine_time)
    if machine is None:
        return _only_day(text, days)
    if not days:
        return _only_day(text, _days_beside(flat, locale, machine) if days is None else days)
    fitting = days & machine.days
    if len(fitting) != 1:
        raise Uncertain(text, f"does not agree with the time beside it, {machine.text}")
    return _only_day(text, fitting)


def _only_day(text: str, days: frozenset[date] | None) -> str:
    if days is None:
        raise Uncertain(text, "cannot be read as a date")
    if not days:
        raise Uncertain(text, "is no day of our calendar, or contradicts its weekday")
    if len(days) > 1:
        either = " or ".join(sorted(day.isoformat() for day in days))
        raise Uncertain(text, f"may be {either}: the order of day and month is not known")
    return next(iter(days)).isoformat()


def _days_beside(flat: str, locale: str | None, machine: MachineTime) -> frozenset[date] | None:
    """The machine's day for a text that leaves out the year, or counts from today."""
    if is_relative(flat, locale):
        return frozenset({machine.day})
    clock = next((m for m in _CLOCK_AFTER.finditer(flat) if m.end() == len(flat)), None)
    dated = flat[: clock.start()] if clock else flat
    for year in {day.year for day in machine.days}:
        for mark in (" ", "/"):
            fitting = (_days_of(f"{dated}{mark}{year}", locale) or frozenset()) & machine.days
            if fitting:
                return fitting
    return None


def _days_of(flat: str, locale: str | None) -> frozenset[date] | None:
    """The days that the whole text may mean; None if it is not written like a date."""
    if len(flat) > _LONGEST_DATE:
        return None
    whole = [w.days for w in _written_dates(flat, locale) if (w.start, w.end) == (0, len(flat))]
    return frozenset().union(*whole) if whole else None


def _written_dates(flat: str, locale: str | None) -> Iterator[_Written]:
    months = month_numbers(locale)
    for form in _FORMS:
        for match in form.finditer(flat):
            parts = match.groupdict()
            if "name" in parts and parts["name"].casefold() not in months:
                continue
            start, end, weekdays = _with_weekday_and_clock(match, locale)
            days = (day for day in _days(parts, locale) if weekdays <= {day.weekday()})
            yield _Written(start, end, frozenset(days))


def _short_dates(flat: str, locale: str | None) -> Iterator[_Written]:
    """What a person takes for a date all the same, and no certain one is: a year of two digits
    ("17/Oct/25" begins with the day), eight digits, and the first day of "3–5 May 2026" and
    "28 May – 5 June 2026"."""
    for form in (_SHORT_YEAR, _NAMED_SHORT_YEAR):
        for match in form.finditer(flat):
            parts = {**match.groupdict(), "year": f"20{match['year']}"}
            if parts.get("name", "").casefold() in ("", *month_numbers(locale)):
                yield _Written(*match.span(), frozenset(_days(parts, locale)))
    for match in _DIGITS.finditer(flat):
        yield _Written(*match.span(), frozenset(_days(match.groupdict(), locale)))
    for match in _FIRST_OF_TWO.finditer(flat):
        whole = f"{match['first']} {match['name'] or match['last']} {match['year']}"
        for written in _written_dates(whole, locale):
            yield _Written(*match.span("first"), written.days)


def _with_weekday_and_clock(match: re.Match[str], locale: str | None) -> tuple[int, int, set[int]]:
    """The span of a date with the weekday and the clock beside it, and the weekdays."""
    flat, (start, end) = match.string, match.span()
    known, weekdays = weekday_numbers(locale), set()
    before = _WEEKDAY_BEFORE.search(flat, max(0, start - _LONGEST_WEEKDAY), start)
    if before and before["name"].casefold() in known:
        weekdays.add(known[before["name"].casefold()])
        start = before.start()
    after = _WEEKDAY_AFTER.match(flat, end)
    if after and after["name"].casefold() in known:
        weekdays.add(known[after["name"].casefold()])
        end = after.end()
    if clock := _CLOCK_BEFORE.search(flat, max(0, start - _LONGEST_WEEKDAY), start):
        start = clock.start()
    if clock := _CLOCK_AFTER.match(flat, end):
        end = clock.end()
    return start, end, weekdays


def _days(parts: Mapping[str, str], locale: str | None) -> list[date]:
    year = int(parts["year"])
    if "first" in parts:
        return _days_in_either_order(parts, year, locale)
    months = month_numbers(locale)
    month = months[parts["name"].casefold()] if "name" in parts else int(parts["month"])
    return _valid_days((year, month, int(parts["day"])))


def _days_in_either_order(parts: Mapping[str, str], year: int, locale: str | None) -> list[date]:
    """The order of the locale goes first, but 25/12/2026 is one day everywhere. Points stand
    between numbers where the day comes first; elsewhere their order is not certain."""
    first, second = int(parts["first"]), int(parts["second"])
    day_first, month_first = (year, second, first), (year, first, second)
    day_leads = day_comes_first(locale)
    if day_leads is None or (parts["mark"] == "." and not day_leads):
        return _valid_days(day_first, month_first)
    usual, other = (day_first, month_first) if day_leads else (month_first, day_first)
    return _valid_days(usual) or _valid_days(other)


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
