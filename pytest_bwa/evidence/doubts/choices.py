"""Finds what is chosen, where a value is only the name of a choice that is not; and the yes or no
that has the name of a field, where the answer says the opposite. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.own_record import (
    OwnRecord,
    has_own_labels,
    is_certain,
    is_labelled_as,
    is_of_others,
    lines_of,
)
from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.labels.labelled_at import ANSWERED_KINDS
from pytest_bwa.evidence.lookup.answers import answer_of
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import clean
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.steps import TICKED_ROLES, UNDECIDED, LabelledValue, Observation

_CHOICES = frozenset({"radio", "tab", "option", "menuitemradio", "treeitem"})
_IS_CHOSEN = ("=true", "current=")


class OtherChoice:
    """Looks for it in one sample's sightings."""

    def __init__(self, sightings: Sightings) -> None:
        self._sightings = sightings

    def find(self, claim: Claim) -> tuple[str, ...]:
        """The names of the chosen ones of a value's group: of the tabs or radio buttons below one
        heading, or of the steps of one list, of which one is the current step."""
        own = claim.spots
        if not own or any(spot.ref is None for spot in own):
            return ()
        chosen = [spot for spot in self._chosen(claim) if all(_is_of_group(spot, s) for s in own)]
        if any(spot.ref == other.ref for spot in chosen for other in own):
            return ()
        return tuple(dict.fromkeys(spot.name for spot in chosen))

    def _chosen(self, claim: Claim) -> Iterator[Spot]:
        for number in claim.look.spots:
            spot = self._sightings.spots[number]
            if spot.source == "value" and any(state in spot.text for state in _IS_CHOSEN):
                yield spot


def _is_of_group(chosen: Spot, spot: Spot) -> bool:
    """Whether a spot is a choice beside one that is chosen."""
    is_beside = (chosen.role, *chosen.setting) == (spot.role, *spot.setting)
    is_entry = spot.text == spot.record and chosen.name == chosen.record
    return is_beside and (spot.role in _CHOICES or ("current=" in chosen.text and is_entry))


class OtherAnswer:
    """Looks in one sample's sightings for what says the other of yes and no."""

    def __init__(self, sightings: Sightings, record: OwnRecord) -> None:
        self._sightings, self._record = sightings, record

    def find(self, value: bool, field: Field, found: Sequence[Sighting]) -> tuple[str, ...]:
        """What has exactly the field's name and says the opposite, or neither where nothing says
        the same; or the field's box, if that is neither on nor off. ``found`` are the places that
        prove the value; what stands in a part below them speaks of something else."""
        pages = self._record.pages() or list(self._sightings.pages.values())[-1:]
        addresses = {page.url for page in pages}  # a dialog may have covered the box since then
        seen = [page for page in self._sightings.pages.values() if page.url in addresses]
        if box := undecided(field.words, seen):
            return box
        stated = [e for page in pages for e in self._record.stated(page, field, ANSWERED_KINDS)]
        stated = stated or self._stated_anywhere(field, found)
        answers = [answer_of(entry.value, entry.label, field.words) for entry in stated]
        same = [e for e, answer in zip(stated, answers, strict=True) if answer is value]
        proving = self._entries_at(found, same) or same
        opposite = [
            entry
            for entry, answer in zip(stated, answers, strict=True)
            if answer is (not value) and not any(_is_below(entry, upper) for upper in proving)
        ]
        chosen = [e for e in stated if e.kind == "input" and e.value]  # such as “Unknown”
        return lines_of(opposite or (() if value in answers else chosen))

    def _stated_anywhere(self, field: Field, found: Sequence[Sighting]) -> list[LabelledValue]:
        """What has the field's name in no entry of a list, on the page that has the value, else on
        the newest page where anything has it. An application may name a record nowhere but in a
        field of its form."""
        spots = [self._sightings.spots[place.spot] for place in found]
        if any(spot.row and self._sightings.names_sample(spot.row) for spot in spots):
            return []
        numbers = [self._sightings.looks_of[place.spot][-1] for place in found[:1]]
        numbers = numbers or list(reversed(self._sightings.pages))
        pages = filter(None, map(self._sightings.pages.get, numbers))
        return next(filter(None, (_in_own_boxes(page, field) for page in pages)), [])

    def _entries_at(
        self, found: Sequence[Sighting], entries: Sequence[LabelledValue]
    ) -> list[LabelledValue]:
        refs = {self._sightings.spots[place.spot].ref for place in found}
        return [entry for entry in entries if entry.ref in refs]


def _in_own_boxes(page: Observation, field: Field) -> list[LabelledValue]:
    """What has exactly the field's name, and stands in a box with labels of its own."""
    kinds = ANSWERED_KINDS - {"table"}
    entries = [e for e in page.labelled if e.kind in kinds and not is_of_others(e.place)]
    return [
        entry
        for entry in entries
        if is_labelled_as(field, entry) and is_certain(entry) and has_own_labels(entry, entries)
    ]


def _is_below(entry: LabelledValue, upper: LabelledValue) -> bool:
    """Whether a value stands in a section below the one that another value stands in."""
    above = upper.place.headings
    return len(above) < len(entry.place.headings) and entry.place.headings[: len(above)] == above


def undecided(words: FieldWords, pages: Sequence[Observation]) -> tuple[str, ...]:
    """The box of a field that was neither on nor off when it was seen last: it says neither yes nor
    no."""
    for page in reversed(pages):
        boxes = [
            e for e in page.all_elements if e.role in TICKED_ROLES and words.are_all_in(e.name)
        ]
        if boxes:
            are_open = all(UNDECIDED in box.states for box in boxes)
            return (f"{clean(boxes[0].name)}: neither on nor off",) if are_open else ()
    return ()
