"""Finds for the place of a value what a later run can find it by again. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pytest_bwa.evidence.value_place import Part, ValuePlace
from pytest_bwa.proof.places.readable import Readable, ReadablePage, locate, rows_like
from pytest_bwa.proof.sighting import Sighting
from pytest_bwa.proof.sightings import Look
from pytest_bwa.proof.spots import Spot
from pytest_bwa.proof.texts.text_match import clean, matches
from pytest_bwa.steps.place_identity import PlaceNotFound, address_pattern
from pytest_bwa.steps.step import Place
from pytest_bwa.steps.text import CELLS, cells_of

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

    @property
    def rank(self) -> tuple[bool, bool, bool, bool, int]:
        """The smaller, the more certain: nothing speaks against it, labelled, the whole text, the
        shortest."""
        own, is_part = self.readable, bool(self.text_before or self.text_after)
        return bool(own.doubt), not own.label, is_part, "\n" in own.text, len(own.text)


def place_of(spot: Spot, at: Sighting, look: Look, page: ReadablePage) -> ValuePlace:
    """The place of a piece of a spot's text, also where something speaks against the text; where
    nothing tells it from others, only where it stood."""
    piece = spot.text[at.start : at.end]
    candidates = sorted(_candidates(piece, spot, page), key=lambda c: c.rank)
    for candidate in candidates:
        place = _place(candidate, piece, look, page)
        try:
            found_again = locate(place, page, is_certain=lambda found: True)
        except PlaceNotFound:
            continue
        if clean(found_again.text) == piece:
            return _with_row(place, found_again.place.record, page)
    known = candidates[0].readable if candidates else _readable(spot, at, page)
    return _place(_Candidate(known, "", ""), piece, look, page).model_copy(update={"finds": False})


def _readable(spot: Spot, at: Sighting, page: ReadablePage) -> Readable:
    """A piece of a text that nothing labels: a cell is called like the first one of its row."""
    here = (r.place for r in page.readables if r.ref is not None and r.ref == spot.ref)
    place = next(here, Place(spot.frame, headings=spot.headings))
    first = cells_of(spot.text)[0] if CELLS in spot.text else ""
    label = spot.label or (first if first != spot.text[at.start : at.end] else "")
    return Readable("text", spot.role, label, spot.text, place)


def _with_row(place: ValuePlace, record: str, page: ReadablePage) -> ValuePlace:
    rows = rows_like(place, page) if place.identity.record else []
    if record not in rows:
        return place
    return place.model_copy(update={"peers": len(rows), "row": rows.index(record) + 1})


def list_place_of(items: Sequence[Any], look: Look, page: ReadablePage) -> ValuePlace | None:
    """The labelled value of a page that lists just these items; None if there is none, or if there
    are several."""
    wanted = [clean(str(item)) for item in items]
    found = [
        readable
        for readable in page.readables
        if readable.part == "items" and not readable.doubt
        if [clean(item) for item in readable.items] == wanted
    ]
    for readable in found if len(found) == 1 else ():
        place = _place(_Candidate(readable, "", ""), clean(readable.text), look, page)
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


def _candidates(piece: str, spot: Spot, page: ReadablePage) -> Iterator[_Candidate]:
    parts = _PARTS.get(spot.source, ("text", "value"))
    for readable in page.readables:
        if readable.part not in parts or readable.place.frame != spot.frame:
            continue
        if not _is_at(spot, readable):
            continue
        text = clean(readable.text)
        around = _around(piece, text, is_joined="\n" in readable.text or CELLS in text)
        if around is not None:
            yield _Candidate(readable, *around)


def _is_at(spot: Spot, readable: Readable) -> bool:
    """Whether a readable text is where a spot is, or within the row that a spot is."""
    if readable.part in ("title", "url"):
        return spot.box is None
    if readable.ref is not None and readable.ref in (spot.ref, spot.holder):
        return True
    if spot.role == "row" and readable.place.record:
        return clean(readable.place.record) == spot.text
    return spot.is_inside(readable.box) or Spot("", box=readable.box).is_inside(spot.box)


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
