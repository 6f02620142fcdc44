"""Finds where a page gives a value's label another value: that of another record, or none. Pure.

The same label in another part of the page counts where nothing tells that the value is the
sample's: most pages say many things with the same words. A value that stands anywhere else is also
contested by what the sample's own record has under exactly the field's name: an order in a comment
or in the text of a picture is no value of the record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from pytest_bwa.evidence.doubts.other_entry import OtherEntry
from pytest_bwa.evidence.doubts.other_group import other_group
from pytest_bwa.evidence.doubts.own_record import ANSWERED_KINDS, RECORD_KINDS, OwnRecord, line_of
from pytest_bwa.evidence.lookup.answers import answer_of
from pytest_bwa.evidence.lookup.context import FieldWords, Surroundings, clause_of, is_inside
from pytest_bwa.evidence.lookup.readings import dates_as_written, numbers_as_written
from pytest_bwa.evidence.lookup.scale import is_other_unit
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import TextMatch, clean, matches, with_currency
from pytest_bwa.evidence.lookup.value_search import Field, Sighting
from pytest_bwa.evidence.sightings import Look, Sightings, same_text
from pytest_bwa.spec.notation.numbers import currencies_in
from pytest_bwa.steps import LabelledValue

MAX_CONTESTED = 3
"""Other texts that are kept for one value."""
MAX_CHARACTERS = 60
"""A longer text is no value that stands beside a label."""
MAX_PHRASE = 4
"""Words of a short text, of which a piece may mean something else: "Not approved"."""
ROUNDED = Decimal("0.05")
"""How far a number in short form, such as 1.2k, may be from the number that it stands for."""
_NOTHING = re.compile(r"[-–—−?]+|n/?a|none|unknown|not (?:known|available|set|given)", re.I)
_OPTIONS = ("radio", "option")
_TEXT_SOURCES = ("element", "labelled", "value")


class ContestedValues:
    """Looks for other values in one sample's sightings."""

    def __init__(self, sightings: Sightings, locale: str | None) -> None:
        self._sightings, self._locale = sightings, locale
        self._surroundings = Surroundings(sightings)
        self._record = OwnRecord(sightings)
        self._other_entry = OtherEntry(sightings, self._record)

    def others(self, value: Any, field: Field, found: Sequence[Sighting]) -> tuple[str, ...]:
        """The texts that give the label of a value another value, with the label; ``found`` are the
        places that prove the value."""
        in_array = len(field.path) > 1 or isinstance(field.answer.get(field.path[0]), list)
        # A policy that reads labelled values has decided itself whose each of them is.
        if in_array or any(self._sightings.spots[s.spot].source == "labelled" for s in found):
            return ()
        if isinstance(value, bool):
            return self._opposite(value, field)
        if not found:
            return ()
        look = self._sightings.looks[self._sightings.looks_of[found[0].spot][-1]]
        elsewhere = self._elsewhere(value, field, found, look)
        in_record = elsewhere or self._in_record(value, field, found, look)
        in_entry = in_record or self._other_entry.find(found, look)
        in_entry = in_entry or other_group(value, field, found, look, self._sightings)
        in_line = in_entry or self._in_line(str(value), field, found)
        is_number = isinstance(value, int | float)
        return in_line or (self._in_other_unit(field, found, look) if is_number else ())

    def _opposite(self, value: bool, field: Field) -> tuple[str, ...]:
        """What the sample's own record has under exactly the field's name, if it is the other of
        yes and no, or speaks of it."""
        pages = self._record.pages() or list(self._sightings.pages.values())[-1:]
        stated = [e for page in pages for e in self._record.stated(page, field, ANSWERED_KINDS)]
        answers = [answer_of(entry.value, entry.label, field.words) for entry in stated]
        return _named(stated) if (not value) in answers and value not in answers else ()

    def _elsewhere(
        self, value: Any, field: Field, found: Sequence[Sighting], look: Look
    ) -> tuple[str, ...]:
        """What stands under the label of the value in other parts of the page."""
        here = [(self._label(s), s.spot) for s in found if s.spot in look.spots]
        named = [(label, spot) for label, spot in here if label and field.words.are_in(label)]
        if not named:
            return ()
        label = min((label for label, _ in named), key=len)
        own = [self._sightings.spots[n] for la, n in named if same_text(la) == same_text(label)]
        same = {sighting.spot for sighting in found}
        others: dict[str, None] = {}
        for spot, text in self._values_of(label, look):
            rival = self._sightings.spots[spot]
            is_elsewhere = all(self._may_be_other(rival, place, field.words) for place in own)
            if spot not in same and is_elsewhere and self._differs(str(value), text, look.language):
                others[f"{label} | {text}"] = None
        return tuple(others)[:MAX_CONTESTED]

    def _in_record(
        self, value: Any, field: Field, found: Sequence[Sighting], look: Look
    ) -> tuple[str, ...]:
        """What the sample's own record has under exactly the field's name, on the page that has the
        value and on the sample's own pages, if the value is nowhere among it. A form's field counts
        against a value that nothing connects with its field."""
        pages = self._record.pages_beside(look)
        stated = self._record.stated_on(pages, field, RECORD_KINDS)
        is_option = self._sightings.spots[found[0].spot].role in _OPTIONS
        if not stated and (is_option or not found[0].is_named):
            stated = self._record.stated_on(pages, field, ("input",))
        differs = [
            self._differs(str(value), entry.value, page.language)
            or self._is_piece(value, entry, found)
            for entry, page in stated
        ]
        return _named([entry for entry, _ in stated]) if differs and all(differs) else ()

    def _in_line(self, value: str, field: Field, found: Sequence[Sighting]) -> tuple[str, ...]:
        """Another date of the line that a date stands in, if the words beside that one are those of
        the field, and those beside this one are not: "Opened 3 May 2026 · Updated 5 May 2026"."""
        dates = {date.value for date in dates_as_written(value, None)}
        if not dates or any(place.is_named for place in found):
            return ()
        for place in found:
            text = self._sightings.spots[place.spot].text
            for other in dates_as_written(text, self._locale):
                clause = clause_of(text, other.start, other.end).strip()
                if other.value not in dates and field.words.are_all_in(clause):
                    return (f"{clause} | {text[other.start : other.end]}",)
        return ()

    def _in_other_unit(
        self, field: Field, found: Sequence[Sighting], look: Look
    ) -> tuple[str, ...]:
        """What the page has in the currency that the field's name ends with, if all places of a
        number are in another; or the number with its unit, if the field's is a multiple of it."""
        texts = [self._sightings.spots[s.spot].text for s in found]
        pairs = list(zip(texts, found, strict=True))
        if all(is_other_unit(field.path[-1], text[s.end :]) for text, s in pairs):
            return (texts[0][:MAX_CHARACTERS],)
        own = currencies_in(field.path[-1].rpartition("_")[2].upper())
        there = [
            currencies_in(f"{self._label(s)} {with_currency(text, s.start, s.end)}")
            for text, s in pairs
        ]
        page = self._sightings.pages.get(look.number)
        if not own or page is None or not all(there) or any(own & codes for codes in there):
            return ()
        return _named([e for e in page.labelled if own & currencies_in(f"{e.label} {e.value}")])

    def in_list(self, items: Sequence[Any], field: Field) -> dict[int, str]:
        """The numbers of the entries that are not in the list which the sample's own record has
        under exactly the field's name and which has others of them, each with that list."""
        pages = {id(page): page for page in self._sightings.pages.values()}.values()
        stated = [e for page in pages for e in self._record.stated(page, field, RECORD_KINDS)]
        inside = [
            any(next(matches(str(item), clean(entry.value)), None) for entry in stated)
            for item in items
        ]
        is_whole = not any(entry.cut for entry in stated)
        outside = [n for n, is_in in enumerate(inside) if not is_in] if any(inside) else []
        return dict.fromkeys(outside, _named(stated)[0]) if is_whole and outside else {}

    def in_row(self, value: Any, field: Field, row: str) -> str | None:
        """What a row has in the column that is called exactly like the field, if the value of an
        entry that stands in that row is nothing of it."""
        stated = [
            (entry, page.language)
            for page in self._sightings.pages.values()
            for entry in page.labelled
            if clean(entry.place.record) == row and field.words.are_exactly(entry.label)
        ]
        differs = [self._differs(str(value), entry.value, language) for entry, language in stated]
        is_other = bool(differs) and all(differs) and not isinstance(value, bool)
        return _named([entry for entry, _ in stated])[0] if is_other else None

    def _is_piece(self, value: Any, entry: LabelledValue, found: Sequence[Sighting]) -> bool:
        """Whether a text is only a piece of what the record says ("progress" of "In progress"), and
        neither an element inside of it nor set apart by a mark."""
        spots = (self._sightings.spots[s.spot] for s in found)
        is_element = any(
            same_text(spot.text) == same_text(value) and is_inside(spot.box, entry.box)
            for spot in spots
            if isinstance(value, str)
        )
        if not isinstance(value, str) or is_element or dates_as_written(value, None):
            return False
        text = clean(entry.value)
        is_amount = _whole_number(value, None) & _whole_number(text, self._locale)
        if is_amount or len(text.split()) > MAX_PHRASE or "@" in value:
            return False  # 300.00 of USD 300.00
        pieces = [_goes_on(text, match, value) for match in matches(value, text)]
        return bool(pieces) and all(pieces)

    def _label(self, sighting: Sighting) -> str:
        return self._surroundings.label_of(sighting.spot, sighting.start, sighting.end)

    def _values_of(self, label: str, look: Look) -> Iterator[tuple[int, str]]:
        """What stands beside a label in a look: the number of the spot, and the text."""
        key, order = same_text(label), list(look.spots)
        beside = re.compile(rf"{re.escape(label)}(?:\s*[:=]\s*|\s+(?=[\d–—-]))(\S.*)", re.I)
        for at, number in enumerate(order):
            spot = self._sightings.spots[number]
            cells = spot.text.split(" | ")
            if spot.source not in _TEXT_SOURCES or len(spot.text) > 2 * MAX_CHARACTERS:
                continue
            if spot.label and same_text(spot.label) == key:
                yield number, spot.text
            elif len(cells) == 2 and same_text(cells[0].strip(" :")) == key:
                yield number, cells[1]
            elif match := beside.fullmatch(spot.text):
                yield number, match[1]
            elif at and spot.role == "text" and len(spot.text) <= MAX_CHARACTERS:
                before = self._sightings.spots[order[at - 1]]
                is_label = before.role == "text" and same_text(before.text.strip(" :")) == key
                if is_label and before.frame == spot.frame:
                    yield number, spot.text

    def _may_be_other(self, rival: Spot, own: Spot, words: FieldWords) -> bool:
        """Whether a spot stands in another part of the page, and nothing there or here says that it
        is the own one that belongs to the sample and its field."""
        if (rival.headings, rival.frame, _record(rival)) == (own.headings, own.frame, _record(own)):
            return False
        given = self._sightings.telling
        here, there = _around(own), _around(rival)
        is_samples = any(text in here and text not in there for text in given)
        return not is_samples and not _is_named_better(own, rival, words)

    def _differs(self, value: str, text: str, language: str) -> bool:
        """Whether two texts that have the same label are of one kind, and do not mean the same."""
        if _NOTHING.fullmatch(text.strip()):
            return same_text(value) != same_text(text)
        locale = self._locale or language or None
        is_part = next(matches(value, clean(text)), None) or next(matches(text, clean(value)), None)
        if is_part is not None or len(text) > MAX_CHARACTERS:
            one, other = _whole_number(value, None), _whole_number(clean(text), locale)
            return bool(one and other) and not one & other  # 1,250.00 of (1,250.00)
        if dates := {date.value for date in dates_as_written(value, None)}:
            written = {date.value for date in dates_as_written(text, locale)}
            return bool(written) and not dates & written
        own = [n.value for n in numbers_as_written(value, None) if n.end - n.start == len(value)]
        if not own:
            return any(character.isalpha() for character in text) or _is_other_code(value, text)
        numbers = [reading.value for reading in numbers_as_written(text, locale)]
        numbers += [number / 100 for number in numbers] if "%" in text else []  # 0.12 for 12 %
        is_short = re.search(r"\d\s?[kKmM]\b", text) is not None
        return bool(numbers) and not any(_is_near(a, b, is_short) for a in own for b in numbers)


