"""A value of an answer, with what proves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_bwa.evidence.labels.labelled_at import labelled_at
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.evidence.sightings import Look, Sightings
from pytest_bwa.steps import LabelledValue


@dataclass(frozen=True, slots=True)
class Claim:
    """``found`` are the places that prove the value, the best first; there is at least one."""

    value: Any
    field: Field
    found: Sequence[Sighting]
    sightings: Sightings

    @property
    def spots(self) -> list[Spot]:
        """Where the value stands."""
        return [self.sightings.spots[place.spot] for place in self.found]

    @property
    def look(self) -> Look:
        """The newest look at the best place."""
        return self.sightings.looks[self.sightings.looks_of[self.found[0].spot][-1]]

    def entries(self) -> Iterator[list[LabelledValue]]:
        """For each place, what the page labels there."""
        return (labelled_at(place, self.sightings) for place in self.found)

    def places(self) -> Iterator[tuple[Sighting, Spot]]:
        return zip(self.found, self.spots, strict=True)

    def places_read(self) -> list[tuple[Sighting, Spot]]:
        """Where the value stands, without the page's whole text where an element says the same."""
        places = list(self.places())
        return [(p, spot) for p, spot in places if spot.source != "text"] or places
