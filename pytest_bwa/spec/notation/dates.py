"""Dates as people write them: every possible reading, and the one that is certain."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from babel.dates import format_timedelta

from pytest_bwa.spec.notation.characters import Uncertain, plain
from pytest_bwa.spec.notation.locales import (
    day_comes_first,
    find_locale,
    may_begin_with_year,
    month_numbers,
    weekday_numbers,
)

ERAS = {
    "明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018,
    "民國": 1911, "民国": 1911,
}  # fmt: skip
"""The year before the first one of each era."""
_CENTURIES = (1900, 2000)
# Beside our years: the Buddhist ones (2568 is 2025), and those of Japan's eras and of Taiwan.
_OTHER_BASES: Mapping[tuple[str, str], tuple[int, ...]] = {
    ("th", ""): (1957,),
    ("ja", ""): (1925, 1988, 2018),
    ("zh", "TW"): (1911,),
}
# Here a year may begin in the middle of ours, or with the moon, so that a day has to be computed.
_OTHER_CALENDARS = {("fa", ""), ("ps", ""), ("ne", ""), ("am", ""), ("ar", "SA")}


def years_of(parts: Mapping[str, str | None], locale: str | None) -> list[int]:
    """The years that the year of a written date may be."""
    year, era = int(parts["year"] or 0), parts.get("era")
    if era:
        return [ERAS[era] + year]
    if not is_short(parts["year"] or ""):
        return [year]
    return [base + year for base in (*_CENTURIES, *_of_language(_OTHER_BASES, locale))]


def is_short(year: str) -> bool:
    return len(year) == len("68")


def may_be_of_other_calendar(locale: str | None) -> bool:
    """Whether people who read this language also count years in a way that is not known here."""
    return bool(_of_language(dict.fromkeys(_OTHER_CALENDARS, (0,)), locale))


def _of_language(
    known: Mapping[tuple[str, str], tuple[int, ...]], locale: str | None
) -> tuple[int, ...]:
    found = find_locale(locale)
    if found is None:
        return ()
    own = known.get((found.language, found.territory or ""), ())
    return (*known.get((found.language, ""), ()), *own) if found.territory else own


_WORD = r"[^\W\d_][^\s\d_.,;:()/–-]{0,30}"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_DAY = r"(?P<day>\d{1,2})"
_HOURS = r"(?:[01]?\d|2[0-4])"
_TIME = (
    rf"{_HOURS}(?:(?::[0-5]\d){{1,2}}(?:[.,]\d+)?(?: ?[AaPp]\.?[Mm]\b\.?| Uhr\b)?|h[0-5]\d"
    r"| ?[AaPp]\.?[Mm]\b\.?)(?!\d)"
)
_ZONE = r"(?: ?\(?(?:Z|UTC|GMT|[A-Z]{1,4}T)\b\)?)?(?: ?[+-]\d\d?(?::?\d\d)?(?!\d))?"
_AFTER_YEAR = rf"[年년] ?(?P<month>\d{{1,2}}) ?[月월] ?{_DAY} ?[日일]"
# Neither the rest of a longer number nor the hour of a time.
_SHORT_YEAR = r"'?(?P<year>\d\d)(?![\w/:-]|[.,]\d|h\d| (?:[AaPp]\.?[Mm]|Uhr)\b)"


def _numeric_form(year: str) -> str:
    """04/05/2026 in any order"""
    return (
        rf"(?<![\w./-])(?P<first>\d{{1,2}})(?P<mark>[-/.]) ?(?P<second>\d{{1,2}})(?P=mark) ?{year}"
        r"(?![-/.]\d)"
    )


def _named_forms(year: str) -> tuple[str, ...]:
    return (
        # 3 May 2026, 3rd of May, 2026, 3. Mai 2026, 3 de mayo de 2026, 03-May-2026, 03.may.2026
        rf"(?<![\w.,/-]){_DAY}(?:st|nd|rd|th|er|º|ª|°|\.)?(?:[ /-]|(?<=\.))(?:of |de |d')?"
        rf"(?P<name>{_WORD})\.?,?(?:[ /-]|(?<=\.))(?:del? )?{year}(?: г\.?| р\.?)?",
        # May 3, 2026
        rf"(?<![\w-])(?P<name>{_WORD})\.?[ -]{_DAY}(?:st|nd|rd|th)?(?:, ?|[ -]){year}",
        # May 3 12:00:00 2026, May 3 12:00:00 UTC 2026, as clocks of computers print it
        rf"(?<![\w-])(?P<name>{_WORD}) {{1,2}}{_DAY} {_TIME}{_ZONE} {year}",
    )


FORMS = tuple(
    re.compile(form)
    for form in (
        # 2026-05-03, 2026/5/3, 2026. 05. 03.
        rf"(?<![\w./-]){_YEAR}(?P<mark>[-/.]) ?(?P<month>\d{{1,2}})(?P=mark) ?{_DAY}(?!\d)\.?"
        r"(?![-/.]\d)",
        _numeric_form(_YEAR),
        *_named_forms(_YEAR),
        # 2026 May 3, 2026. május 3.
        rf"(?<![\w.,/-]){_YEAR}\.?[ -](?P<name>{_WORD})\.?[ -]{_DAY}(?!\d)\.?",
        # 2026年5月3日
        rf"(?<!\d){_YEAR} ?{_AFTER_YEAR}",
        # 令和8年5月3日
        rf"(?P<era>{'|'.join(ERAS)}) ?(?P<year>\d{{1,3}}) ?{_AFTER_YEAR}",
    )
)
SHORT_FORMS = tuple(
    re.compile(form)
    for form in (
        _numeric_form(_SHORT_YEAR),
        *_named_forms(_SHORT_YEAR),
        # 26年5月3日
        rf"(?<![\d{''.join(ERAS)}])(?P<year>\d\d) ?{_AFTER_YEAR}",
    )
)
DIGITS = re.compile(
    r"(?<![\w.,/-])(?P<year>20\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?![\w/-]|[.,]\d)"
)
FIRST_OF_TWO = re.compile(
    rf"(?<![\w.,/-])(?P<first>\d{{1,2}})\.?(?: (?P<name>{_WORD})\.?)? ?[-–—] ?"
    rf"\d{{1,2}}\.? (?P<last>{_WORD})\.?,? {_YEAR}"
)
CLOCK_BEFORE = re.compile(rf"(?<![\w:.]){_TIME}{_ZONE}(?:,| ·| on| -)? $")
CLOCK_AFTER = re.compile(rf"(?:T|,? (?:(?:at|um|kl\.?|à|@|·|-) )?){_TIME}{_ZONE}")
WEEKDAY_BEFORE = re.compile(rf"(?<!\w)(?P<name>{_WORD})\.?,? (?:the |den |le |el )?$")
WEEKDAY_AFTER = re.compile(rf",? ?\(?(?P<name>{_WORD})\.?\)?")


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
        raise Uncertain(text, "is not a day of our calendar, or contradicts its weekday")
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
