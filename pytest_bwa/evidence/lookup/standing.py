"""Whether all places of a value are such that a person should look at it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.evidence.lookup.value_search import Sighting
from pytest_bwa.evidence.sightings import Sightings

_READ_AS_A_WHOLE = ("text", "extract", "find")
"""Sources of texts that do not say where their parts stand, and which of them can be seen."""


def is_hidden(found: Sequence[Sighting], sightings: Sightings) -> bool:
    """Whether a value stands only in text that nobody can see."""
    spots = [sightings.spots[sighting.spot] for sighting in found]
    hidden = [spot for spot in spots if spot.hidden]
    rest = (spot for spot in spots if not spot.hidden)
    return bool(hidden) and all(spot.source in _READ_AS_A_WHOLE for spot in rest)


def is_beside(found: Sequence[Sighting], sightings: Sightings) -> bool:
    """Whether a value stands only around the content of a page, as in its menu or its footer, where
    nothing connects it with the field. A page of another record says nothing against it: a sample
    may be read on several, such as a commit, its pull request and its author."""
    placed = [s for s in found if sightings.spots[s.spot].source not in _READ_AS_A_WHOLE]
    return all(sightings.spots[s.spot].is_around and not s.is_named for s in placed or found)
