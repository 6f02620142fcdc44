"""Finds the sample's own entry of a list, where a value stands only in others of it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.difference import MAX_CHARACTERS
from pytest_bwa.evidence.doubts.own_record import OwnRecord
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import CELLS, cells_of
from pytest_bwa.evidence.sightings import Look, Sightings, same_text

_READ = ("element", "value", "labelled", "link")
List = tuple[str, tuple[str, ...], int]
"""A frame, the headings above a list, and how many cells its entries have."""
Entry = tuple[List, str]


class OtherEntry:
    """Looks for it in one sample's sightings. An entry is a row, a record, or what a heading below
    others is above; no label tells whose a value is there."""

    def __init__(self, sightings: Sightings, record: OwnRecord) -> None:
        self._sightings, self._record = sightings, record

    def find(self, claim: Claim) -> tuple[str, ...]:
        """The one entry that is called like the sample, on a page that is not the sample's."""
        page = self._sightings.pages.get(claim.look.number)
        if page is None or self._record.is_named(page) or self._record.is_own_page(page):
            return ()
        rows = self._rows_by_cell(claim.look)
        read = [spot for spot in claim.spots if spot.source in _READ]
        entries = [_row_opened(spot, rows) or _entry(spot) for spot in read]
        if not entries or any(
            not text or self._sightings.names_sample(text) for _, text in entries
        ):
            return ()
        lists = {of for of, _ in entries}
        own = self._own_entries(claim.look)
        named = own[lists.pop()] if len(lists) == 1 else set()
        return tuple(text[:MAX_CHARACTERS] for text in named) if len(named) == 1 else ()

    def _rows_by_cell(self, look: Look) -> dict[str, Entry]:
        """The rows of a page by the texts of their cells; the first that has each."""
        rows: dict[str, Entry] = {}
        for spot in (self._sightings.spots[number] for number in look.spots):
            for cell in cells_of(spot.text) if spot.role == "row" else ():
                rows.setdefault(same_text(cell), _entry(spot))
        return rows

    def _own_entries(self, look: Look) -> defaultdict[List, set[str]]:
        """The entries of each list of a page that are called like the sample."""
        own: defaultdict[List, set[str]] = defaultdict(set)
        for number in look.spots:
            spot = self._sightings.spots[number]
            of, text = _entry(spot)
            if text and spot.source == "element" and self._sightings.names_sample(text):
                own[of].add(text)
        return own


def _row_opened(spot: Spot, rows: Mapping[str, Entry]) -> Entry | None:
    """The row of a list that is opened beside it, of what stands below that row's name."""
    if spot.row or not spot.headings:
        return None
    return rows.get(same_text(spot.headings[-1]))


def _entry(spot: Spot) -> Entry:
    """The list that a spot stands in, and its entry; an empty text where it stands in none."""
    if spot.role == "row" or spot.record:
        setting = spot.setting if spot.role == "row" else spot.setting_of_row
        return (*setting, spot.row.count(CELLS)), spot.row
    if len(spot.headings) > 1:
        return (spot.frame, spot.headings[:-1], 0), spot.headings[-1]
    return (*spot.setting, 0), ""
