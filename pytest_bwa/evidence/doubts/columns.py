"""Finds the column whose head names a field better than that of the column a value stands in: of
the years 2024, 2025 and 2026, of plan and actual; or the sample's, where each column is something
else's. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.difference import differs
from pytest_bwa.evidence.doubts.own_record import OwnRecord
from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.labels.surroundings import Surroundings
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import clean
from pytest_bwa.evidence.sightings import Look, Sightings
from pytest_bwa.text import cells_of, column_at, label_key

Rank = tuple[bool, frozenset[str]]
"""Whether the head of a column names the sample, and the field's words that it has."""


class OtherColumn:
    """Looks for it in one sample's sightings."""

    def __init__(self, sightings: Sightings, locale: str | None) -> None:
        self._sightings, self._locale = sightings, locale
        self._surroundings = Surroundings(sightings)
        self._record = OwnRecord(sightings)

    def find(self, claim: Claim) -> tuple[str, ...]:
        """The cell of each row that a value stands in, in the sample's column, or in the one that
        the field's name names with all words of the value's column and one more; nothing if the
        value also stands outside of such rows."""
        others: dict[str, None] = {}
        for place, spot in claim.places():
            other = self._in_row(claim, place, spot, claim.look)
            if not other:
                return ()
            others[other] = None
        return tuple(others)

    def _in_row(self, claim: Claim, place: Sighting, spot: Spot, look: Look) -> str:
        if spot.role != "row" or place.spot not in look.spots:
            return ""
        cells, column = cells_of(spot.text), column_at(spot.text, place.start)
        if self._is_labelled_in_row(cells, column, look):
            return ""
        head = self._surroundings.head_of(look, place.spot, len(cells))
        if head is None:
            return ""
        # A number in a field's name says which column it is, and a general word may, too.
        words = FieldWords([claim.field.path[-1]], keeps_all=True)
        ranks = [(self._record.is_name(cell), words.found_in(cell)) for cell in head]
        locale = self._locale or look.language or None
        for at, (label, cell) in enumerate(zip(head, cells, strict=True)):
            is_better = at > 0 and _is_better(ranks[at], ranks[column])
            if is_better and cell and differs(str(claim.value), cell, locale):
                return f"{label} | {cell}"
        return ""

    def _is_labelled_in_row(self, cells: Sequence[str], column: int, look: Look) -> bool:
        """Whether the cell before another one is its label: "Opened: | 3 May | Agent: | Ann"."""
        page = self._sightings.pages.get(look.number)
        pair = label_key(cells[column - 1]), cells[column]
        return (
            column > 0
            and page is not None
            and any(
                entry.kind == "definition" and (label_key(entry.label), clean(entry.value)) == pair
                for entry in page.labelled
            )
        )


def _is_better(rival: Rank, own: Rank) -> bool:
    if rival[0] != own[0]:
        return rival[0]
    return rival[1] > own[1]