def _named(stated: Sequence[LabelledValue]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(line_of, stated)))[:MAX_CONTESTED]


def _whole_number(text: str, locale: str | None) -> set[Decimal]:
    """The numbers that the whole text may mean."""
    readings = numbers_as_written(text, locale)
    return {n.value for n in readings if (n.start, n.end) == (0, len(text))}


def _is_other_code(value: str, text: str) -> bool:
    """Whether both are digits and marks, as a telephone number is, and one is no end of the other:
    a prefix may be missing."""
    one, other = (re.sub(r"\D", "", t).lstrip("0") for t in (value, text))
    is_code = not any(character.isalpha() for character in value + text) and one and other
    return bool(is_code) and not one.endswith(other) and not other.endswith(one)


def _goes_on(text: str, match: TextMatch, value: str) -> bool:
    """Whether a text goes on with a word right beside a match; beside a number, it may be a unit,
    unless it is joined to it, as in INV-20418."""
    before, after = text[: match.start], text[match.end :]
    if value.strip().isdecimal():  # "5550" of "+47 5550 1234", and not "30" of "30 days"
        return re.search(r"(?:\w[-_/.]|\d\s)$", before) is not None or (
            re.match(r"[-_/.]\w|\s\d", after) is not None
        )
    return re.search(r"\w[-_/.\s]$", before) is not None or (
        re.match(r"[-_/.\s]\w", after) is not None
    )


def _is_near(a: Decimal, b: Decimal, is_short: bool) -> bool:
    return a == b or (is_short and abs(a - b) <= ROUNDED * max(abs(a), abs(b)))


def _is_named_better(own: Spot, rival: Spot, words: FieldWords) -> bool:
    """Whether the field's words are around the own spot only. Two entries of one list share the
    words of its columns: there the own one needs all that the other has, and one more."""
    here, there = words.found_in(_around(own)), words.found_in(_around(rival))
    are_entries = own.headings == rival.headings and own.frame == rival.frame
    if are_entries and _record(own) and _record(rival):
        return here > there
    return bool(here) and not there


def _record(spot: Spot) -> str:
    """The record that a spot is a part of; a row alone is none."""
    return "" if spot.record == spot.text else spot.record


def _around(spot: Spot) -> str:
    return same_text(" ".join([*spot.headings[-1:], _record(spot)]))
