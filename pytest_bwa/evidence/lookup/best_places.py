"""Chooses, of the places where a value stands, those that prove it best. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.labels.labelled_at import labelled_at
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.text import cells_of


def best_places(
    found: Sequence[Sighting], words: FieldWords, sightings: Sightings
) -> list[Sighting]:
    """The places that the page connects with the field, or all if it connects none; rather those of
    the sample itself than another's, rather those that have exactly the field's label (of a start
    and an end on one day, each is proven by its own), and rather those on a page that is called
    like the sample."""
    first = found[0]
    alike = [s for s in found if (s.is_named, s.is_of_other) == (first.is_named, first.is_of_other)]
    alike = [s for s in alike if _has_label(s, words, sightings)] or alike
    own = [s for s in alike if sightings.is_titled_like_sample(sightings.looks_of[s.spot][-1])]
    return _without_rows(own or alike, sightings)


def _without_rows(places: Sequence[Sighting], sightings: Sightings) -> list[Sighting]:
    """Places without the rows of which a cell is another one: a picture may show the row, and not
    that column."""
    looks_of, spots = sightings.looks_of, sightings.spots
    cells = {n for p in places if spots[p.spot].role == "table" for n in looks_of[p.spot]}
    return [
        p for p in places if not (_is_row(spots[p.spot]) and cells.issuperset(looks_of[p.spot]))
    ]


def _is_row(spot: Spot) -> bool:
    return spot.role == "row" or (spot.source == "text" and len(cells_of(spot.text)) > 1)


def _has_label(place: Sighting, words: FieldWords, sightings: Sightings) -> bool:
    labels = [entry.label for entry in labelled_at(place, sightings)]
    return any(map(words.are_exactly, labels or sightings.spots[place.spot].headings[-1:]))
