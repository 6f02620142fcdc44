"""Whether a text that was observed shows a value, and by which rule. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

from pytest_bwa.facts.address import is_same_page
from pytest_bwa.facts.fact import Fact, Piece
from pytest_bwa.facts.text_match import GOES_ON, clean, has_other_currency, matches, same_text
from pytest_bwa.proof.observed import Observed
from pytest_bwa.proof.texts.readings import Readings, dates_as_written, numbers_as_written
from pytest_bwa.proof.texts.same_in_other_form import is_time, may_be_same_time, rule_of_other_form
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
    """Reads the facts of one sample."""

    def __init__(self, observed: Observed, locale: str | None) -> None:
        self._observed, self._locale = observed, locale
        self.readings = Readings(observed, locale)

    def places(self, value: Any, fact: Fact, context: Sequence[str] = ()) -> list[Piece]:
        """Where a fact shows a number or a text, the plainest first. ``context`` are other texts
        that were cited with it: they may say that numbers are in thousands."""
        if isinstance(value, int | float | Decimal):
            found = list(self._numbers(Decimal(str(value)), fact, context))
        else:
            found = list(self._texts(str(value), fact)) or list(self._forms(str(value), fact))
        return sorted(found, key=lambda place: place.rule != "")

    def is_cut(self, place: Piece) -> bool:
        """Whether a text that ends at this place goes on where nobody can read it: the observation
        was cut there, or the page itself has an ellipsis, perhaps on a button behind it."""
        fact = place.fact
        end = fact.text.find(CELLS, place.end)  # of its cell
        text = fact.text if end < 0 else fact.text[:end]
        whole = _ELLIPSIS.sub("", text)
        if place.end < len(whole):
            return False
        goes_on = end < 0 and (fact.cut or self._begins_rest(place.fact))
        return goes_on or len(whole) < len(text)

    def _begins_rest(self, fact: Fact) -> bool:
        """Whether what follows a fact on its line begins with an ellipsis: "…see more"."""
        look = self._observed.looks[self._observed.newest_look(fact)]
        at = look.order[fact] + 1
        return any(
            fact.kind == other.kind == "element" and fact.is_beside(other)
            for other in look.facts[at : at + 1]
            if GOES_ON.match(other.text)
        )

    # -- texts ---------------------------------------------------------------------------------

    def _texts(self, value: str, fact: Fact) -> Iterator[Piece]:
        """Where the text itself stands, whole token by whole token."""
        for match in matches(value, fact.text):
            yield Piece(fact, match.start, match.end, match.rule)

    def _forms(self, value: str, fact: Fact) -> Iterator[Piece]:
        """Where the fact has the text in another form."""
        if fact.is_address:
            if "/" in value and is_same_page(value, fact.text):
                yield Piece(fact, 0, len(fact.text), "url")
            return
        yield from self._dates(value, fact)
        for reading in numbers_as_written(value, self._locale):
            if (reading.start, reading.end) == (0, len(value)):
                yield from (
                    place
                    for place in self._read(reading.value, fact)
                    if not has_other_currency(value, fact.text, place.start, place.end)
                )
        for start, cell in cell_places(fact.text):
            if rule := rule_of_other_form(value, cell):
                yield Piece(fact, start, start + len(cell), rule)

    def _dates(self, value: str, fact: Fact) -> Iterator[Piece]:
        """Where a date stands, and no other time of that day beside it."""
        for day in self._days_of(value):
            for there in self.readings.dates_in(fact):
                beside = f"{fact.text[there.start :]} {fact.datetime}"
                if there.value == day and may_be_same_time(value, beside):
                    yield Piece(fact, there.start, there.end, "date")

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

    def _numbers(self, value: Decimal, fact: Fact, context: Sequence[str]) -> Iterator[Piece]:
        if fact.is_address:
            yield from self._texts(written(value), fact)
            return
        for place in self._texts(written(value), fact):
            if not self._is_negated(place, value):
                yield place
        yield from self._read(value, fact)
        for scale, power in SCALES.items():
            for place in self._read(value.scaleb(-power), fact):
                if self._is_bare(place) and self._says_scale(scale, fact, context):
                    yield Piece(place.fact, place.start, place.end, scale)

    def _is_bare(self, place: Piece) -> bool:
        """Whether a number has nothing of its own, such as a k or a sign of percent, that says in
        what it is given."""
        text = place.fact.text
        has_unit = "%" in _with_unit(text, place.start, place.end)
        own = text[place.start : place.end]
        return place.rule == "number" and not has_unit and not any(map(str.isalpha, own))

    def _read(self, value: Decimal, fact: Fact) -> Iterator[Piece]:
        """Where a number stands, also as a percentage: 0.12 as 12 %."""
        text = fact.text
        for reading in self.readings.numbers_in(fact):
            if reading.value == value:
                yield Piece(fact, reading.start, reading.end, "number")
            elif reading.value == value * 100 and "%" in _with_unit(
                text, reading.start, reading.end
            ):
                yield Piece(fact, reading.start, reading.end, "percent")

    def _is_negated(self, place: Piece, value: Decimal) -> bool:
        """Whether a text or cell is nothing but an amount in parentheses, which is another number
        than the one in it: (0.17) is -0.17."""
        text = place.fact.text
        if not _IN_PARENTHESES.fullmatch(cells_of(text)[column_at(text, place.start)]):
            return False
        around = [r for r in self.readings.numbers_in(place.fact)
                  if r.start <= place.start and place.end <= r.end]  # fmt: skip
        return bool(around) and value not in {reading.value for reading in around}

    def _says_scale(self, scale: str, fact: Fact, context: Sequence[str]) -> bool:
        language = self._locale or self._observed.first_look(fact).language or None
        texts = (fact.label, fact.name, *fact.place.headings[-2:], *context)
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
