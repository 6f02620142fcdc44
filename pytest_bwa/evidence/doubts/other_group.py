"""Finds the field or the section that a value should stand in, where it stands in one of another
group. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.own_record import may_be_of_record
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import clean, same_text, without_count
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.steps import Element, Observation

MAX_CHARACTERS = 80
"""Of what is quoted of a section."""
_TEXTS = ("text", "link", "row")
_AROUND = ("heading", "title", "address")  # what names a page stands in no section of it


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
        for element in page.all_elements
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


def below_other_headings(
    found: Sequence[Sequence[Sighting]], field: Field, sightings: Sightings
) -> dict[int, str]:
    """The numbers of the entries that stand only below headings of something else, while the page
    has one that is exactly the field's name, each with that heading and what is below it; ``found``
    are the places of each entry."""
    outside = {}
    for number, places in enumerate(found):
        spots = [sightings.spots[place.spot] for place in places]
        # A line of the page's whole text has no place.
        spots = [spot for spot in spots if spot.role not in _AROUND and spot.source != "text"]
        is_known = any(place.is_named for place in places) or any(
            not spot.headings or any(map(field.words.are_in, spot.headings)) for spot in spots
        )
        page = sightings.pages.get(sightings.looks_of[places[0].spot][-1]) if places else None
        if spots and page is not None and not is_known and (section := _section(page, field)):
            outside[number] = section
    return outside


def _section(page: Observation, field: Field) -> str:
    """The section of a page that is called exactly like the field, with the beginning of what is in
    it; empty if there is none."""
    elements = page.all_elements
    heading = next((e for e in elements if _is_heading_of(e, field)), None)
    if heading is None:
        return ""
    below = (e for e in elements if e.role in _TEXTS and heading.name in e.place.headings[-1:])
    inside = [clean(e.name).strip(" |") for e in below]
    return (
        f"{clean(heading.name)} | {', '.join(filter(None, inside))[:MAX_CHARACTERS] or '(empty)'}"
    )


def _is_heading_of(element: Element, field: Field) -> bool:
    is_heading = element.role == "heading" and may_be_of_record(element)
    return is_heading and field.words.are_exactly(without_count(clean(element.name)))
