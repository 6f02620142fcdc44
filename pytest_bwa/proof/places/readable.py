"""Where on a page a value stands, as data that finds the place again and reads it afresh.

Pure. A place is known by what the page itself calls it (the label of a value, the name of an
element, the words around a part of a text), never by its number and never by the value.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from pytest_bwa.evidence.value_place import Part, ValuePlace
from pytest_bwa.proof.texts.text_match import clean
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.place_identity import (
    PlaceIdentity,
    PlaceMap,
    PlaceNotFound,
    address_pattern,
    pick,
)
from pytest_bwa.steps.step import (
    READ_STATES,
    Box,
    Element,
    ElementRef,
    LabelledValue,
    Observation,
    Place,
)

NOWHERE = Place()
_DIGITS = r"\d[\d.,]*"


@dataclass(frozen=True, slots=True)
class Readable:
    """One text of a page that may be a value, and what tells where it stands."""

    part: Part
    role: str
    label: str
    text: str
    place: Place = NOWHERE
    box: Box | None = None
    datetime: str = ""
    items: tuple[str, ...] = ()
    language: str = ""
    doubt: Doubt | None = None
    """Why the text is not certain."""
    ref: ElementRef | None = None
    """The element that has it."""


def readables(page: Observation) -> Iterator[Readable]:
    """Everything on a page that may be a value, the labelled values first."""
    for value in page.labelled:
        if value.kind != "search" and value.box is not None:  # not a form, and not read by OCR
            yield from _of_labelled(value)
    for element in page.all_elements:
        yield from _of_element(element)
    yield Readable("title", "page", "title", page.title)
    yield Readable("url", "page", "address", page.url)


def _of_labelled(value: LabelledValue) -> Iterator[Readable]:
    doubt = Doubt.CUT if value.cut else value.doubt
    if not value.value:
        doubt = Doubt.NO_TEXT
    common = (value.place, value.box, value.datetime or "", value.items, value.language, doubt)
    ref = value.ref
    if value.kind != "link":  # its label is its text
        yield Readable("text", value.kind, value.label, value.value, *common, ref)
        yield Readable("items", value.kind, value.label, value.value, *common, ref)
    if value.url:
        yield Readable(
            "address", value.kind, value.label, value.url, value.place, value.box, ref=ref
        )


def _of_element(element: Element) -> Iterator[Readable]:
    role, name, place, box = element.role, element.name, element.place, element.box
    ref = element.ref
    cut = Doubt.CUT if element.cut else None
    if not name:
        return
    yield Readable("text", role, "", name, place, box, doubt=cut, ref=ref)
    if element.value is not None:
        yield Readable("value", role, name, element.value, place, box, doubt=cut, ref=ref)
    if element.url:
        yield Readable("address", role, name, element.url, place, box, ref=ref)
    if element.note:
        yield Readable("note", role, name, element.note, place, box, ref=ref)
    if states := "; ".join(s for s in element.states if s.partition("=")[0] in READ_STATES):
        yield Readable("state", role, name, states, place, box, ref=ref)


class ReadablePage:
    """What is readable on one observation, looked up by what it is called and by where it is."""

    def __init__(self, page: Observation) -> None:
        self.page, self.places = page, PlaceMap(page)
        self.readables = tuple(readables(page))
        self._numbers = {element.ref: element.index for element in page.elements}
        self._called: defaultdict[tuple[Part, str, str], list[Readable]] = defaultdict(list)
        self._labels_at: defaultdict[tuple[Part, str, Box], set[str]] = defaultdict(set)
        for readable in self.readables:
            self._called[readable.part, readable.role, readable.label].append(readable)
            if readable.box is not None and readable.label:
                at = readable.part, readable.role, readable.box
                self._labels_at[at].add(readable.label)

    def identity(self, readable: Readable) -> PlaceIdentity:
        return self.places.identity(readable.role, readable.label, readable.place)

    def source_of(self, readable: Readable) -> int | str | None:
        """How an answer cites what it read; None for what stands in no element."""
        if readable.ref is None:
            return None
        document, element = readable.ref
        return self._numbers.get(readable.ref, f"{document}.{element}")

    def called_like(self, place: ValuePlace) -> list[Readable]:
        return self._called[place.part, place.identity.role, place.identity.name]

    def other_labels(self, readable: Readable) -> set[str]:
        """What else the page calls the text at the very same place."""
        if readable.box is None:
            return set()
        return self._labels_at[readable.part, readable.role, readable.box] - {readable.label}


def locate(
    place: ValuePlace,
    page: ReadablePage,
    given: Collection[str] = (),
    *,
    is_certain: Callable[[Readable], bool] = lambda found: not found.doubt,
) -> Readable:
    """What stands at the place now, cut to the part that was the value. Raises PlaceNotFound."""
    if address_pattern(page.page.url) != place.page:
        raise PlaceNotFound(f"the page is {page.page.url}, and the value stood on another one")
    fitting: dict[tuple[PlaceIdentity, str, str], Readable] = {}
    for readable in page.called_like(place):
        if (cut := _cut(place, readable)) is not None:
            fitting.setdefault((page.identity(readable), cut.text, cut.datetime), cut)
    number = pick(place.identity, [own for own, _, _ in fitting], given)
    found = list(fitting.values())[number]
    why = found.doubt.in_words() if found.doubt and not is_certain(found) else ""
    for label in page.other_labels(found):  # one of the two may have lost its own text
        why = why or f"what stands there may belong to “{label}”"
    if why:
        raise PlaceNotFound(f"{place.identity.in_words()}: {why}")
    return found


def rows_like(place: ValuePlace, page: ReadablePage) -> list[str]:
    """The rows or cards of the place's list that have such a place now, in the page's order."""
    records: dict[str, None] = {}
    for readable in page.called_like(place):
        other, own = page.identity(readable), place.identity
        if other.record and (other.headings, other.frame) == (own.headings, own.frame):
            records[readable.place.record] = None
    return list(records)


def _cut(place: ValuePlace, readable: Readable) -> Readable | None:
    """The part of a text between the words around the value; None if they are not there."""
    if not place.text_before and not place.text_after:
        return readable
    pattern = f"{_words_around(place.text_before)}(.+?){_words_around(place.text_after)}"
    match = re.fullmatch(pattern, clean(readable.text))
    if match is None:
        return None
    return Readable(
        readable.part, readable.role, readable.label, match[1], readable.place, readable.box,
        readable.datetime, (), readable.language, readable.doubt, readable.ref,
    )  # fmt: skip


def _words_around(text: str) -> str:
    """A pattern of the text in which each number may be another one."""
    return _DIGITS.join(map(re.escape, re.split(_DIGITS, text)))
