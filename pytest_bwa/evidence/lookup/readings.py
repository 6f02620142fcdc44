"""The numbers and dates that the observed texts may mean, read when they are first needed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.sightings import Look, Sightings
from pytest_bwa.spec.coercion import DateReading, NumberReading, dates_in, numbers_in
from pytest_bwa.spec.notation.locales import number_marks
from pytest_bwa.spec.notation.numbers import decimal_marks_in


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a spot's text."""

    spot: int
    start: int
    end: int


class Readings:
    """Every reading of every text with a digit. An ambiguous text counts for each of them."""

    def __init__(self, sightings: Sightings, locale: str | None) -> None:
        self._sightings, self._locale = sightings, locale
        self._numbers: defaultdict[Decimal, list[Span]] = defaultdict(list)
        self._dates: defaultdict[str, list[Span]] = defaultdict(list)
        self._marks: dict[int, set[str]] = {}
        self._read = 0
        """How many spots were read."""

    def of_number(self, value: Decimal) -> Sequence[Span]:
        self._read_new()
        return self._numbers.get(value, ())

    def sightings_of(self, value: Decimal) -> Iterator[Sighting]:
        """Where a number stands, the newest first; also as a percentage: 0.12 as 12 %."""
        for span in reversed(self.of_number(value)):
            yield Sighting(span.spot, span.start, span.end, "number")
        for span in reversed(self.of_number(value * 100)):
            if "%" in self._sightings.spots[span.spot].text[span.start : span.end + 2]:
                yield Sighting(span.spot, span.start, span.end, "percent")

    def of_date(self, value: str) -> Sequence[Span]:
        """``value`` is an ISO date."""
        self._read_new()
        return self._dates.get(value, ())

    def values_at(self, number: int, start: int, end: int) -> set[Decimal]:
        """Everything that the number at a place of a spot may mean."""
        text = self._sightings.spots[number].text
        readings = self._numbers_in(text, self._sightings.first_look(number))
        return {r.value for r in readings if (r.start, r.end) == (start, end)}

    def values_around(self, number: int, start: int, end: int) -> set[Decimal]:
        """The same of all that a place of a spot is in: of (0.17) for the place of 0.17."""
        text = self._sightings.spots[number].text
        readings = self._numbers_in(text, self._sightings.first_look(number))
        return {r.value for r in readings if r.start <= start and end <= r.end}

    def _read_new(self) -> None:
        spots = self._sightings.spots
        for number in range(self._read, len(spots)):
            spot = spots[number]
            if spot.is_address:
                continue
            if spot.time:
                for date in dates_in(spot.time, None):
                    self._dates[date.value].append(Span(number, 0, len(spot.text)))
            if any(character.isdigit() for character in spot.text):
                self._add(number, spot.text)
        self._read = len(spots)

    def _add(self, number: int, text: str) -> None:
        first = self._sightings.first_look(number)
        locale = self._locale or first.language or None
        for reading in self._numbers_in(text, first):
            self._numbers[reading.value].append(Span(number, reading.start, reading.end))
        for date in dates_as_written(text, locale):
            self._dates[date.value].append(Span(number, date.start, date.end))

    def _numbers_in(self, text: str, look: Look) -> list[NumberReading]:
        """What the numbers of a text may mean, by the language of its page; if other numbers of the
        page contradict it, as they do a template's that says English, or it has none, by those."""
        marks, of_language = self._decimal_marks(look), number_marks(look.language)
        is_borne_out = of_language is not None and marks <= {of_language.decimal}
        if self._locale or is_borne_out:
            # Blanks between thousands are the standard's in all languages (ISO 80000).
            own = numbers_as_written(text, self._locale or look.language)
            return _whole([*own, *(r for r in numbers_in(text) if re.search(r"\d\s\d", r.text))])
        readings = _whole(numbers_as_written(text, None))
        return [r for r in readings if _fits(r, readings, marks)]

    def _decimal_marks(self, look: Look) -> set[str]:
        """The marks before the decimals of a page's numbers, where these are certain."""
        if look.number not in self._marks:
            texts = (self._sightings.spots[number].text for number in look.spots)
            self._marks[look.number] = set().union(*map(decimal_marks_in, texts))
        return self._marks[look.number]


def _whole(readings: Sequence[NumberReading]) -> list[NumberReading]:
    """Without the 12 and the 500 of 12 500."""
    spaced = [r for r in readings if re.search(r"\d\s\d", r.text)]
    return [
        reading
        for reading in readings
        if not any(
            w.start <= reading.start and reading.end <= w.end for w in spaced if w != reading
        )
    ]


def _fits(reading: NumberReading, readings: Sequence[NumberReading], marks: set[str]) -> bool:
    """Whether one of two readings of 1.250 has the decimals that it has by the page's one mark."""
    same = [r.value for r in readings if (r.start, r.end) == (reading.start, reading.end)]
    if len(marks) != 1 or len({abs(value) for value in same}) == 1:
        return True
    has_decimals = any(mark in reading.text for mark in marks)
    return abs(reading.value) == (min if has_decimals else max)(map(abs, same))


def numbers_as_written(text: str, locale: str | None) -> list[NumberReading]:
    """The readings by the page's language; where it has none, by any."""
    return numbers_in(text, locale) or numbers_in(text, None)


def dates_as_written(text: str, locale: str | None) -> list[DateReading]:
    return dates_in(text, locale) or dates_in(text, None)
