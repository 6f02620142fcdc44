"""Whether a text that was observed shows a value, and by which rule. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

from pytest_bwa.facts.address import is_same_page
from pytest_bwa.proof.sighting import Sighting
from pytest_bwa.proof.sightings import Sightings
from pytest_bwa.proof.texts.readings import Readings, dates_as_written, numbers_as_written
from pytest_bwa.proof.texts.same_in_other_form import is_time, may_be_same_time, rule_of_other_form
from pytest_bwa.proof.texts.text_match import GOES_ON, clean, has_other_currency, matches, same_text
from pytest_bwa.spec.notation.dates import iso_date
from pytest_bwa.spec.notation.numbers import SCALES, scale_in
from pytest_bwa.steps.text import CELLS, cell_places, cells_of, column_at

_IN_PARENTHESES = re.compile(r"[^\w()]*\([^\w()]*\d[\d.,'’\s]*[^\w()]*\)?[^\w()]*")
_ELLIPSIS = re.compile(rf"{GOES_ON.pattern}\s*[\])]?\s*$")
_AFTER_AMOUNT = 2
ISO_CHARACTERS = len("2026-05-04")
_YES = frozenset({"true", "yes", "on", "checked", "enabled", "ja", "oui", "sí", "sì", "sim", "✓",
                  "✔", "✅", "☑"})  # fmt: skip
_NO = frozenset({"false", "no", "off", "unchecked", "disabled", "nein", "non", "não", "nee", "nej",
                 "nei", "✗", "✘", "❌", "☐"})  # fmt: skip
_STATE = re.compile(r"(?:checked|selected|pressed)=(true|false)")


class Reader:
    """Reads the spots of one sample."""

    def __init__(self, sightings: Sightings, locale: str | None) -> None:
        self._sightings, self._locale = sightings, locale
        self.readings = Readings(sightings, locale)

    def places(self, value: Any, number: int, context: Sequence[str] = ()) -> list[Sighting]:
        """Where a spot shows a number or a text, the plainest first. ``context`` are other texts
        that were cited with it: they may say that numbers are in thousands."""
        if isinstance(value, int | float | Decimal):
            found = list(self._numbers(Decimal(str(value)), number, context))
        else:
            found = list(self._texts(str(value), number)) or list(self._forms(str(value), number))
        return sorted(found, key=lambda place: place.rule != "")

    def is_cut(self, place: Sighting) -> bool:
        """Whether a text that ends at this place goes on where nobody can read it: the observation
        was cut there, or the page itself has an ellipsis, perhaps on a button behind it."""
        spot = self._sightings.spots[place.spot]
        end = spot.text.find(CELLS, place.end)  # of its cell
        text = spot.text if end < 0 else spot.text[:end]
        whole = _ELLIPSIS.sub("", text)
        if place.end < len(whole):
            return False
        goes_on = end < 0 and (spot.cut or self._begins_rest(place.spot))
        return goes_on or len(whole) < len(text)

    def _begins_rest(self, number: int) -> bool:
        """Whether what follows a spot on its line begins with an ellipsis: "…see more"."""
        order = self._sightings.looks[self._sightings.looks_of[number][-1]].spots
        at = order.index(number) + 1
        spot, after = self._sightings.spots[number], order[at : at + 1]
        return any(
            spot.source == other.source == "element" and spot.is_beside(other)
            for other in map(self._sightings.spots.__getitem__, after)
            if GOES_ON.match(other.text)
        )

    # -- texts ---------------------------------------------------------------------------------

    def _texts(self, value: str, number: int) -> Iterator[Sighting]:
        """Where the text itself stands, whole token by whole token."""
        for match in matches(value, self._sightings.spots[number].text):
            yield Sighting(number, match.start, match.end, match.rule)

    def _forms(self, value: str, number: int) -> Iterator[Sighting]:
        """Where the spot has the text in another form."""
        spot = self._sightings.spots[number]
        if spot.is_address:
            if "/" in value and is_same_page(value, spot.text):
                yield Sighting(number, 0, len(spot.text), "url")
            return
        yield from self._dates(value, number)
        for reading in numbers_as_written(value, self._locale):
            if (reading.start, reading.end) == (0, len(value)):
                yield from (
                    place
                    for place in self._read(reading.value, number)
                    if not has_other_currency(value, spot.text, place.start, place.end)
                )
        for start, cell in cell_places(spot.text):
            if rule := rule_of_other_form(value, cell):
                yield Sighting(number, start, start + len(cell), rule)

    def _dates(self, value: str, number: int) -> Iterator[Sighting]:
        """Where a date stands, and no other time of that day beside it."""
        spot = self._sightings.spots[number]
        for day in self._days_of(value):
            for there in self.readings.dates_in(number):
                beside = f"{spot.text[there.start :]} {spot.time}"
                if there.value == day and may_be_same_time(value, beside):
                    yield Sighting(number, there.start, there.end, "date")

    @cache  # noqa: B019 -- a sample's reader lives as long as its values are asked for
    def _days_of(self, value: str) -> list[str]:
        """The days that a value may be, with no more than a time behind it."""
        if (day := iso_date(value[:ISO_CHARACTERS])) is not None:
            return [day.isoformat()] if is_time(value[ISO_CHARACTERS:]) else []
        if not any(map(str.isdigit, value)):
            return []
        found = dates_as_written(value, self._locale)
        return [d.value for d in found if not value[: d.start].strip() and is_time(value[d.end :])]

    # -- numbers -------------------------------------------------------------------------------

    def _numbers(self, value: Decimal, number: int, context: Sequence[str]) -> Iterator[Sighting]:
        if self._sightings.spots[number].is_address:
            yield from self._texts(written(value), number)
            return
        for place in self._texts(written(value), number):
            if not self._is_negated(place, value):
                yield place
        yield from self._read(value, number)
        for scale, power in SCALES.items():
            for place in self._read(value.scaleb(-power), number):
                if self._is_bare(place) and self._says_scale(scale, number, context):
                    yield Sighting(place.spot, place.start, place.end, scale)

    def _is_bare(self, place: Sighting) -> bool:
        """Whether a number has nothing of its own, such as a k or a sign of percent, that says in
        what it is given."""
        text = self._sightings.spots[place.spot].text
        has_unit = "%" in _with_unit(text, place.start, place.end)
        own = text[place.start : place.end]
        return place.rule == "number" and not has_unit and not any(map(str.isalpha, own))

    def _read(self, value: Decimal, number: int) -> Iterator[Sighting]:
        """Where a number stands, also as a percentage: 0.12 as 12 %."""
        text = self._sightings.spots[number].text
        for reading in self.readings.numbers_in(number):
            if reading.value == value:
                yield Sighting(number, reading.start, reading.end, "number")
            elif reading.value == value * 100 and "%" in _with_unit(
                text, reading.start, reading.end
            ):
                yield Sighting(number, reading.start, reading.end, "percent")

    def _is_negated(self, place: Sighting, value: Decimal) -> bool:
        """Whether a text or cell is nothing but an amount in parentheses, which is another number
        than the one in it: (0.17) is -0.17."""
        text = self._sightings.spots[place.spot].text
        if not _IN_PARENTHESES.fullmatch(cells_of(text)[column_at(text, place.start)]):
            return False
        around = [r for r in self.readings.numbers_in(place.spot)
                  if r.start <= place.start and place.end <= r.end]  # fmt: skip
        return bool(around) and value not in {reading.value for reading in around}

    def _says_scale(self, scale: str, number: int, context: Sequence[str]) -> bool:
        spot = self._sightings.spots[number]
        language = self._locale or self._sightings.first_look(number).language or None
        texts = (spot.label, spot.name, *spot.headings[-2:], *context)
        return any(scale_in(text, language) == scale for text in texts)


def written(value: Decimal) -> str:
    return format(value.normalize(), "f")


def as_number(value: str) -> Decimal | None:
    try:
        return Decimal(value)
    except InvalidOperation:
        return None


def is_followed_by_ellipsis(value: str, text: str) -> bool:
    return re.search(re.escape(clean(value)) + GOES_ON.pattern, text) is not None


def yes_or_no(text: str) -> bool | None:
    """What the state of a box or a choice, or a text of one word, says; None if it says neither."""
    if states := set(_STATE.findall(text)):
        return states.pop() == "true" if len(states) == 1 else None
    word = same_text(text)
    return True if word in _YES else False if word in _NO else None


def _with_unit(text: str, start: int, end: int) -> str:
    """A number with what stands right behind it."""
    return text[start : end + _AFTER_AMOUNT]
