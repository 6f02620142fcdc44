"""What of a page a picture shows that is not of the very state in which the page was read. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_bwa.proof.photos.standing import standings
from pytest_bwa.proof.sightings import Look, Sightings
from pytest_bwa.proof.spots import SAID, Spot
from pytest_bwa.steps.step import Box, ElementRef, Picture

_WRITTEN = ("element", "labelled", "extract")
"""Sources of texts that stand where their element is."""
_LABELLED = frozenset(
    ("textbox", "searchbox", "spinbutton", "combobox", "listbox", "slider", "checkbox", "radio")
) | {"switch"}
"""Roles whose name is written elsewhere, and may change there."""


def is_still_in(picture: Picture, spot: Spot, look: Look, sightings: Sightings) -> bool:
    """Whether nothing has changed a spot, or what is painted there, between a look and a picture,
    although the page has changed: a clock goes on, a carousel turns."""
    if not look.state or picture.read_state != look.state:
        return False
    if spot.source == "text":
        return any(
            all(_ref_of(part) in picture.still and part.role not in _LABELLED for part in parts)
            for parts in standings(spot, look, sightings)
        )
    if spot.source not in _WRITTEN:
        return False
    element = spot if _ref_of(spot) else element_around(spot, look, sightings)
    if element is None or element.source not in _WRITTEN or element.role in _LABELLED:
        return False
    return _ref_of(element) in picture.still


def is_hidden_in(picture: Picture, spot: Spot, look: Look, sightings: Sightings) -> bool:
    """Whether a panel or a dialog keeps a spot, or a part of it, out of a picture. A line of the
    page's text that no elements have may be anywhere, such as behind a dialog."""
    if not picture.hidden and not picture.views:
        return False
    places = [
        any(picture.hides(ref, part.box) for part in parts if (ref := part.element))
        for parts in standings(spot, look, sightings)
    ]
    return all(places) if places else spot.source == "text"


def shows_spot(picture: Picture, spot: Spot, look: Look, sightings: Sightings) -> bool:
    """Whether nothing keeps a spot of the state that it was taken of out of a picture."""
    return not is_hidden_in(picture, spot, look, sightings)


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
    if spot.source == "text":
        return _box_of_line(picture, spot, look, sightings)
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


def _box_of_line(picture: Picture, line: Spot, look: Look, sightings: Sightings) -> Box | None:
    """Around all parts of a line, if it stands in one place only."""
    places = standings(line, look, sightings)
    parts = places[0] if len(places) == 1 else []
    boxes = [box for part in parts if (box := box_in(picture, part, look, sightings))]
    if not boxes or len(boxes) < len(parts):
        return None
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right = max(box.x + box.width for box in boxes)
    bottom = max(box.y + box.height for box in boxes)
    return Box(x, y, right - x, bottom - y)


def element_around(spot: Spot, look: Look, sightings: Sightings) -> Spot | None:
    """The smallest element of a look that has the text of a spot, and is where it is."""
    others = (sightings.spots[number] for number in look.spots)
    around = [
        o
        for o in others
        if o.ref and o.ref[0] != SAID and spot.text in o.text and spot.is_inside(o.box)
    ]
    return min(around, key=lambda o: o.box.width * o.box.height if o.box else 0, default=None)
