"""Finds a text that the page has in another form: an address, a date, a number, a time, a month, a
name or a code. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from pytest_bwa.evidence.lookup.own_address import same_address
from pytest_bwa.evidence.lookup.readings import Readings, dates_as_written, numbers_as_written
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.text_match import clean, has_other_currency, words
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.spec.notation.dates import month_in
from pytest_bwa.text import cell_places

MIN_CODE = 8
"""Characters of a code that is found with blanks between its parts."""
_CODE = re.compile(rf"\+?(?=(?:\D*\d){{4}})[^\W_]{{{MIN_CODE},}}")
_PARTS = re.compile(r"[\s()/‐-–-]")
_MONTH = re.compile(r"(\d{4})-(\d\d)")
_TIME = re.compile(r"(\d\d):(\d\d)(?::00)?")
_HALF_DAY = re.compile(r"(?<![\d:.])(\d{1,2})(?:[:.](\d\d))?\s?([ap])\.?m\b\.?", re.I)
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d\d)(?!\d)")
_ZONE = re.compile(r"(?:Z|[+-]\d\d:?\d\d)$")


class OtherForms:
    """Looks for them in one sample's sightings."""

    def __init__(self, sightings: Sightings, readings: Readings, locale: str | None) -> None:
        self._sightings, self._readings, self._locale = sightings, readings, locale

    def find(self, value: str) -> Iterator[Sighting]:
        if "/" in value:
            for number in self._sightings.addresses.get(same_address(value), ()):
                yield Sighting(number, 0, len(self._sightings.spots[number].text), "url")
        yield from self._dates(value)
        yield from self._numbers(value)
        if month := _MONTH.fullmatch(value):
            yield from self._cells(value, self._sightings.with_words([month[1]]), "month")
        if time := _TIME.fullmatch(value):
            hour = int(time[1]) % 12 or 12
            with_hour = [self._sightings.with_words([form]) for form in (f"{hour}", f"{hour:02d}")]
            yield from self._cells(value, [n for found in with_hour for n in found], "time")
        if len(name := words(value)) > 1:
            yield from self._cells(value, self._sightings.with_words(name), "name order")
        if _CODE.fullmatch(value.strip()):
            yield from self._cells(value, range(len(self._sightings.spots)), "separators")

    def _dates(self, value: str) -> Iterator[Sighting]:
        """Where a date stands, and no other time of that day beside it."""
        for date in dates_as_written(value, self._locale):
            if value[: date.start].strip() == "" and _is_time(value[date.end :]):
                for span in self._readings.of_date(date.value):
                    spot = self._sightings.spots[span.spot]
                    if _may_be_same_time(value, f"{spot.text[span.start :]} {spot.time}"):
                        yield Sighting(span.spot, span.start, span.end, "date")

    def _numbers(self, value: str) -> Iterator[Sighting]:
        for reading in numbers_as_written(value, self._locale):
            if (reading.start, reading.end) == (0, len(value)):
                for found in self._readings.sightings_of(reading.value):
                    text = self._sightings.spots[found.spot].text
                    if not has_other_currency(value, text, found.start, found.end):
                        yield found

    def _cells(self, value: str, numbers: Iterable[int], rule: str) -> Iterator[Sighting]:
        """The whole texts and cells of these spots that mean the same by a rule."""
        for number in numbers:
            spot = self._sightings.spots[number]
            for start, cell in () if spot.is_address else cell_places(spot.text):
                if _RULES[rule](value, cell):
                    yield Sighting(number, start, start + len(cell), rule)


def is_same_in_other_form(value: str, text: str) -> bool:
    """Whether a whole text is a value with blanks in it, in the other order of a name, as a month
    or as a time of half a day."""
    return any(is_same(value, text) for is_same in _RULES.values())


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


def _may_be_same_time(value: str, beside: str) -> bool:
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


def _is_time(rest: str) -> bool:
    """Whether what follows a date is nothing, or the time of that day."""
    return not rest.strip() or rest[:1] in "T "
