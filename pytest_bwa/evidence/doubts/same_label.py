"""Finds what stands under the label of a value in other parts of the page. Pure.

It counts where nothing tells that the value is the sample's: most pages say many things with the
same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.difference import MAX_CHARACTERS, differs
from pytest_bwa.evidence.doubts.own_record import is_foreign, is_sentence
from pytest_bwa.evidence.labels.announcing import Announcing, is_pair, record_of
from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.labels.labelled_at import labelled_at
from pytest_bwa.evidence.labels.surroundings import Surroundings
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import matches, same_text
from pytest_bwa.evidence.sightings import Look, Sightings
from pytest_bwa.spec.notation.record_names import names_alike, tells_its_kind
from pytest_bwa.text import cells_of

_VALUE_CHARACTERS = 60
_BELOW_HEADINGS = ("text", "link")
_TEXT_SOURCES = ("element", "labelled", "value")


class SameLabel:
    """Looks for it in one sample's sightings."""

    def __init__(
        self,
        sightings: Sightings,
        locale: str | None,
        is_below_name: Callable[[Sighting], bool],
        words_of: Callable[[str], FieldWords],
    ) -> None:
        """``is_below_name``: whether a place is a value right below the sample's own heading;
        ``words_of``: the words of a field of the answer."""
        self._sightings, self._locale = sightings, locale
        self._is_below_name, self._words_of = is_below_name, words_of
        self._surroundings = Surroundings(sightings)
        self._known_fields: dict[tuple[object, ...], set[str]] = {}
        """By look, part of the page and answer, the fields that have a label there."""

    def find(self, claim: Claim) -> tuple[str, ...]:
        """The other texts, with the label."""
        words, look = claim.field.words, claim.look
        here = [
            (self.label_of(s) or self._heading_above(s.spot, look), s.spot)
            for s in claim.found
            if s.spot in look.spots
        ]
        named = [(label, spot) for label, spot in here if label and words.are_in(label)]
        if not named or any(map(self._is_below_name, claim.found)):
            return ()
        label = min((label for label, _ in named), key=len)
        own = [number for text, number in named if same_text(text) == same_text(label)]
        same = {sighting.spot for sighting in claim.found}
        locale = self._locale or look.language or None
        others: dict[str, None] = {}
        is_of_page = any(not self._is_foreign(number, look) for number in own)
        may_be_of_another = any(self._is_of_another(number, label) for number in own)
        announcing = Announcing(self._sightings.spots, look, words, label)
        page = self._sightings.pages.get(look.number)
        labels = {same_text(entry.label) for entry in page.labelled} if page else set()
        for spot, text in self._values_of(label, look):
            is_of_another = not may_be_of_another and self._is_of_another(spot, label)
            if spot in same or is_of_another or (is_of_page and self._is_foreign(spot, look)):
                continue
            if same_text(text) in labels:
                continue  # the first label below a heading
            if is_sentence(text) and not is_sentence(str(claim.value)):
                continue
            is_other = differs(str(claim.value), text, locale)
            if is_other and self._is_rival(spot, own, announcing, claim):
                others[f"{label} | {text}"] = None
        return tuple(others)

    def _is_rival(
        self, spot: int, own: Sequence[int], announcing: Announcing, claim: Claim
    ) -> bool:
        """Whether what a spot says is as good a value under the label as the own ones, by where it
        stands."""
        words, label = claim.field.words, announcing.label
        if not words.may_stand(label, self._sightings.spots[spot].headings):
            return False
        is_elsewhere = all(
            (
                self._is_in_other_part(spot, number, words, label)
                or self._is_earlier(spot, number, announcing)
            )
            and not announcing.is_between(spot, number)
            for number in own
        )
        return is_elsewhere and not self._says_less(spot, own, claim, label)

    def label_of(self, place: Sighting) -> str:
        """What the page calls a value there; empty if it calls it nothing."""
        return self._surroundings.label_of(place.spot, place.start, place.end)

    def _heading_above(self, number: int, look: Look) -> str:
        """The heading that a text stands right below, as its label; empty if there is none."""
        at = look.spots.index(number)
        spots = self._sightings.spots
        return _heading_of(spots[number], spots[look.spots[at - 1]]) if at else ""

    def _values_of(self, label: str, look: Look) -> Iterator[tuple[int, str]]:
        """What stands beside a label in a look: the number of the spot, and the text."""
        key, order = same_text(label), list(look.spots)
        beside = re.compile(rf"{re.escape(label)}(?:\s*[:=]\s*|\s+(?=[\d–—-]))(\S.*)", re.I)
        for at, number in enumerate(order):
            spot = self._sightings.spots[number]
            cells = cells_of(spot.text)
            if spot.source not in _TEXT_SOURCES or len(spot.text) > 2 * MAX_CHARACTERS:
                continue
            if spot.label and same_text(spot.label) == key:
                yield number, spot.text
            elif len(cells) == 2 and same_text(cells[0].strip(" :")) == key:
                yield number, cells[1]
            elif match := beside.fullmatch(spot.text):
                yield number, match[1]
            elif at and len(spot.text) <= MAX_CHARACTERS:
                before = self._sightings.spots[order[at - 1]]
                if same_text(_heading_of(spot, before)) == key:
                    yield number, spot.text
                if spot.role != "text":
                    continue
                is_label = before.role == "text" and same_text(before.text.strip(" :")) == key
                if is_label and before.frame == spot.frame:
                    yield number, spot.text

    def _is_in_other_part(
        self, number: int, own_number: int, words: FieldWords, label: str
    ) -> bool:
        """Whether a spot stands in another part of the page than the own one, and nothing there or
        here says that it is the own one that belongs to the sample and its field."""
        rival, own = self._sightings.spots[number], self._sightings.spots[own_number]
        is_other = _part(rival, label) != _part(own, label) and not self._is_samples(own, rival)
        return is_other and not _is_named_better(own, rival, words, label)

    def _is_earlier(self, number: int, own_number: int, announcing: Announcing) -> bool:
        """Whether a spot stands in the same part of the page before the own one: the first is the
        record's, and what follows may be of what the record refers to."""
        label = announcing.label
        rival, own = self._sightings.spots[number], self._sightings.spots[own_number]
        if (
            _part(rival, label) != _part(own, label)
            or record_of(own)
            or self._is_samples(own, rival)
        ):
            return False
        return announcing.place_of[number] < announcing.place_of[own_number]

    def _says_less(self, rival: int, own: Sequence[int], claim: Claim, label: str) -> bool:
        """Whether the part of the page that a rival stands in has labels for fewer fields of the
        answer than one of the own ones: a card beside the record repeats some of its labels. What
        stands right below the sample's own heading is no such card."""
        if any(self._names_sample(h) for h in self._sightings.spots[rival].headings[-1:]):
            return False
        here = max(len(self._fields_beside(number, claim, label)) for number in own)
        return here > max(1, len(self._fields_beside(rival, claim, label)))

    def _fields_beside(self, number: int, claim: Claim, label: str) -> set[str]:
        """The fields of the answer that have a label in the part of a spot."""
        part = _part(self._sightings.spots[number], label)
        key = claim.look.number, part, frozenset(claim.field.answer)
        if key not in self._known_fields:
            self._known_fields[key] = self._fields_in(part, claim)
        return self._known_fields[key]

    def _fields_in(self, part: tuple[object, ...], claim: Claim) -> set[str]:
        spots = map(self._sightings.spots.__getitem__, claim.look.spots)
        inside = [spot for spot in spots if _may_label_in(spot, part)]
        labels = {label for spot in inside for label in _labels_of(spot)}
        fields = {name: self._words_of(name) for name in claim.field.answer}
        return {name for name, words in fields.items() if any(map(words.are_exactly, labels))}

    def _is_foreign(self, number: int, look: Look) -> bool:
        """Whether a spot stands in a frame of another site."""
        return is_foreign(self._sightings.spots[number].frame, look.url)

    def _is_of_another(self, number: int, label: str) -> bool:
        """Whether a spot stands in one of several entries, and not in the sample's, or right below
        the name of another record of the sample's kind."""
        spot = self._sightings.spots[number]
        if self._is_below_another(number):
            return True
        is_row = spot.record == spot.text and len(cells_of(spot.text)) == 2
        record = "" if is_row or is_pair(spot, label) else same_text(spot.record)
        return bool(record) and not any(_has(record, text) for text in self._sightings.telling)

    def _is_below_another(self, number: int) -> bool:
        spot = self._sightings.spots[number]
        entries = labelled_at(Sighting(number, 0, len(spot.text)), self._sightings)
        places = [spot.headings, *(entry.place.headings for entry in entries)]
        above = {same_text(heading) for headings in places for heading in headings[-1:]}
        return any(
            name not in above and any(map(names_alike(name).fullmatch, above))
            for name in filter(tells_its_kind, self._sightings.telling)
        )

    def _names_sample(self, heading: str) -> bool:
        return any(_has(same_text(heading), name) for name in self._sightings.telling)

    def _is_samples(self, own: Spot, rival: Spot) -> bool:
        """Whether only what is around the own spot names the sample."""
        here, there = (f"{_around(spot)} {same_text(spot.row)}" for spot in (own, rival))
        telling = self._sightings.telling
        return any(_has(here, text) and not _has(there, text) for text in telling)


