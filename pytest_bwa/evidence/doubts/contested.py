"""Finds where a page gives a value's label another value: that of another record, or none. Pure.

A value is also contested by what the sample's own record has under exactly the field's name: an
order in a comment or in the text of a picture is no value of the record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pytest_bwa.evidence.doubts.choices import OtherAnswer, OtherChoice
from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.columns import OtherColumn
from pytest_bwa.evidence.doubts.difference import differs, has_nothing_of, is_piece
from pytest_bwa.evidence.doubts.other_entry import OtherEntry, OtherRow
from pytest_bwa.evidence.doubts.other_group import other_group
from pytest_bwa.evidence.doubts.other_reading import range_of
from pytest_bwa.evidence.doubts.own_record import OwnRecord, Stated, line_of, lines_of
from pytest_bwa.evidence.doubts.same_label import SameLabel
from pytest_bwa.evidence.doubts.standing import (
    is_in_named_section,
    is_out_of_section,
    painted_otherwise,
)
from pytest_bwa.evidence.doubts.units import OtherUnit
from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.labels.labelled_at import ANSWERED_KINDS, labelled_at
from pytest_bwa.evidence.labels.surroundings import clause_of, is_inside
from pytest_bwa.evidence.lookup.readings import dates_as_written
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.text_match import clean, matches, same_text
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.steps import RECORD_KINDS, LabelledValue, Observation
from pytest_bwa.text import label_key

MAX_CONTESTED = 3
"""Other texts that are kept for one value."""
_OPTIONS = ("radio", "option")


class ContestedValues:
    """Looks for other values in one sample's sightings."""

    def __init__(
        self, sightings: Sightings, locale: str | None, words_of: Callable[[str], FieldWords]
    ) -> None:
        """``words_of``: the words of a field of the answer."""
        self._sightings, self._locale = sightings, locale
        self._record = OwnRecord(sightings)
        self._same_label = SameLabel(sightings, locale, self._is_below_name, words_of)
        self._other_answer = OtherAnswer(sightings, self._record)
        other_entry = OtherEntry(sightings, self._record)
        self._rules = (
            self._same_label.find,
            self._in_record,
            self._empty_in_record,
            self._of_other_field,
            self._under_own_label,
            OtherColumn(sightings, locale).find,
            OtherChoice(sightings).find,
            other_entry.find,
            OtherRow(self._record, locale).find,
            other_group,
            self._in_line,
            OtherUnit(sightings).find,
            painted_otherwise,
            range_of,
        )

    def others(self, value: Any, field: Field, found: Sequence[Sighting]) -> tuple[str, ...]:
        """The texts that give the label of a value another value, with the label; ``found`` are the
        places that prove the value."""
        if _is_in_array(field):
            return ()
        if isinstance(value, bool):
            return self._other_answer.find(value, field, found)
        if not found:
            return ()
        claim = Claim(value, field, found, self._sightings)
        return next(filter(None, (rule(claim) for rule in self._rules)), ())[:MAX_CONTESTED]

    def is_out_of_section(self, value: Any, field: Field, found: Sequence[Sighting]) -> bool:
        """Whether a value stands outside of the section that the spec names for its label."""
        if not found or _is_in_array(field):
            return False
        return is_out_of_section(Claim(value, field, found, self._sightings), self._record)

    def in_object(self, value: Any, field: Field, found: Sequence[Sighting]) -> tuple[str, ...]:
        """The same for a value inside of an object that is no entry of a list: what another section
        has under its label, or the section that is called like the object under its name."""
        if isinstance(value, bool) or not found:
            return ()
        whole = replace(field, words=FieldWords(["_".join(field.path)]))
        others = self._same_label.find(Claim(value, whole, found, self._sightings))
        return (others or self._in_section(Claim(value, field, found, self._sightings)))[
            :MAX_CONTESTED
        ]

    def _in_section(self, claim: Claim) -> tuple[str, ...]:
        section = FieldWords(claim.field.path[-2:-1])
        if not any(section.are_in(" ".join(spot.headings[-1:])) for spot in claim.spots):
            return ()
        pages = self._record.pages_beside(claim.look)
        stated = self._record.stated_on(pages, claim.field, RECORD_KINDS)
        inside = [(e, p) for e, p in stated if section.are_in(" ".join(e.place.headings[-1:]))]
        return self._if_other(claim.value, inside)

    def _if_other(self, value: Any, stated: Sequence[Stated]) -> tuple[str, ...]:
        """What is stated, if all of it differs from a value."""
        are_others = [
            differs(str(value), entry.value, self._locale or page.language or None)
            for entry, page in stated
        ]
        return lines_of([e for e, _ in stated]) if are_others and all(are_others) else ()

    def _in_record(self, claim: Claim) -> tuple[str, ...]:
        """What the sample's own record has under exactly the field's name, on the page that has the
        value and on the sample's own pages, if the value is nowhere among it. Against a value that
        stands under another label, a form's field and what stands beside the content count, too."""
        pages = self._record.pages_beside(claim.look)
        stated = self._record.stated_on(pages, claim.field, RECORD_KINDS)
        if not stated and (claim.spots[0].role in _OPTIONS or not self._has_label(claim)):
            stated = self._record.stated_on(pages, claim.field, ("input",))
            stated = stated or self._record.stated_beside(pages, claim.field)
        stated = [(entry, page) for entry, page in stated if not _is_beside_section(claim, entry)]
        are_others = [self._is_other(claim, entry, page) for entry, page in stated]
        return lines_of([entry for entry, _ in stated]) if are_others and all(are_others) else ()

    def _is_other(self, claim: Claim, entry: LabelledValue, page: Observation) -> bool:
        """Whether an entry says something else than a value; where the value stands under another
        label, an entry of another kind does, too: a name in place of a number, or a weight in place
        of its unit."""
        value, locale = str(claim.value), self._locale or page.language or None
        if differs(value, entry.value, locale) or self._is_piece(claim, entry):
            return True
        if self._has_label(claim):
            return False
        return self._goes_on_elsewhere(claim, entry) or has_nothing_of(value, entry.value, locale)

    def _goes_on_elsewhere(self, claim: Claim, entry: LabelledValue) -> bool:
        """Whether a value under another label says what an entry does, and more."""
        value, stated = str(claim.value), same_text(entry.value)
        if "://" in value or any(spot.is_address for spot in claim.spots):
            return False
        is_more = stated in same_text(value) != stated
        return is_more and any(map(self._same_label.label_of, claim.found))

    def _has_label(self, claim: Claim) -> bool:
        """Whether a value stands under exactly the field's name or an alias."""
        words = claim.field.words
        return any(words.are_exactly(self._same_label.label_of(place)) for place in claim.found)

    def _empty_in_record(self, claim: Claim) -> tuple[str, ...]:
        """The place of the sample's own record that has exactly the field's name and nothing in it,
        if the value stands under no such name."""
        if self._has_label(claim):
            return ()
        pages = self._record.pages_beside(claim.look)
        is_in_form = all(spot.source == "value" for spot in claim.spots)
        kinds = ANSWERED_KINDS if is_in_form else RECORD_KINDS
        if self._record.stated_on(pages, claim.field, kinds):
            return ()
        return lines_of(list(self._record.empty_on(pages, claim.field, kinds)))

    def _of_other_field(self, claim: Claim) -> tuple[str, ...]:
        """The place of a value, if its label, or the heading right above what has no label, is
        exactly the name of another field of the answer, and has a word that the field's own name
        has not."""
        others = [FieldWords([n]) for n in claim.field.answer if n != claim.field.path[-1]]
        lines: dict[str, None] = {}
        for place, spot in claim.places_read():
            entries = labelled_at(place, self._sightings)
            has_label = entries or spot.row or place.is_named
            heading = "" if has_label else "".join(spot.headings[-1:])
            is_below_other = any(other.are_literally(heading) for other in others)
            if is_below_other and claim.field.words.leave_out(heading):
                lines[f"{heading} | {spot.text}"] = None
                continue
            named = [e for e in entries if any(other.are_exactly(e.label) for other in others)]
            if not named or any(not claim.field.words.leave_out(e.label) for e in entries):
                return ()
            lines |= dict.fromkeys(map(line_of, named))
        return tuple(lines)

    def _is_below_name(self, place: Sighting) -> bool:
        """Whether a place is a value right below the sample's own heading."""
        return any(map(self._record.is_right_below_name, labelled_at(place, self._sightings)))

    def _under_own_label(self, claim: Claim) -> tuple[str, ...]:
        """What stands right below the sample's own heading under the very label that a value has in
        the section or row of something else. Where the field's name says more than the label, it
        may mean that other record: "approver_email"."""
        words = claim.field.words
        labels = {label_key(e.label) for entries in claim.entries() for e in entries}
        labels = {k for k in labels if not words.are_in(k) or words.are_all_in(k)}
        here = claim.look.url
        is_of_another = self._sightings.own_address.is_of_another(here)
        pages = [p for p in self._record.certain_pages() if p.url == here or is_of_another]
        is_own = any(map(self._record.has_right_below_name, claim.spots))
        if not labels or is_own or is_in_named_section(claim):
            return ()
        own = [
            (entry, page)
            for page in pages
            for entry in page.labelled
            if label_key(entry.label) in labels and self._record.is_right_below_name(entry)
        ]
        return self._if_other(claim.value, own)

    def _is_piece(self, claim: Claim, entry: LabelledValue) -> bool:
        """Whether a text is only a piece of what the record says, and neither an element inside of
        it nor set apart by a mark."""
        value = claim.value
        if not isinstance(value, str) or dates_as_written(value, None):
            return False
        name, _, rest = clean(entry.value).rpartition(clean(value))
        is_figure = not any(map(str.isalpha, value))
        if is_figure and not rest and not claim.field.words.leave_out(name):
            return False  # "Python >=3.9" of requires_python
        is_element = any(
            same_text(spot.text) == same_text(value) and is_inside(spot.box, entry.box)
            for spot in claim.spots
        )
        return not is_element and is_piece(value, entry.value)

    def _in_line(self, claim: Claim) -> tuple[str, ...]:
        """Another date of the line that a date stands in, if the words beside that one are those of
        the field, and those beside this one are not: "Opened 3 May 2026 · Updated 5 May 2026"."""
        dates = {date.value for date in dates_as_written(str(claim.value), None)}
        if not dates or any(place.is_named for place in claim.found):
            return ()
        for text in (spot.text for spot in claim.spots):
            for other in dates_as_written(text, self._locale):
                clause = clause_of(text, other.start, other.end).strip()
                if other.value not in dates and claim.field.words.are_all_in(clause):
                    return (f"{clause} | {text[other.start : other.end]}",)
        return ()

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
        return dict.fromkeys(outside, lines_of(stated)[0]) if is_whole and outside else {}

    def in_row(self, value: Any, field: Field, row: str) -> str | None:
        """What a row has in the column that is called exactly like the field, if the value of an
        entry that stands in that row is nothing of it."""
        stated = [
            (entry, page)
            for page in self._sightings.pages.values()
            for entry in page.labelled
            if clean(entry.place.record) == row and field.words.are_exactly(entry.label)
        ]
        others = () if isinstance(value, bool) else self._if_other(value, stated)
        return others[0] if others else None


def _is_in_array(field: Field) -> bool:
    """Whether a value is an entry of a list, or in one: the other entries say whose it is."""
    return len(field.path) > 1 or isinstance(field.answer.get(field.path[0]), list)


def _is_beside_section(claim: Claim, entry: LabelledValue) -> bool:
    """Whether a value stands in a section that is called like its field ("Details > Priority"), and
    an entry neither there nor in one that is around it."""
    sections = [
        spot.headings
        for spot in claim.spots
        if spot.headings and claim.field.words.are_literally(spot.headings[-1])
    ]
    above = entry.place.headings
    return bool(sections) and all(section[: len(above)] != above for section in sections)
