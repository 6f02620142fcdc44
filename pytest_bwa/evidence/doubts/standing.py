"""Whether all places of a value are such that a person should look at it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.own_record import line_of
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.steps import LabelledValue

_READ_AS_A_WHOLE = ("text", "extract", "find")
"""Sources of texts that do not say where their parts stand, and which of them can be seen."""
_DOUBTS = frozenset(
    {
        "a line of the style sheet crosses it",
        "a style sheet adds to the text",
        "it is painted in another order",
        "it is still loading",
    }
)
"""What the page scripts say of such texts (page/scripts/labelled/contents.js)."""


def is_hidden(found: Sequence[Sighting], sightings: Sightings) -> bool:
    """Whether a value stands only in text that nobody can see, as is what a link would ask for."""
    spots = [(sightings.spots[sighting.spot], sighting) for sighting in found]
    hidden = [spot for spot, place in spots if spot.hidden or _is_in_query(spot, place)]
    rest = [spot for spot, _ in spots if spot not in hidden]
    return bool(hidden) and all(spot.source in _READ_AS_A_WHOLE for spot in rest)


def _is_in_query(spot: Spot, place: Sighting) -> bool:
    return spot.source == "link" and "?" in spot.text[: place.start]


def is_beside(found: Sequence[Sighting], sightings: Sightings) -> bool:
    """Whether a value stands only around the content of a page, as in its menu or its footer, where
    nothing connects it with the field. A page of another record says nothing against it: a sample
    may be read on several, such as a commit, its pull request and its author."""
    placed = [s for s in found if sightings.spots[s.spot].source not in _READ_AS_A_WHOLE]
    return all(sightings.spots[s.spot].is_around and not s.is_named for s in placed or found)


class PaintedOtherwise:
    """Looks for a minus of the style sheet, a line through a text, letters in another order."""

    def __init__(self, entries_at: Callable[[Sighting], Sequence[LabelledValue]]) -> None:
        """``entries_at``: the labelled values at a place."""
        self._entries_at = entries_at

    def find(self, claim: Claim) -> tuple[str, ...]:
        """The labelled value with its doubt, if no place of the value is without one."""
        lines: dict[str, None] = {}
        for entries in map(self._entries_at, claim.found):
            doubted = [entry for entry in entries if entry.doubt in _DOUBTS]
            if not doubted or len(doubted) < len(entries):
                return ()
            lines |= {f"{line_of(entry)} ({entry.doubt})": None for entry in doubted}
        return tuple(lines)
