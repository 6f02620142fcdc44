"""What of a page a picture shows that is not of the very state in which the page was read. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_bwa.proof.sightings import Look, Sightings
from pytest_bwa.proof.spots import SAID, Spot
from pytest_bwa.steps import Box, ElementRef, Picture

_WRITTEN = ("element", "labelled", "extract")
"""Sources of texts that stand where their element is."""
_LABELLED = frozenset(
    ("textbox", "searchbox", "spinbutton", "combobox", "listbox", "slider", "checkbox", "radio")
) | {"switch"}
"""Roles whose name is written elsewhere, and may change there."""


def is_still_in(picture: Picture, spot: Spot, look: Look, sightings: Sightings) -> bool:
    """Whether nothing has changed a spot, or what is painted there, between a look and a picture,
    although the page has changed: a clock goes on, a carousel turns."""
    if not look.state or picture.read_state != look.state or spot.source not in _WRITTEN:
        return False
    element = spot if _ref_of(spot) else element_around(spot, look, sightings)
    if element is None or element.source not in _WRITTEN or element.role in _LABELLED:
        return False
    return _ref_of(element) in picture.still


def is_hidden_in(picture: Picture, spot: Spot, look: Look, sightings: Sightings) -> bool:
    """Whether a panel or a dialog keeps a spot out of a picture. A spot of no known element is
    where the elements with its text are; a line of the page's text that no element has may be
    anywhere, such as behind a dialog."""
    if not picture.hidden and not picture.views:
        return False
    if own := spot.element:
        return picture.hides(own, spot.box)
    others = (sightings.spots[number] for number in look.spots)
    places = [
        picture.hides(o.ref, o.box)
        for o in others
        if o.ref and o.ref[0] != SAID and spot.text in o.text
    ]
    return all(places) if places else spot.source == "text"


def out_of_view(
    state: str, pictures: Sequence[Picture], sightings: Sightings
) -> list[tuple[ElementRef, str]]:
    """The elements that panels keep out of every picture of a state, each with its text: first
    the fields, and what the page labels."""
    if not all(picture.hidden or picture.views for picture in pictures):
        return []
    found: dict[tuple[ElementRef, str], bool] = {}
    for look in sightings.in_state(state):
        page = sightings.pages.get(look.number)
        labelled = {entry.ref for entry in page.labelled} if page else set()
        for number in look.spots:
            spot = sightings.spots[number]
            if spot.element is None or spot.source not in ("element", "value"):
                continue
            if all(is_hidden_in(picture, spot, look, sightings) for picture in pictures):
                is_text = spot.source == "element" and spot.element not in labelled
                found[spot.element, spot.text] = is_text
    return sorted(found, key=lambda place: found[place])


def _ref_of(spot: Spot) -> ElementRef | None:
    """The listed element that a spot is, or that extract read it from."""
    return spot.element if spot.source not in ("labelled", "value") or spot.ref else None


def box_in(picture: Picture, spot: Spot, look: Look, sightings: Sightings) -> Box | None:
    """Where a picture shows a spot; None if that is not certain."""
    if spot.box is None:
        return None
    if own := _ref_of(spot):
        return picture.box_of(own, spot.box)
    if spot.holder is not None and (box := picture.box_of(spot.holder, spot.box)):
        return box
    if not picture.boxes and not picture.hidden:
        return spot.box
    around = element_around(spot, look, sightings)
    if around is None or around.ref is None or around.box is None:
        return None
    moved, was = picture.box_of(around.ref, around.box), around.box
    if moved is None:
        return None
    x, y = spot.box.x + moved.x - was.x, spot.box.y + moved.y - was.y
    return replace(spot.box, x=x, y=y)


def element_around(spot: Spot, look: Look, sightings: Sightings) -> Spot | None:
    """The smallest element of a look that has the text of a spot, and is where it is."""
    others = (sightings.spots[number] for number in look.spots)
    around = [
        o
        for o in others
        if o.ref and o.ref[0] != SAID and spot.text in o.text and spot.is_inside(o.box)
    ]
    return min(around, key=lambda o: o.box.width * o.box.height if o.box else 0, default=None)
