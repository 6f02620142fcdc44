"""Finds the places where a value was seen, and leaves out those that prove nothing. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Any

from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.labels.surroundings import Surroundings, are_beside
from pytest_bwa.evidence.lookup.joined import find_joined
from pytest_bwa.evidence.lookup.other_forms import OtherForms
from pytest_bwa.evidence.lookup.readings import Readings
from pytest_bwa.evidence.lookup.scale import scale_of
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import (
    GOES_ON,
    clean,
    matches,
    same_text,
    weight,
    words,
)
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.spec.notation.numbers import SCALES
from pytest_bwa.text import cells_of, column_at

SHORT = 4
"""A text with fewer characters must be connected with its field to count."""
SMALL = 1000
"""A whole number below this must be connected with its field to count."""
COMMON = 6
"""A single word in small letters that is shorter must fill its text, or be connected."""
MAX_UNNAMED = 20
"""Places without the field's label that are looked at."""
MAX_TRIED = 300
"""Places of one value that are looked at, the newest first."""
_IN_PARENTHESES = re.compile(r"[^\w()]*\([^\w()]*\d[\d.,'’\s]*[^\w()]*\)?[^\w()]*")
_ELLIPSIS = re.compile(rf"{GOES_ON.pattern}\s*[\])]?\s*$")
_YES = ("true", "yes", "on", "checked", "enabled", "✓", "✔", "✅")
_NO = ("false", "no", "off", "unchecked", "disabled", "✗", "✘", "❌")
_SOURCES = ("element", "labelled", "value", "extract", "note", "find", "text")
"""The better the earlier: what a person finds at once."""


@dataclass(frozen=True, slots=True)
class Field:
    """What a value is for."""

    path: tuple[str, ...]
    words: FieldWords
    answer: Mapping[str, Any]
    """The object that the value is in."""
    anywhere: bool = False
    """Whether a place counts that nothing connects with the field."""


