"""Whether all places of a value are such that a person should look at it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from pytest_bwa.evidence.lookup.readings import dates_as_written
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.spec.coercion import dates_in
from pytest_bwa.spec.notation.dates import iso_date

_READ_AS_A_WHOLE = ("text", "extract", "find")
"""Sources of texts that do not say where their parts stand, and which of them can be seen."""
_NUMERIC = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?![./-]?\d)")
LAST_MONTH = 12
ISO_CHARACTERS = len("2026-05-04")


def is_hidden(found: Sequence[Sighting], sightings: Sightings) -> bool:
    """Whether a value stands only in text that nobody can see, as is what a link would ask for."""
    spots = [(sightings.spots[sighting.spot], sighting) for sighting in found]
    hidden = [spot for spot, place in spots if spot.hidden or _is_in_query(spot, place)]
    rest = [spot for spot, _ in spots if spot not in hidden]
    return bool(hidden) and all(spot.source in _READ_AS_A_WHOLE for spot in rest)


def _is_in_query(spot: Spot, place: Sighting) -> bool:
    return spot.source == "link" and "?" in spot.text[: place.start]


def is_beside(found: Sequence[Sighting], sightings: Sightings) -> bool:
    """Whether a value stands only around the content of a page, as in its menu or its footer, where
    nothing connects it with the field. A page of another record says nothing against it: a sample
    may be read on several, such as a commit, its pull request and its author."""
    placed = [s for s in found if sightings.spots[s.spot].source not in _READ_AS_A_WHOLE]
    return all(sightings.spots[s.spot].is_around and not s.is_named for s in placed or found)


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
        # A policy that reads labelled values has decided itself which day each of them is.
        is_open = sighting.rule == "date" and spot.source != "labelled"
        if day is None or numeric is None or not is_open:
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
        look = self._sightings.looks[self._sightings.looks_of[sighting.spot][0]]
        page = self._sightings.pages.get(look.number)
        entries = [e for e in page.labelled if text in e.value] if page else []
        locales = {self._locale or e.language or look.language or None for e in entries}
        locale = locales.pop() if len(locales) == 1 else self._locale or look.language or None
        days = {day.value for day in dates_as_written(text, locale)}
        return len(days) == 1 or any(days & _days_of(e.datetime) for e in entries if e.datetime)

    def _certain_orders(self, sighting: Sighting) -> Iterator[bool]:
        """For each date of the same site that has one reading only, whether its day comes first."""
        looks = self._sightings.looks
        site = urlsplit(looks[self._sightings.looks_of[sighting.spot][0]].url).netloc
        for number, spot in enumerate(self._sightings.spots):
            if urlsplit(looks[self._sightings.looks_of[number][0]].url).netloc == site:
                for numeric in _NUMERIC.finditer(spot.text):
                    first, second = int(numeric[1]), int(numeric[3])
                    if max(first, second) > LAST_MONTH >= min(first, second) > 0:
                        yield first > second


def _days_of(text: str) -> set[str]:
    return {day.value for day in dates_in(text, None)}
