"""The numbers and dates that observed texts may mean, each text read when it is first needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pytest_bwa.facts.fact import Fact
from pytest_bwa.proof.observed import Look, Observed
from pytest_bwa.spec.coercion import DateReading, NumberReading, dates_in, numbers_in
from pytest_bwa.spec.notation.locales import number_marks
from pytest_bwa.spec.notation.numbers import decimal_marks_in


class Readings:
    """Every reading of a text. An ambiguous text counts for each of them."""

    def __init__(self, observed: Observed, locale: str | None) -> None:
        self._observed, self._locale = observed, locale
        self._numbers: dict[Fact, list[NumberReading]] = {}
        self._dates: dict[Fact, list[DateReading]] = {}
        self._marks: dict[int, set[str]] = {}

    def numbers_in(self, fact: Fact) -> Sequence[NumberReading]:
        """What the numbers in a fact's text may mean."""
        if fact not in self._numbers:
            look = self._observed.first_look(fact)
            found = self._read_numbers(fact.text, look) if _has_digit(fact.text) else []
            self._numbers[fact] = found
        return self._numbers[fact]

    def dates_in(self, fact: Fact) -> Sequence[DateReading]:
        """The days in a fact's text; a time for machines stands for the whole text."""
        if fact not in self._dates:
            locale = self._locale or self._observed.first_look(fact).language or None
            found = list(dates_as_written(fact.text, locale)) if _has_digit(fact.text) else []
            whole = (replace(date, start=0, end=len(fact.text)) for date in dates_in(fact.datetime))
            self._dates[fact] = [*found, *(whole if fact.datetime else ())]
        return self._dates[fact]

    def _read_numbers(self, text: str, look: Look) -> list[NumberReading]:
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
            texts = (fact.text for fact in look.facts)
            self._marks[look.number] = set().union(*map(decimal_marks_in, texts))
        return self._marks[look.number]


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


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