class ValueSearch:
    """Looks up the values of one sample's answers in its sightings.

    The columns of a sample that fills in a form are what the task enters and reads back: then a
    short one of them is no name of the sample, and is proven like any other value.
    """

    def __init__(self, sightings: Sightings, locale: str | None) -> None:
        self._sightings, self._locale = sightings, locale
        self._readings = Readings(sightings, locale)
        self._other_forms = OtherForms(sightings, self._readings, locale)
        self._surroundings = Surroundings(sightings)
        self._found: dict[tuple[int, str, tuple[str, ...], bool], list[Sighting]] = {}

    def find(self, value: Any, field: Field) -> list[Sighting]:
        """The places that prove a value, the best first; empty if there is none."""
        key = (len(self._sightings.looks), repr(value), field.path, field.anywhere)
        if key not in self._found:
            self._found[key] = self._find(value, field)
        return self._found[key]

    def find_unnamed(self, value: Any, field: Field) -> tuple[Sighting, str] | None:
        """Where a value that no place proves stands all the same, best where it has a label; with
        the label, if no other place has another one."""
        found = self.find(value, replace(field, anywhere=True))[:MAX_UNNAMED]
        labels = [self._surroundings.label_of(s.spot, s.start, s.end) for s in found]
        labelled = [place for place in zip(found, labels, strict=True) if place[1]]
        if not labelled:
            return (found[0], "") if found else None
        place, label = labelled[0]
        return place, label if len({label for _, label in labelled}) == 1 else ""

    def _find(self, value: Any, field: Field) -> list[Sighting]:
        if isinstance(value, bool):
            return self._booleans(value, field)
        if isinstance(value, int | float | Decimal):
            return self._numbers(Decimal(str(value)), field)
        text = str(value)
        found = self._ranked(self._texts(text), text, field)
        if not found:
            found = self._ranked(self._other_forms.find(text), text, field)
        if not found and (spot := find_joined(text, self._sightings)) is not None:
            found = [Sighting(spot, 0, len(self._sightings.spots[spot].text), "joined")]
        return found

    def _texts(self, value: str) -> Iterator[Sighting]:
        """Where the text itself stands, whole token by whole token."""
        wanted = words(value)
        candidates = self._sightings.with_words(wanted) if wanted else self._without_words(value)
        for number in reversed(candidates):
            for match in matches(value, self._sightings.spots[number].text):
                yield Sighting(number, match.start, match.end, match.rule)

    def _without_words(self, value: str) -> list[int]:
        key = value.strip()
        return [n for n, spot in enumerate(self._sightings.spots) if spot.text == key]

    def _numbers(self, value: Decimal, field: Field) -> list[Sighting]:
        written = format(value.normalize(), "f")
        texts = (place for place in self._texts(written) if not self._is_negated(place, value))
        found = [*texts, *self._readings.sightings_of(value)]
        return self._ranked(found, written, field, value) or self._scaled(value, field)

    def _is_negated(self, place: Sighting, value: Decimal) -> bool:
        """Whether a text or cell is nothing but an amount in parentheses, which is another number
        than the one in it: (0.17) is -0.17."""
        text = self._sightings.spots[place.spot].text
        if not _IN_PARENTHESES.fullmatch(cells_of(text)[column_at(text, place.start)]):
            return False
        values = self._readings.values_around(place.spot, place.start, place.end)
        return bool(values) and value not in values

    def _scaled(self, value: Decimal, field: Field) -> list[Sighting]:
        """Where the page gives a number in thousands or the like, and says so."""
        found = []
        for scale, power in SCALES.items():
            smaller = value.scaleb(-power)
            written = format(smaller.normalize(), "f")
            found += [
                replace(place, rule=scale)
                for place in self._ranked(
                    self._readings.sightings_of(smaller), written, field, smaller
                )
                if place.is_named
                and place.rule == "number"
                and scale_of(self._surroundings, place.spot, place.start, place.end) == scale
            ]
        return found

    def _booleans(self, value: bool, field: Field) -> list[Sighting]:
        """A yes or no stands on every page, however long its word is: one counts where the page
        connects it with the field."""
        found = [
            (sighting, word in _YES)
            for word in (*_YES, *_NO)
            for sighting in self._ranked(self._texts(word), word, field)
            if (sighting.is_named or field.anywhere) and self._may_answer(sighting)
        ]
        # "Requires attention" shares a word with the field that "Requires approval" is called by.
        best = max((self._likeness(sighting, field) for sighting, _ in found), default=None)
        own = [s for s, is_yes in found if is_yes == value and self._likeness(s, field) == best]
        # The first one, also as it stood there before, or elsewhere on the page.
        same = [s for s in own if self._is_same_place(s, own[0])]
        return [replace(sighting, rule="boolean") for sighting in same]

    def _is_same_place(self, one: Sighting, other: Sighting) -> bool:
        a, b = (self._sightings.spots[sighting.spot] for sighting in (one, other))
        return replace(a, box=b.box) == b

    def _likeness(self, sighting: Sighting, field: Field) -> tuple[int, int]:
        """How many of the field's words a place is called by, and how few others."""
        label = self._sightings.spots[sighting.spot].label
        found = len(field.words.found_in(label))
        return found, found - len(words(label))

    def _may_answer(self, sighting: Sighting) -> bool:
        """Whether a word may be a yes or no: not the name of a state (“checked” of checked=false),
        and not the state of a tab, or of a link to what a page shows now."""
        spot = self._sightings.spots[sighting.spot]
        key = spot.text[: sighting.start]
        is_of_part = key.endswith("current=") or (key.endswith("=") and spot.role == "tab")
        return not is_of_part and not spot.text.startswith("=", sighting.end)

    # -- judging -----------------------------------------------------------------------------

    def _ranked(
        self,
        found: Iterable[Sighting],
        value: str,
        field: Field,
        number: Decimal | None = None,
    ) -> list[Sighting]:
        """The places that count, the best first."""
        number = number if number is not None else _number(value)
        judged = []
        for sighting in islice(found, MAX_TRIED):
            spot = self._sightings.spots[sighting.spot]
            if self._is_cut(spot, sighting) or self._is_entered(spot, value):
                continue
            is_named = self._surroundings.name_field(
                field.words, sighting.spot, sighting.start, sighting.end
            ) or _stands_with_its_item(spot, value, field)
            if is_named or field.anywhere or not self._needs_name(sighting, value, number):
                judged.append(replace(sighting, is_named=is_named))
        return sorted(self._with_others(judged), key=self._rank)

    def _is_cut(self, spot: Spot, sighting: Sighting) -> bool:
        """Whether a text that ends at this place of a spot goes on where nobody can read it: the
        observation was cut there, or the page itself has an ellipsis, perhaps on a button."""
        whole = _ELLIPSIS.sub("", spot.text)
        if sighting.end < len(whole):
            return False
        return spot.cut or len(whole) < len(spot.text) or self._begins_rest(sighting.spot)

    def _begins_rest(self, number: int) -> bool:
        """Whether what follows a spot on its line begins with an ellipsis: "…see more"."""
        looks = self._sightings.looks_of[number]
        order = self._sightings.looks[looks[-1]].spots
        at = order.index(number) + 1
        spot, after = self._sightings.spots[number], order[at : at + 1]
        return any(
            spot.source == other.source == "element" and are_beside(spot.box, other.box)
            for other in map(self._sightings.spots.__getitem__, after)
            if GOES_ON.match(other.text)
        )

    def _is_entered(self, spot: Spot, value: str) -> bool:
        """Whether a spot has a value only because the agent entered it there, or had it before."""
        if not self._sightings.fills_in():
            return self._sightings.is_own(spot, value)
        if self._sightings.is_own(spot, value):
            return not self._sightings.is_read_back(spot, value)
        return self._sightings.is_older_than_entry(spot, value)

    def _with_others(self, judged: list[Sighting]) -> list[Sighting]:
        """The places, with those in other entries of lists marked if an entry that names the sample
        has the value, too: "Paid" stands in the rows of many."""
        rows = [self._sightings.spots[sighting.spot].row for sighting in judged]
        own = [len(cells_of(row)) > 2 and self._sightings.names_sample(row) for row in rows]
        if not any(own):
            return judged
        return [
            replace(sighting, is_of_other=len(cells_of(row)) > 2 and not is_own)
            for sighting, row, is_own in zip(judged, rows, own, strict=True)
        ]

    def _needs_name(self, sighting: Sighting, value: str, number: Decimal | None) -> bool:
        """Whether a text is so common that it proves nothing where the field is not named."""
        spot = self._sightings.spots[sighting.spot]
        is_short = weight(value.strip()) < SHORT
        is_given = same_text(value) in self._sightings.given
        if (
            is_given
            and spot.source in ("element", "labelled")
            and not (is_short and self._sightings.fills_in())
        ):
            return False
        if is_short:
            return True
        if number is not None:
            return number == number.to_integral_value() and abs(number) < SMALL
        is_one_word = len(words(value)) == 1 and len(value) < COMMON
        if not is_one_word or value != value.casefold():
            return False
        return value.strip() not in cells_of(spot.text)

    def _rank(self, sighting: Sighting) -> tuple[object, ...]:
        spot = self._sightings.spots[sighting.spot]
        source = _SOURCES.index(spot.source) if spot.source in _SOURCES else len(_SOURCES)
        newest = self._sightings.looks_of[sighting.spot][-1]
        is_plain = (not sighting.is_named, sighting.is_of_other, sighting.rule != "")
        is_elsewhere = not self._sightings.is_titled_like_sample(newest)
        return spot.hidden, *is_plain, is_elsewhere, source, len(spot.text), -newest


def _stands_with_its_item(spot: Spot, value: str, field: Field) -> bool:
    """Whether the row of a value has another value of the same item of an array."""
    if len(field.path) == 1:
        return False
    row = spot.record or spot.text
    others = [v for v in field.answer.values() if isinstance(v, str) and len(v) >= SHORT]
    return any(v != value and next(matches(v, clean(row)), None) is not None for v in others)


def _number(value: str) -> Decimal | None:
    try:
        return Decimal(value)
    except InvalidOperation:
        return None
