"""Finds the field that a value should stand in, where it stands in one of another group. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.evidence.sightings import same_text
from pytest_bwa.steps import Element


def other_group(claim: Claim) -> tuple[str, ...]:
    """What the field of the same name has in the group that is called more like the value's field:
    “Available until” has a “Date”, and so has “Available from”, in which alone the value stands."""
    spots, field = claim.spots, claim.field
    page = claim.sightings.pages.get(claim.look.number)
    if page is None or not all(spot.source == "value" and spot.headings for spot in spots):
        return ()
    own = max(_likeness(spot.headings, field) for spot in spots)
    rivals = [
        element
        for element in (*page.elements, *page.unlisted)
        if any(_is_alike(element, spot) for spot in spots)
        and _likeness(element.place.headings, field) > own
        and same_text(element.value or "") != same_text(str(claim.value))
    ]
    lines = (f"{e.place.headings[-1]} | {e.value or '(empty)'}" for e in rivals)
    return tuple(dict.fromkeys(lines)) if len(rivals) == 1 else ()


def _likeness(headings: Sequence[str], field: Field) -> int:
    return len(field.words.found_in(headings[-1])) if headings else 0


def _is_alike(element: Element, spot: Spot) -> bool:
    """Whether an element is another field of the same kind and name."""
    of_element = (element.role, same_text(element.name), element.place.frame)
    return of_element == (spot.role, same_text(spot.name), spot.frame) and element.ref != spot.ref
