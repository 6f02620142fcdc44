"""The identity of a place as data: what tells an element from all others of its page, so that it is
found again on a later state of the page, or on the same page in another run.

It is never a number of the list. What cannot be told apart for certain is not found, with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import chain
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict

from pytest_bwa.steps.observation import Element, LabelledValue, Observation, Place, Region
from pytest_bwa.steps.text import CELLS, cells_of

AROUND_CONTENT: frozenset[Region] = frozenset(
    {"navigation", "complementary", "banner", "contentinfo", "dialog", "comment"}
)
"""Regions around the content of a page; the others only divide the content."""
_QUOTED_CHARACTERS = 60


class PlaceIdentity(BaseModel):
    """What stays the same of a place while the page around it changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: str
    name: str = ""
    """The element's name; of a value, its label."""
    frame: str = ""
    """The pattern of the frame's address; empty in the page's main frame."""
    regions: tuple[Region, ...] = ()
    headings: tuple[str, ...] = ()
    """The headings above it, the outermost first."""
    is_titled: bool = False
    """Whether the first of the headings is the page's title, which may be the page's own text and
    so another one the next time."""
    record: str = ""
    """What the row or card is called that it stands in; empty outside of a list."""
    ordinal: int = 1
    """Its number among the places of which all of the above is equal."""
    equals: int = 1
    """How many of these there were."""

    def in_words(self) -> str:
        """For a reason: ``the button “Approve” under “Review”``."""
        words = f"the {self.role}"
        words += f" “{self.name[:_QUOTED_CHARACTERS]}”" if self.name else " without a name"
        if self.record:
            words += f" in the row “{self.record[:_QUOTED_CHARACTERS]}”"
        if self.headings:
            words += f" under “{self.headings[-1][:_QUOTED_CHARACTERS]}”"
        return words


def source_of(fact: Element | LabelledValue) -> int | str | None:
    """How a policy cites what it read: by its number, or by its ref where no list has it; None for
    what was read from a picture."""
    if isinstance(fact, Element) and fact.index >= 0:
        return fact.index
    return f"{fact.ref[0]}.{fact.ref[1]}" if fact.ref is not None else None


class Target(BaseModel):
    """The listed element that an action was for."""

    model_config = ConfigDict(frozen=True)

    role: str
    name: str
    identity: PlaceIdentity | None = None
    """What finds the element again; None in a log of an earlier version."""


class PlaceNotFound(Exception):
    """No place of the page is certainly the one that was meant; the message is the reason."""


class PlaceMap:
    """The places of one observation: what their records are called, and which heading is the
    title."""

    def __init__(self, page: Observation) -> None:
        self._page = page
        self._titles = _titles(page)

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
    if (identity.role, identity.name, identity.frame) != (other.role, other.name, other.frame):
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


def address_pattern(address: str, page_url: str = "") -> str:
    """An address without what differs between two visits: query, fragment, port, path segments with
    digits, and the host if it is the page's own."""
    try:
        parts, page = urlsplit(address), urlsplit(page_url)
        host = parts.hostname or ""
    except ValueError:  # a page may call anything an address
        return ""
    if parts.scheme not in ("http", "https"):
        return f"{parts.scheme}:{parts.path}" if parts.scheme == "about" else parts.scheme
    path = re.sub(r"[^/]*\d[^/]*", "*", parts.path).rstrip("/")
    return ("" if host == page.hostname else host) + (path or "/")


def _elsewhere(candidates: Sequence[PlaceIdentity]) -> str:
    """Where else something of this name stands, for the reason."""
    if not candidates:
        return ""
    other = candidates[0]
    where = f"in the row “{other.record}”" if other.record else "elsewhere"
    if other.headings:
        where = f"under “{other.headings[-1][:_QUOTED_CHARACTERS]}”"
    return f"; one of that name stands {where}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _everything(page: Observation) -> Iterable[Element]:
    return chain(page.elements, page.unlisted)


def _namesakes(page: Observation, role: str, name: str) -> list[Element]:
    return [e for e in _everything(page) if (e.role, e.name) == (role, name)]


def _in_order(elements: Iterable[Element]) -> list[Element]:
    """From top to bottom, as a person sees them."""
    return sorted(elements, key=lambda e: (e.box.y, e.box.x, e.ref) if e.box else (0, 0, e.ref))


def title_of(page: Observation) -> str:
    """The one heading of the first rank in the main frame; empty if there is none, or several."""
    return _titles(page).get("", "")


def _titles(page: Observation) -> dict[str, str]:
    """Of each frame that has exactly one heading of the first rank, that heading."""
    found: dict[str, list[str]] = {}
    for element in _everything(page):
        if element.role == "heading" and "level=1" in element.states:
            found.setdefault(element.place.frame, []).append(element.name)
    return {frame: names[0] for frame, names in found.items() if len(names) == 1}


def _record_names(page: Observation) -> dict[tuple[str, str], str]:
    """What each record is called: its first cell and its heading, and its first link. A first cell
    alone may be no more than the number of the row."""
    names: dict[tuple[str, str], dict[str, str]] = {}
    in_records = [element for element in _everything(page) if element.place.record]
    for element in sorted(in_records, key=lambda e: e.ref):
        place = element.place
        cells = {"cell": _first_cell(place.record)} if CELLS in place.record else {}
        parts = names.setdefault((place.frame, place.record), cells)
        if element.role in ("heading", "link") and element.name:
            parts.setdefault(element.role, element.name)
    return {record: CELLS.join(dict.fromkeys(parts.values())) for record, parts in names.items()}


def _first_cell(text: str) -> str:
    return next(filter(None, cells_of(text)), "")
