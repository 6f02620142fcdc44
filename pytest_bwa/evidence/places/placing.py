"""Finds for a value of an answer the place that a later run can read it from again. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import clean, matches
from pytest_bwa.evidence.places.value_place import (
    Part,
    Readable,
    ReadablePage,
    ValuePlace,
    locate,
    rows_like,
)
from pytest_bwa.evidence.sightings import Look
from pytest_bwa.place_identity import PlaceNotFound, address_pattern
from pytest_bwa.steps import Box
from pytest_bwa.text import CELLS

_PARTS: Mapping[str, tuple[Part, ...]] = {
    "link": ("address",),
    "address": ("url",),
    "note": ("note",),
    "title": ("title", "text"),
    "value": ("value", "state", "text"),
}
"""Which parts of a page a spot of some source can be; any other is a text, or in a field."""

MAX_CHARACTERS = 200
"""Of a longer text only the whole is a place."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    readable: Readable
    text_before: str
    text_after: str
    named_by: int
    """What names it like the field: its label (0), the words around it (1), its row or heading (2);
    or nothing (3)."""

    @property
    def rank(self) -> tuple[int, bool, bool]:
        """The smaller, the more certain: named like the field, the whole text, and labelled."""
        is_part = bool(self.text_before or self.text_after)
        return self.named_by, is_part, not self.readable.label


def place_of(
    piece: str, spot: Spot, look: Look, page: ReadablePage, words: FieldWords
) -> ValuePlace | None:
    """The place of a piece of a spot's text; None if the page calls it nothing certain, or has
    another place that nothing tells from it."""
    found = sorted(_candidates(piece, spot, page, words), key=lambda c: c.rank)
    for candidate in found:
        rivals = [c for c in found if c.rank == candidate.rank]
        labels = {(c.readable.label, c.text_before, c.text_after) for c in rivals}
        if len(labels) > 1:
            return None
        place = _place(candidate, piece, look, page)
        try:
            found_again = locate(place, page)
            if clean(found_again.text) == piece:
                return _with_row(place, found_again.place.record, page)
        except PlaceNotFound:
            continue
    return None


def _with_row(place: ValuePlace, record: str, page: ReadablePage) -> ValuePlace:
    rows = rows_like(place, page) if place.identity.record else []
    if record not in rows:
        return place
    return place.model_copy(update={"peers": len(rows), "row": rows.index(record) + 1})


def with_others(place: ValuePlace, spots: Sequence[Spot]) -> ValuePlace:
    """The place with whether the value stands elsewhere, too; ``spots`` are all that have it."""
    parts = {(spot.headings, spot.record) for spot in spots if spot.box is not None}
    return place.model_copy(update={"is_only": len(parts) <= 1})


def list_place_of(
    items: Sequence[Any], look: Look, page: ReadablePage, words: FieldWords
) -> ValuePlace | None:
    """The labelled value of a page that lists just these items, under a label of the
    field; None if there is none."""
    for readable in page.readables:
        if readable.part != "items" or readable.refusal or not words.are_in(readable.label):
            continue
        if [clean(item) for item in readable.items] == [clean(str(item)) for item in items]:
            place = _place(_Candidate(readable, "", "", 0), clean(readable.text), look, page)
            with suppress(PlaceNotFound):
                locate(place, page)
                return place
    return None


def _place(candidate: _Candidate, piece: str, look: Look, page: ReadablePage) -> ValuePlace:
    readable = candidate.readable
    return ValuePlace(
        identity=page.identity(readable),
        part=readable.part,
        page=address_pattern(page.page.url),
        steps_done=look.steps_done,
        text=piece,
        text_before=candidate.text_before,
        text_after=candidate.text_after,
        datetime=readable.datetime,
    )


def _candidates(
    piece: str, spot: Spot, page: ReadablePage, words: FieldWords
) -> Iterator[_Candidate]:
    parts = _PARTS.get(spot.source, ("text", "value"))
    for readable in page.readables:
        if readable.part not in parts or readable.refusal or readable.place.frame != spot.frame:
            continue
        if not _is_at(spot, readable, words):
            continue
        text = clean(readable.text)
        around = _around(piece, text, is_joined="\n" in readable.text or CELLS in text)
        if around is None:
            continue
        before, text_after = around
        if readable.label or any(character.isalpha() for character in before + text_after):
            place = readable.place
            names = (
                readable.label,
                f"{before} … {text_after}",
                " … ".join([place.record_name, *place.headings[-1:]]),
            )
            named_by = next((n for n, name in enumerate(names) if words.are_in(name)), len(names))
            yield _Candidate(readable, before, text_after, named_by)


def _is_at(spot: Spot, readable: Readable, words: FieldWords) -> bool:
    """Whether a readable text is where a spot is; without a box, whether its label says so."""
    if readable.part in ("title", "url"):
        return True
    if spot.box is None:
        return words.are_in(readable.label)
    return _is_here(readable.box, spot.box)


def _around(piece: str, text: str, *, is_joined: bool) -> tuple[str, str] | None:
    """What stands before and after a piece of a text; None if it is not in it. A part of a text of
    several lines or cells has no place of its own: what is around it may grow."""
    if text == piece:
        return "", ""
    match = next(matches(piece, text), None)
    if match is None or text[match.start : match.end] != piece:
        return None
    if is_joined or len(text) > MAX_CHARACTERS:
        return None
    return text[: match.start], text[match.end :]


def _is_here(a: Box | None, b: Box) -> bool:
    """Whether one box is mostly inside the other."""
    if a is None:
        return False
    across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    down = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    smaller = min(a.width * a.height, b.width * b.height)
    return across > 0 and down > 0 and across * down >= smaller / 2
