"""Finds a value whose parts stand in several texts beside each other. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import words
from pytest_bwa.evidence.sightings import Look, Sightings
from pytest_bwa.text import CELLS, cells_of

REACH = 8
"""Texts before and after the first part that the others may be in."""
MAX_TRIED = 50
"""Places at which a value may begin that are looked at, the newest first."""
Words = tuple[str, ...]


def find_joined(value: str, sightings: Sightings) -> int | None:
    """The spot with the first part of a value: one that runs on over texts that follow each other,
    or one made of whole texts or cells beside each other, in any order."""
    wanted = tuple(words(value))
    if len(wanted) < 2:
        return None
    for number in sightings.with_words(wanted[:1])[: -MAX_TRIED - 1 : -1]:
        if sightings.is_own(sightings.spots[number], sightings.spots[number].text):
            continue
        look = sightings.looks[sightings.looks_of[number][-1]]
        pieces = list(_pieces_near(look, number, sightings))
        if _runs_on(wanted, number, pieces) or _is_made_of(wanted, number, pieces):
            return number
    return None


def _pieces_near(look: Look, number: int, sightings: Sightings) -> Iterator[tuple[int, Words]]:
    """The words of the texts and cells around a spot, in the order of the page."""
    at, spot = look.spots.index(number), sightings.spots[number]
    before = ""
    for near in look.spots[max(0, at - REACH) : at + REACH + 1]:
        other = sightings.spots[near]
        is_field = other.source == "value" and not sightings.is_own(other, other.text)
        is_text = is_field or other.source in ("element", "labelled", "text", "extract")
        is_repeated = near != number and other.text in before  # a link inside the text before it
        is_apart = near != number and _are_of_two_rows(spot, other)
        if is_text and other.frame == spot.frame and not is_repeated and not is_apart:
            before = other.text
            for cell in cells_of(other.text):
                yield near, tuple(words(cell))


def _are_of_two_rows(one: Spot, other: Spot) -> bool:
    """Whether two spots stand in different rows: a name is not made of the parts of two."""
    return one.row != other.row and CELLS in one.row and CELLS in other.row


def _runs_on(wanted: Words, number: int, pieces: Sequence[tuple[int, Words]]) -> bool:
    """Whether the value begins in this spot, fills the texts after it and ends in one of them."""
    for at, (spot, piece) in enumerate(pieces):
        if spot != number:
            continue
        for begin in range(len(piece)):
            run = piece[begin:]
            if run != wanted[: len(run)]:
                continue
            for _, following in pieces[at + 1 :]:
                left = wanted[len(run) :]
                if left and following[: len(left)] == left:
                    return True
                run += following
                if run != wanted[: len(run)]:
                    break
    return False


def _is_made_of(wanted: Words, number: int, pieces: Sequence[tuple[int, Words]]) -> bool:
    """Whether the value is whole pieces one after the other, the first of them in this spot."""
    own = [piece for spot, piece in pieces if spot == number and piece]
    others = {piece for _, piece in pieces if piece}
    return any(
        wanted[: len(piece)] == piece and _covers(wanted[len(piece) :], others - {piece})
        for piece in own
        if len(piece) < len(wanted)
    )


def _covers(left: Words, pieces: set[Words]) -> bool:
    if not left:
        return True
    return any(
        left[: len(piece)] == piece and _covers(left[len(piece) :], pieces - {piece})
        for piece in pieces
    )
