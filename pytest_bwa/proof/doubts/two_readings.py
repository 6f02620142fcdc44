"""Finds days and numbers of a page that may be another day or number, because nothing tells which.
Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from urllib.parse import urlsplit

from pytest_bwa.proof.finding import Shown
from pytest_bwa.proof.sighting import Sighting
from pytest_bwa.proof.sightings import Sightings
from pytest_bwa.proof.texts.readings import Readings, dates_as_written
from pytest_bwa.spec.coercion import dates_in
from pytest_bwa.spec.notation.dates import iso_date

_NUMERIC = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?![./-]?\d)")
_SIGN_BEHIND = re.compile(r"(?:[CD][Rr]\.?|-)$")
LAST_MONTH = 12
ISO_CHARACTERS = len("2026-05-04")


class OtherReadings:
    """Asks what else the texts may mean that show a value."""

    def __init__(self, sightings: Sightings, readings: Readings, locale: str | None) -> None:
        self._days, self._numbers = DayOrder(sightings, locale), NumberMarks(sightings, readings)

    def of(self, value: object, seen: Shown) -> str | None:
        """The other day (ISO) or number; None if one of the texts, or its site, tells which."""
        found = [place for place in (*seen.places, *seen.same) if place.rule == seen.rule]
        return self._days.other_day(value, found) or self._numbers.other_number(value, found)


class DayOrder:
    """Finds days such as 04/05/2026 of which nothing tells whether the day or the month comes
    first. A page tells it by its language and by its other dates: 25/05/2026 has one reading."""

    def __init__(self, sightings: Sightings, locale: str | None) -> None:
        self._sightings, self._locale = sightings, locale

    def other_day(self, value: object, found: Sequence[Sighting]) -> str | None:
        """The other day (ISO) that the texts which prove a day may mean; None if one of them, or
        its site, tells which it is."""
        others = {self._other_day(str(value), sighting) for sighting in found}
        return None if None in others else next(iter(others), None)

    def _other_day(self, value: str, sighting: Sighting) -> str | None:
        spot, day = self._sightings.spots[sighting.spot], iso_date(value[:ISO_CHARACTERS])
        numeric = _NUMERIC.search(spot.text, sighting.start, sighting.end)
        if day is None or numeric is None or sighting.rule != "date":
            return None
        text = spot.text[sighting.start : sighting.end]
        others = _days_of(text) - {day.isoformat()}
        if len(others) != 1:
            return None
        orders = set(self._certain_orders(sighting))
        is_day_first = int(numeric[1]) == day.day
        is_known = orders == {is_day_first} if orders else self._page_tells(text, sighting)
        return None if is_known else others.pop()

    def _page_tells(self, text: str, sighting: Sighting) -> bool:
        """Whether the language has one reading of the text, or the element a time for machines."""
        look = self._sightings.first_look(sighting.spot)
        page = self._sightings.pages.get(look.number)
        entries = [e for e in page.labelled if text in e.value] if page else []
        locales = {self._locale or e.language or look.language or None for e in entries}
        locale = locales.pop() if len(locales) == 1 else self._locale or look.language or None
        days = {day.value for day in dates_as_written(text, locale)}
        return len(days) == 1 or any(days & _days_of(e.datetime) for e in entries if e.datetime)

    def _certain_orders(self, sighting: Sighting) -> Iterator[bool]:
        """For each date of the same site that has one reading only, whether its day comes first."""
        first_look = self._sightings.first_look
        site = urlsplit(first_look(sighting.spot).url).netloc
        for number, spot in enumerate(self._sightings.spots):
            if urlsplit(first_look(number).url).netloc == site:
                for numeric in _NUMERIC.finditer(spot.text):
                    first, second = int(numeric[1]), int(numeric[3])
                    if max(first, second) > LAST_MONTH >= min(first, second) > 0:
                        yield first > second


class NumberMarks:
    """Asks what the numbers of one sample's pages may mean."""

    def __init__(self, sightings: Sightings, readings: Readings) -> None:
        self._sightings, self._readings = sightings, readings

    def other_number(self, value: object, found: Sequence[Sighting]) -> str | None:
        """The other number that all texts which prove one may mean, such as 1.25 of 1.250 where
        nothing tells what the mark is; None if one of them tells it."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        others = {self._other(Decimal(str(value)), place) for place in found}
        return None if None in others else next(iter(others), None)

    def _other(self, value: Decimal, place: Sighting) -> str | None:
        if place.rule != "number":
            return None
        around = (place.start, place.end)
        found = self._readings.numbers_in(place.spot)
        readings = {r.value for r in found if (r.start, r.end) == around}
        text = self._sightings.spots[place.spot].text[place.start : place.end]
        if _SIGN_BEHIND.search(text):
            others = readings - {value}
        else:  # "Approvals (3)" is not minus three
            others = {abs(reading) for reading in readings} - {abs(value)}
        return format(others.pop().normalize(), "f") if len(others) == 1 else None


def _days_of(text: str) -> set[str]:
    return {day.value for day in dates_in(text, None)}
