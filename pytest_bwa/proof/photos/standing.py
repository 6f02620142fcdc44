"""In which elements of a page a text stands. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pytest_bwa.proof.sightings import Look, Sightings
from pytest_bwa.proof.spots import SAID, Spot
from pytest_bwa.proof.texts.text_match import words
from pytest_bwa.steps.step import Box, ElementRef

MAX_BETWEEN = 3
"""Elements between two parts of a line that say nothing of it, such as the names of icons."""


def standings(spot: Spot, look: Look, sightings: Sightings) -> list[list[Spot]]:
    """Where a spot may stand: in one of these, each with the elements that make it up. A text of no
    known element stands in those that have it, or else in several that have its parts, one after
    the other. Empty if that is not known."""
    if spot.element is not None:
        return [[spot]]
    others = (sightings.spots[number] for number in look.spots)
    around = [[o] for o in others if o.ref and o.ref[0] != SAID and spot.text in o.text]
    if around or spot.source != "text":
        return around
    return _in_parts(spot, look, sightings)


def elements_of(
    numbers: Sequence[int], state: str, sightings: Sightings
) -> dict[ElementRef, Box | None]:
    """The elements, each with its box, in which the first of these spots stands of which that is
    known, in this state of the page."""
    for number in numbers:
        spot = sightings.spots[number]
        for look in sightings.looks_with(number):
            if look.state == state and (places := standings(spot, look, sightings)):
                return {part.element: part.box for part in places[0] if part.element}
    return {}


def _in_parts(line: Spot, look: Look, sightings: Sightings) -> list[list[Spot]]:
    """Each place of a line; a part is the nearest before the next one that has its words."""
    wanted, order = words(line.text), look.spots
    in_look = set(order)
    begins = (n for n in sightings.with_words(wanted[:1]) if n in in_look)
    found: dict[Spot, list[Spot]] = {}
    for begin in sorted(map(order.index, begins)):
        following = (sightings.spots[n] for n in order[begin:])
        if parts := _run(wanted, following):
            found[parts[-1]] = parts
    return list(found.values())


def _run(wanted: Sequence[str], following: Iterable[Spot]) -> list[Spot]:
    """The elements that have the words of a line, from the first one on; empty if these do not."""
    parts, done, between = list[Spot](), 0, 0
    for spot in following:
        if spot.source != "element" or spot.element is None:
            continue
        own = words(spot.text)
        if own and own == wanted[done : done + len(own)]:
            parts, done, between = [*parts, spot], done + len(own), 0
        elif not parts or (between := between + 1) > MAX_BETWEEN:
            break
        if done == len(wanted):
            return parts
    return []
