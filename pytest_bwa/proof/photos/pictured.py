"""What of a page a picture shows that is not of the very state in which the page was read. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_bwa.facts.fact import LABELLED, Fact
from pytest_bwa.proof.observed import Look, Observed
from pytest_bwa.proof.photos.standing import standings
from pytest_bwa.steps.step import Box, ElementRef, Picture

_WRITTEN = ("element", "labelled", "item", "extract")
"""Sources of texts that stand where their element is."""
_LABELLED = frozenset(
    ("textbox", "searchbox", "spinbutton", "combobox", "listbox", "slider", "checkbox", "radio")
) | {"switch"}
"""Roles whose name is written elsewhere, and may change there."""


def is_still_in(picture: Picture, fact: Fact, look: Look, observed: Observed) -> bool:
    """Whether nothing has changed a fact, or what is painted there, between a look and a picture,
    although the page has changed: a clock goes on, a carousel turns."""
    if not look.state or picture.read_state != look.state:
        return False
    if fact.kind == "text":
        return any(
            all(_ref_of(part) in picture.still and part.role not in _LABELLED for part in parts)
            for parts in standings(fact, look, observed)
        )
    if fact.kind not in _WRITTEN:
        return False
    element = fact if _ref_of(fact) else element_around(fact, look)
    if element is None or element.kind not in _WRITTEN or element.role in _LABELLED:
        return False
    return _ref_of(element) in picture.still


def is_hidden_in(picture: Picture, fact: Fact, look: Look, observed: Observed) -> bool:
    """Whether a panel or a dialog keeps a fact, or a part of it, out of a picture. A line of the
    page's text that no elements have may be anywhere, such as behind a dialog."""
    if not picture.hidden and not picture.views:
        return False
    places = [
        any(picture.hides(ref, part.box) for part in parts if (ref := part.element))
        for parts in standings(fact, look, observed)
    ]
    return all(places) if places else fact.kind == "text"


def shows_fact(picture: Picture, fact: Fact, look: Look, observed: Observed) -> bool:
    """Whether nothing keeps a fact of the state that it was taken of out of a picture."""
    return not is_hidden_in(picture, fact, look, observed)


def out_of_view(
    state: str, pictures: Sequence[Picture], observed: Observed
) -> list[tuple[ElementRef, str]]:
    """The elements that panels keep out of every picture of a state, each with its text: first
    the fields, and what the page labels."""
    if not all(picture.hidden or picture.views for picture in pictures):
        return []
    found: dict[tuple[ElementRef, str], bool] = {}
    for look in observed.in_state(state):
        page = observed.pages.get(look.number)
        labelled = {entry.element for entry in page.entries} if page else set()
        for fact in look.facts:
            if fact.element is None or fact.kind not in ("element", "value", "state"):
                continue
            if all(is_hidden_in(picture, fact, look, observed) for picture in pictures):
                is_text = fact.kind == "element" and fact.element not in labelled
                found[fact.element, fact.text] = is_text
    return sorted(found, key=lambda place: found[place])


def _ref_of(fact: Fact) -> ElementRef | None:
    """The listed element that a fact is, or that extract read it from."""
    return fact.element if fact.kind not in LABELLED else None


def box_in(picture: Picture, fact: Fact, look: Look, observed: Observed) -> Box | None:
    """Where a picture shows a fact; None if that is not certain."""
    if fact.kind == "text":
        return _box_of_line(picture, fact, look, observed)
    if fact.box is None:
        return None
    if own := _ref_of(fact):
        return picture.box_of(own, fact.box)
    if fact.element is not None and (box := picture.box_of(fact.element, fact.box)):
        return box
    if not picture.boxes and not picture.hidden:
        return fact.box
    around = element_around(fact, look)
    if around is None or around.element is None or around.box is None:
        return None
    moved, was = picture.box_of(around.element, around.box), around.box
    if moved is None:
        return None
    x, y = fact.box.x + moved.x - was.x, fact.box.y + moved.y - was.y
    return replace(fact.box, x=x, y=y)


def _box_of_line(picture: Picture, line: Fact, look: Look, observed: Observed) -> Box | None:
    """Around all parts of a line, if it stands in one place only."""
    places = standings(line, look, observed)
    parts = places[0] if len(places) == 1 else []
    boxes = [box for part in parts if (box := box_in(picture, part, look, observed))]
    if not boxes or len(boxes) < len(parts):
        return None
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right = max(box.x + box.width for box in boxes)
    bottom = max(box.y + box.height for box in boxes)
    return Box(x, y, right - x, bottom - y)


def element_around(fact: Fact, look: Look) -> Fact | None:
    """The smallest element of a look that has the text of a fact, and is where it is."""
    around = [
        other
        for other in look.facts
        if other.is_of_element and fact.text in other.text and fact.is_inside(other.box)
    ]
    return min(around, key=lambda o: o.box.width * o.box.height if o.box else 0, default=None)