def _has(text: str, name: str) -> bool:
    """Whether a text has a name, whole: ENG-101 is not ENG-10."""
    return next(matches(name, text), None) is not None


def _heading_of(spot: Spot, before: Spot) -> str:
    """The heading that a text stands right below, as its label; empty if there is none."""
    is_label = before.role == "heading" and spot.headings[-1:] == (before.text,)
    return before.text if is_label and spot.role in _BELOW_HEADINGS else ""


def _labels_of(spot: Spot) -> Iterator[str]:
    """What may be a label in a text: its own, itself, its first cell, what is before a colon."""
    for text in (spot.label, cells_of(spot.text)[0], spot.text.partition(":")[0]):
        if text and len(text) <= MAX_CHARACTERS:
            yield text


def _part(spot: Spot, label: str = "") -> tuple[object, ...]:
    """The part of the page that a text stands in; a heading that is its label divides none."""
    is_labelled = bool(label) and same_text("".join(spot.headings[-1:])) == same_text(label)
    headings = spot.headings[:-1] if is_labelled else spot.headings
    return headings, spot.frame, record_of(spot, label)


def _is_named_better(own: Spot, rival: Spot, words: FieldWords, label: str) -> bool:
    """Whether the field's words are around the own spot only. Two entries of one list share the
    words of its columns: there the own one needs all that the other has, and one more."""
    here, there = (_words_around(spot, words, label) for spot in (own, rival))
    are_entries = own.headings == rival.headings and own.frame == rival.frame
    if are_entries and record_of(own) and record_of(rival):
        return here > there
    return bool(here) and not there


def _words_around(spot: Spot, words: FieldWords, label: str) -> frozenset[str]:
    """The field's words in the heading and in the record around a spot, in which the label itself
    stands, too."""
    in_record = words.found_in(record_of(spot)) - words.found_in(label)
    return words.found_in(" ".join(spot.headings[-1:])) | in_record


def _may_label_in(spot: Spot, part: tuple[object, ...]) -> bool:
    """Whether a text may be a label in a part of a page. One with its value only is no record of
    its own."""
    value = spot.record.removeprefix(spot.text)
    is_pair = value != spot.record and len(value) <= _VALUE_CHARACTERS
    own = (spot.headings, spot.frame, "") if is_pair else _part(spot)
    return own == part


def _around(spot: Spot) -> str:
    return same_text(" ".join([*spot.headings[-1:], record_of(spot)]))
