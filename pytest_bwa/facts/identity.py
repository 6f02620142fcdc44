"""Finds an element again by its identity, on a later state of its page, or on the same page in
another run. It is never a number of the list. What cannot be told apart for certain is not found,
with a reason."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import cached_property

from pytest_bwa.facts.address import address_pattern
from pytest_bwa.facts.page import AROUND_CONTENT, first_headings
from pytest_bwa.facts.text_match import clean
from pytest_bwa.steps.observation import HIDDEN, Element, Observation, Place
from pytest_bwa.steps.place_identity import QUOTED_CHARACTERS, PlaceIdentity
from pytest_bwa.steps.text import CELLS, cells_of


class PlaceNotFound(Exception):
    """No place of the page is certainly the one that was meant; the message is the reason."""


class PlaceMap:
    """The places of one observation: what their records are called, and which heading is the
    title."""

    def __init__(self, page: Observation) -> None:
        self._page = page
        self._titles = first_headings(page)

    @cached_property
    def _record_names(self) -> dict[tuple[str, str], str]:
        return _record_names(self._page)

    def is_titled(self, place: Place) -> bool:
        return bool(place.headings) and self._titles.get(place.frame) == place.headings[0]

    def record_name(self, place: Place) -> str:
        """What the record is called that a place stands in; one that has no name is its text."""
        if not place.record:
            return ""
        named = self._record_names.get((place.frame, place.record))
        return named or place.record_name or place.record

    def identity(self, role: str, name: str, place: Place) -> PlaceIdentity:
        """The identity of what stands at a place, not yet numbered."""
        return PlaceIdentity(
            role=role,
            name=name,
            frame=address_pattern(place.frame, self._page.url),
            regions=place.regions,
            headings=place.headings,
            is_titled=self.is_titled(place),
            record=self.record_name(place),
        )


def below_title(identity: PlaceIdentity) -> tuple[str, ...]:
    """The headings above a place without the page's title."""
    return identity.headings[1:] if identity.is_titled else identity.headings


def identity_of(element: Element, page: Observation) -> PlaceIdentity:
    """The identity of an element of the page."""
    places = PlaceMap(page)
    own = places.identity(element.role, element.name, element.place)
    equals = [
        other
        for other in _in_order(_namesakes(page, element.role, element.name))
        if places.identity(other.role, other.name, other.place) == own
    ]
    number = next(n for n, other in enumerate(equals, start=1) if other.ref == element.ref)
    return own.model_copy(update={"ordinal": number, "equals": len(equals)})


def find(identity: PlaceIdentity, page: Observation, given: Collection[str] = ()) -> Element:
    """The one element of the page that has the identity. Raises PlaceNotFound.

    ``given`` are the texts that name the sample, which a title must not lose.
    """
    places = PlaceMap(page)
    candidates = _in_order(_namesakes(page, identity.role, identity.name))
    identities = [places.identity(e.role, e.name, e.place) for e in candidates]
    return candidates[pick(identity, identities, given)]


def find_again(
    was: Element, before: Observation, now: Observation, *, is_pressed: bool = False
) -> Element | None:
    """A listed element of a page on what the page is now, where it may have been painted anew;
    None if that is not certain. Of what ``is_pressed`` its press may change all that is around it:
    it is the only one of its role and name, as it was before."""
    for element in now.all_elements:
        if element.ref == was.ref:
            return None if HIDDEN in element.states else element
    if painted := now.element(was.index):
        return painted
    if was not in before.elements:
        return None
    found, own = None, identity_of(was, before)
    with suppress(PlaceNotFound):
        found = find(own, now, own.headings[:1]) if own.equals == 1 else None
    if found is None and is_pressed and len(_namesakes(before, was.role, was.name)) == 1:
        alike = _namesakes(now, was.role, was.name)
        found = alike[0] if len(alike) == 1 else None
    return found if found and found.index >= 0 else None


def pick(
    identity: PlaceIdentity, candidates: Sequence[PlaceIdentity], given: Collection[str] = ()
) -> int:
    """The index of the one candidate that is the place; they are in the order of the page. Raises
    PlaceNotFound."""
    fitting = [n for n, other in enumerate(candidates) if is_same_place(identity, other, given)]
    exact = [n for n in fitting if candidates[n].regions == identity.regions] or fitting
    if len(exact) == 1 == identity.equals:
        return exact[0]
    if not exact:
        raise PlaceNotFound(f"{identity.in_words()} is not on the page{_elsewhere(candidates)}")
    if len(exact) == identity.equals and identity.name:
        return exact[identity.ordinal - 1]
    before = f"{identity.equals} were" if identity.equals > 1 else "one was"
    raise PlaceNotFound(
        f"{identity.in_words()} is on the page {_times(len(exact))}, and {before} expected: "
        "it is not certain which one is meant"
    )


def is_same_place(
    identity: PlaceIdentity, other: PlaceIdentity, given: Collection[str] = ()
) -> bool:
    """Whether all but the number is the same. Regions may change, but not from the page's content
    to what is around it; the title may change, but not lose what names the sample."""
    if (identity.role, identity.frame) != (other.role, other.frame):
        return False
    if clean(identity.name) != clean(other.name):
        return False
    if identity.record != other.record:
        return False
    if AROUND_CONTENT.isdisjoint(identity.regions) != AROUND_CONTENT.isdisjoint(other.regions):
        return False
    if identity.headings == other.headings:
        return True
    if not (identity.is_titled and other.is_titled):
        return False
    keeps_name = all(
        text in other.headings[0] for text in given if text and text in identity.headings[0]
    )
    return keeps_name and identity.headings[1:] == other.headings[1:]


def _elsewhere(candidates: Sequence[PlaceIdentity]) -> str:
    """Where else something of this name stands, for the reason."""
    if not candidates:
        return ""
    other = candidates[0]
    where = f"in the row “{other.record}”" if other.record else "elsewhere"
    if other.headings:
        where = f"under “{other.headings[-1][:QUOTED_CHARACTERS]}”"
    return f"; one of that name stands {where}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _namesakes(page: Observation, role: str, name: str) -> list[Element]:
    called = clean(name)
    return [e for e in page.all_elements if e.role == role and clean(e.name) == called]


def _in_order(elements: Iterable[Element]) -> list[Element]:
    """From top to bottom, as a person sees them."""
    return sorted(elements, key=lambda e: (e.box.y, e.box.x, e.ref) if e.box else (0, 0, e.ref))


def _record_names(page: Observation) -> dict[tuple[str, str], str]:
    """What each record is called: its first cell and its heading, and its first link. A first cell
    alone may be no more than the number of the row."""
    names: dict[tuple[str, str], dict[str, str]] = {}
    in_records = [element for element in page.all_elements if element.place.record]
    for element in sorted(in_records, key=lambda e: e.ref):
        place = element.place
        cells = {"cell": _first_cell(place.record)} if CELLS in place.record else {}
        parts = names.setdefault((place.frame, place.record), cells)
        if element.role in ("heading", "link") and element.name:
            parts.setdefault(element.role, element.name)
    return {record: CELLS.join(dict.fromkeys(parts.values())) for record, parts in names.items()}


def _first_cell(text: str) -> str:
    return next(filter(None, cells_of(text)), "")
