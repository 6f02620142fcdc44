"""Finds days and numbers of a page that may be another day or number, because nothing tells which.
Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from pytest_bwa.facts.fact import Piece
from pytest_bwa.proof.finding import Shown
from pytest_bwa.proof.observed import Observed
from pytest_bwa.proof.texts.readings import Readings, dates_as_written
from pytest_bwa.spec.coercion import dates_in
from pytest_bwa.spec.notation.dates import Order, days_by_order, iso_date, may_be_of_other_calendar

_NUMERIC = re.compile(
    r"(?<![\d./-])(?P<first>\d{1,2})(?P<mark>[./-]) ?(?P<second>\d{1,2})(?P=mark) ?'?"
    r"(?P<year>\d{4}|\d\d)(?![./-]?\d)"
)
_SIGN_BEHIND = re.compile(r"(?:[CD][Rr]\.?|-)$")
ISO_CHARACTERS = len("2026-05-04")
OTHER_CALENDAR = "a day of another calendar"

Allows = Callable[[Any], bool]
"""Whether the field may have a value."""


class OtherReadings:
    """Asks what else the texts may mean that show a value."""

    def __init__(self, observed: Observed, readings: Readings, locale: str | None) -> None:
        self._days, self._numbers = OtherDays(observed, locale), NumberMarks(observed, readings)

    def of(self, value: object, seen: Shown, allows: Allows) -> str | None:
        """The other days (ISO) or the other number; None if one of the texts, its site or the
        field's schema tells which it is."""
        found = [place for place in (*seen.places, *seen.same) if place.rule == seen.rule]
        days = self._days.other_days(value, found, allows)
        if days:
            return " or ".join(days)
        number = self._numbers.other_number(value, found)
        return number if number is not None and allows(float(number)) else None


class OtherDays:
    """Finds days such as 04/05/2026 of which nothing tells whether the day or the month comes
    first, or of which century 04/05/68 is. A page tells the order by its language and by its other
    dates: 25/05/2026 has one reading."""

    def __init__(self, observed: Observed, locale: str | None) -> None:
        self._observed, self._locale = observed, locale

    def other_days(self, value: object, found: Sequence[Piece], allows: Allows) -> Sequence[str]:
        """The other days (ISO) that all texts which prove a day may mean."""
        dated = [place for place in found if place.rule == "date"]
        day = iso_date(str(value)[:ISO_CHARACTERS])
        if day is None or not dated:
            return ()
        others = [self._others(day, place) for place in dated]
        common = sorted(set[str].intersection(*others))
        return [other for other in common if other == OTHER_CALENDAR or allows(other)]

    def _others(self, day: date, place: Piece) -> set[str]:
        fact = place.fact
        text, own = place.text, day.isoformat()
        locale, times = self._markup_of(place, text)
        days = _days_of(text, None) | _days_of(text, locale)
        if days == {own} or any(own in _days_of(time, None) for time in (fact.datetime, *times)):
            return set()
        others = days
        if numeric := _NUMERIC.search(fact.text, place.start, place.end):
            by_order = {
                order: days & {found.isoformat() for found in of_order}
                for order, of_order in days_by_order(numeric.groupdict(), locale).items()
            }
            others = self._in_order(own, place, by_order)
            if not others:
                of_locale = {found.value for found in dates_as_written(text, locale)}
                others = of_locale if own in of_locale else days
        is_short_year = len({found[:2] for found in days}) > 1
        if is_short_year and may_be_of_other_calendar(locale):
            others = {*others, OTHER_CALENDAR}
        return others - {own}

    def _in_order(self, own: str, place: Piece, by_order: Mapping[Order, set[str]]) -> set[str]:
        """The days in the order that the other dates of the site have; all if these contradict each
        other or the value, none if there are none."""
        possible = {order for order, days in by_order.items() if days}
        orders = set(self._certain_orders(place, possible))
        own_order = [order for order in orders if own in by_order[order]]
        if len(orders) == 1 == len(own_order):
            return by_order[own_order[0]]
        return set().union(*by_order.values()) if orders else set()

    def _markup_of(self, place: Piece, text: str) -> tuple[str | None, list[str]]:
        """The language of a text, and the times for machines beside it."""
        look = self._observed.first_look(place.fact)
        page = self._observed.pages.get(look.number)
        entries = [entry for entry in page.entries if text in entry.text] if page else []
        locales = {self._locale or e.language or look.language or None for e in entries}
        locale = locales.pop() if len(locales) == 1 else self._locale or look.language or None
        return locale, [e.datetime for e in entries if e.datetime]

    def _certain_orders(self, place: Piece, possible: Collection[Order]) -> Iterator[Order]:
        """For each date of the same site that has one of these orders only, which."""
        first_look = self._observed.first_look
        site = urlsplit(first_look(place.fact).url).netloc
        for fact in self._observed.facts:
            if urlsplit(first_look(fact).url).netloc == site:
                for numeric in _NUMERIC.finditer(fact.text):
                    by_order = days_by_order(numeric.groupdict(), None)
                    orders = [o for o in possible if by_order.get(o)]
                    if len(orders) == 1:
                        yield orders[0]


class NumberMarks:
    """Asks what the numbers of one sample's pages may mean."""

    def __init__(self, observed: Observed, readings: Readings) -> None:
        self._observed, self._readings = observed, readings

    def other_number(self, value: object, found: Sequence[Piece]) -> str | None:
        """The other number that all texts which prove one may mean, such as 1.25 of 1.250 where
        nothing tells what the mark is; None if one of them tells it."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        others = {self._other(Decimal(str(value)), place) for place in found}
        return None if None in others else next(iter(others), None)

    def _other(self, value: Decimal, place: Piece) -> str | None:
        if place.rule != "number":
            return None
        around = (place.start, place.end)
        found = self._readings.numbers_in(place.fact)
        readings = {r.value for r in found if (r.start, r.end) == around}
        text = place.text
        if _SIGN_BEHIND.search(text):
            others = readings - {value}
        else:  # "Approvals (3)" is not minus three
            others = {abs(reading) for reading in readings} - {abs(value)}
        return format(others.pop().normalize(), "f") if len(others) == 1 else None


def _days_of(text: str, locale: str | None) -> set[str]:
    return {day.value for day in dates_in(text, locale)}
