"""Whether all places of a value are such that a person should look at it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.own_record import OwnRecord, headings_of, line_of
from pytest_bwa.evidence.labels.page_doubts import PAINTED_OTHERWISE
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.steps import LabelledValue

_READ_AS_A_WHOLE = ("text", "extract", "find")
"""Sources of texts that do not say where their parts stand, and which of them can be seen."""


def is_hidden(found: Sequence[Sighting], sightings: Sightings) -> bool:
    """Whether a value stands only in text that nobody can see, as is what a link would ask for."""
    spots = [(sightings.spots[sighting.spot], sighting) for sighting in found]
    hidden = [spot for spot, place in spots if spot.hidden or _is_in_query(spot, place)]
    rest = [spot for spot, _ in spots if spot not in hidden]
    return bool(hidden) and all(spot.source in _READ_AS_A_WHOLE for spot in rest)


def _is_in_query(spot: Spot, place: Sighting) -> bool:
    return spot.source == "link" and "?" in spot.text[: place.start]


def is_around_content(found: Sequence[Sighting], sightings: Sightings) -> bool:
    """Whether a value stands only around the content of a page, as in its menu or its footer, where
    nothing connects it with the field. A page of another record says nothing against it: a sample
    may be read on several, such as a commit, its pull request and its author."""
    placed = [s for s in found if sightings.spots[s.spot].source not in _READ_AS_A_WHOLE]
    return all(sightings.spots[s.spot].is_around and not s.is_named for s in placed or found)


def is_in_named_section(claim: Claim) -> bool:
    """Whether a value stands in the section that an alias names for its label: "Billing > City"."""
    words = claim.field.words
    return any(
        words.is_in_named_section(entry.label, entry.place.headings)
        for entries in claim.entries()
        for entry in entries
    )


def is_out_of_section(claim: Claim, record: OwnRecord) -> bool:
    """Whether a value stands under its label below headings of which none is the sample's or one
    that the spec names for the label, at all places of which that is known."""
    page = claim.sightings.pages.get(claim.look.number)
    own = headings_of(page) if page else []
    words = claim.field.words

    def is_out(entry: LabelledValue) -> bool:
        headings = entry.place.headings
        is_below_others = any(h not in own and not record.is_name(h) for h in headings)
        return is_below_others and not words.may_stand(entry.label, headings)

    placed = [entries for entries in claim.entries() if entries]
    return bool(placed) and all(any(map(is_out, entries)) for entries in placed)


def painted_otherwise(claim: Claim) -> tuple[str, ...]:
    """A labelled value with a minus of the style sheet, a line through it, or letters in another
    order, with that doubt, if no place of the value is without one. A row that the page labels
    nothing in says only what its cells do."""
    lines: dict[str, None] = {}
    for (_, spot), entries in zip(claim.places(), claim.entries(), strict=True):
        if spot.role == "row" and not entries:
            continue
        doubted = [entry for entry in entries if entry.doubt in PAINTED_OTHERWISE]
        if not doubted or len(doubted) < len(entries):
            return ()
        lines |= {f"{line_of(entry)} ({entry.doubt})": None for entry in doubted}
    return tuple(lines)
