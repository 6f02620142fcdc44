"""Finds the sample's own entry of a list, where a value stands only in others of it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from pytest_bwa.evidence.doubts.own_record import OwnRecord
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.value_search import Sighting
from pytest_bwa.evidence.sightings import Look, Sightings

MAX_CHARACTERS = 60
"""Of an entry that is quoted."""
_READ = ("element", "value", "labelled", "link")
_CELLS = " | "
List = tuple[str, tuple[str, ...], int]
"""A frame, the headings above a list, and how many cells its entries have."""


class OtherEntry:
    """Looks for it in one sample's sightings. An entry is a row, a record, or what a heading below
    others is above; no label tells whose a value is there."""

    def __init__(self, sightings: Sightings, record: OwnRecord) -> None:
        self._sightings, self._record = sightings, record

    def find(self, found: Sequence[Sighting], look: Look) -> tuple[str, ...]:
        """The one entry that is called like the sample, on a page that is not the sample's."""
        page = self._sightings.pages.get(look.number)
        if page is None or self._record.is_named(page) or self._record.is_own_page(page):
            return ()
        spots = [self._sightings.spots[place.spot] for place in found]
        entries = [_entry(spot) for spot in spots if spot.source in _READ]
        if not entries or any(
            not text or self._sightings.names_sample(text) for _, text in entries
        ):
            return ()
        lists = {of for of, _ in entries}
        own = self._own_entries(look)
        named = own[lists.pop()] if len(lists) == 1 else set()
        return tuple(text[:MAX_CHARACTERS] for text in named) if len(named) == 1 else ()

    def _own_entries(self, look: Look) -> defaultdict[List, set[str]]:
        """The entries of each list of a page that are called like the sample."""
        own: defaultdict[List, set[str]] = defaultdict(set)
        for number in look.spots:
            spot = self._sightings.spots[number]
            of, text = _entry(spot)
            if text and spot.source == "element" and self._sightings.names_sample(text):
                own[of].add(text)
        return own


def _entry(spot: Spot) -> tuple[List, str]:
    """The list that a spot stands in, and its entry; an empty text where it stands in none."""
    if spot.role == "row" or spot.record:
        setting = spot.setting if spot.role == "row" else spot.setting_of_row
        return (*setting, spot.row.count(_CELLS)), spot.row
    if len(spot.headings) > 1:
        return (spot.frame, spot.headings[:-1], 0), spot.headings[-1]
    return (*spot.setting, 0), ""
