"""Where on a page a value stands, as data that finds the place again and reads it afresh.

A place is known by what the page itself calls it (the label of a value, the name of an element, the
words around a part of a text), never by its number and never by the value. Pure.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from pytest_bwa.facts.address import address_pattern
from pytest_bwa.facts.fact import (
    LABELLED,
    PAGE,
    Fact,
    Kind,
    Piece,
    facts_of,
    is_inside,
    labelled_facts,
)
from pytest_bwa.facts.identity import PlaceMap, PlaceNotFound, pick
from pytest_bwa.facts.text_match import clean, matches
from pytest_bwa.steps.place_identity import PlaceIdentity
from pytest_bwa.steps.step import RECORD_KINDS, Box, Observation
from pytest_bwa.steps.text import CELLS, cells_of

Part = Literal["text", "items", "address", "value", "note", "state", "title", "url"]
"""What of the place is read: its text, the items of a list, the address that a link leads to, what
a field contains, a tooltip, whether it is ticked; the page's title, and its own address."""
_PARTS: Mapping[Kind, Part] = {
    "element": "text", "labelled": "text", "items": "items", "link": "address", "value": "value",
    "note": "note", "state": "state", "title": "title", "address": "url",
}  # fmt: skip
_PARTS_AT: Mapping[Kind, tuple[Part, ...]] = {
    "link": ("address",),
    "address": ("url",),
    "note": ("note",),
    "row": ("note",),
    "title": ("title", "text"),
    "value": ("value", "state", "text"),
    "state": ("value", "state", "text"),
}
"""What a fact of some kind can be found as; any other is a text, or in a field."""
MAX_CHARACTERS = 200
"""Of a longer text only the whole is a place."""
_DIGITS = r"\d[\d.,]*"
_VALUE_KINDS = RECORD_KINDS | {"input"}


@dataclass(frozen=True, slots=True)
class Where:
    """What a value is found by on a page: of which place, which part, and between which words."""

    identity: PlaceIdentity
    part: Part = "text"
    before: str = ""
    after: str = ""


class ValuePlace(BaseModel):
    """The place of one value of an answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    identity: PlaceIdentity
    """Its ``role`` is that of the element or the kind of the labelled value, its ``name`` the
    label."""
    part: Part
    page: str
    """The pattern of the page's address."""
    steps_done: int
    """How many steps of the action log were done when the page showed it."""
    text: str
    """What the value was read from."""
    text_before: str = ""
    text_after: str = ""
    """What stands before and after this in the same text; digits in it may differ."""
    datetime: str = ""
    """The time of a <time> element, as it is written for machines."""
    peers: int = 1
    """How many rows or cards of the same list have such a place."""
    row: int = 1
    """Which of these it stands in, in the order of the page."""
    is_only: bool = True
    """Whether the value stands in no other section or row of what was observed."""
    finds: bool = True
    """Whether it finds the value again; else it only says where the value stood."""

    @property
    def where(self) -> Where:
        return Where(self.identity, self.part, self.text_before, self.text_after)

    def is_on(self, page: PageFacts) -> bool:
        """Whether a page is the one that it is a place of, as far as its address tells."""
        return address_pattern(page.page.url) == self.page


def part_of(fact: Fact) -> Part | None:
    """What of its place a fact is; None for one whose place cannot be found again."""
    if fact.kind in LABELLED and (fact.box is None or fact.role == "link"):
        return None  # read from a picture; of a link, the label is its text
    if (fact.kind == "element") == bool(fact.label) and fact.kind not in LABELLED:
        return None  # what counts stars; what is in a field without a name
    return _PARTS.get(fact.kind)


class PageFacts:
    """The facts of one observation, looked up by what they are called and by where they are."""

    def __init__(self, page: Observation) -> None:
        self.page, self.unlabelled = page, tuple(facts_of(page))

    @cached_property
    def labelled(self) -> tuple[Fact, ...]:
        """What the page labels, which may be read only when it is asked for."""
        return tuple(labelled_facts(self.page))

    @cached_property
    def entries(self) -> list[Fact]:
        """What the page labels, each value as a whole."""
        return [fact for fact in self.labelled if fact.kind == "labelled"]

    @cached_property
    def values(self) -> list[Fact]:
        """The entries that are values of records, or of fields."""
        return [entry for entry in self.entries if entry.role in _VALUE_KINDS]

    @cached_property
    def placed(self) -> list[Fact]:
        """The facts whose places can be found again, the labelled ones first."""
        return [f for f in (*self.labelled, *self.unlabelled) if part_of(f) is not None]

    @cached_property
    def texts(self) -> list[Fact]:
        """Those of them that are no part of a field, a link or a page's head."""
        return [fact for fact in self.placed if part_of(fact) == "text"]

    @cached_property
    def places(self) -> PlaceMap:
        return PlaceMap(self.page)

    def identity(self, fact: Fact) -> PlaceIdentity:
        return self.places.identity(fact.role, fact.label, fact.place)

    @cached_property
    def _called(self) -> dict[tuple[Part | None, str, str], list[Fact]]:
        found: defaultdict[tuple[Part | None, str, str], list[Fact]] = defaultdict(list)
        for fact in self.placed:
            found[part_of(fact), fact.role, fact.label].append(fact)
        return found

    def called_like(self, where: Where) -> list[Fact]:
        """What has the place's label; for a list, as a list."""
        role, name = where.identity.role, clean(where.identity.name)
        if where.part != "items":
            return self._called.get((where.part, role, name), [])
        texts = self._called.get(("text", role, name), [])
        return [replace(fact, kind="items") for fact in texts if fact.kind in LABELLED]

    def other_labels(self, fact: Fact) -> set[str]:
        """What else the page calls the text at the very same place."""
        if fact.box is None:
            return set()
        kind: Kind = "labelled" if fact.kind == "items" else fact.kind
        return self._labels_at[kind, fact.role, fact.box] - {fact.label, ""}

    @cached_property
    def _labels_at(self) -> dict[tuple[Kind, str, Box | None], set[str]]:
        found: defaultdict[tuple[Kind, str, Box | None], set[str]] = defaultdict(set)
        for fact in self.placed:
            found[fact.kind, fact.role, fact.box].add(fact.label)
        return found

    def values_at(self, piece: Piece) -> list[Fact]:
        """The labelled values that a piece of a text is in, or, of a row, those whose text it
        has there."""
        fact = piece.fact
        here = [value for value in self.values if value.place.frame == fact.place.frame]
        if own := [v for v in here if v.element is not None and v.element == fact.element]:
            return [v for v in own if fact.text in v.text] or own
        if fact.role == "row":
            in_row = [v for v in here if clean(v.place.record) == fact.text]
            in_row = in_row or [v for v in here if fact.text == f"{v.label} | {v.text}"]
            return [v for v in in_row if piece.text in v.text]
        return [v for v in here if fact.is_inside(v.box) and fact.text in v.text]


# -- finding a place again -------------------------------------------------------------------------


def locate(
    where: Where,
    page: PageFacts,
    given: Collection[str] = (),
    *,
    is_certain: Callable[[Fact], bool] = lambda found: not found.refusal,
) -> Fact:
    """What stands there now, cut to the part that was the value. Raises PlaceNotFound."""
    fitting: dict[tuple[PlaceIdentity, str, str], Fact] = {}
    for fact in page.called_like(where):
        if (cut := _cut(where, fact)) is not None:
            fitting.setdefault((page.identity(fact), cut.text, cut.datetime), cut)
    number = pick(where.identity, [own for own, _, _ in fitting], given)
    found = list(fitting.values())[number]
    why = found.refusal.in_words() if found.refusal and not is_certain(found) else ""
    for label in page.other_labels(found):  # one of the two may have lost its own text
        why = why or f"what stands there may belong to “{label}”"
    if why:
        raise PlaceNotFound(f"{where.identity.in_words()}: {why}")
    return found


def rows_like(where: Where, page: PageFacts) -> list[str]:
    """The rows or cards of the place's list that have such a place now, in the page's order."""
    records: dict[str, None] = {}
    for fact in page.called_like(where):
        other, own = page.identity(fact), where.identity
        if other.record and (other.headings, other.frame) == (own.headings, own.frame):
            records[fact.place.record] = None
    return list(records)


def _cut(where: Where, fact: Fact) -> Fact | None:
    """The part of a text between the words around the value; None if they are not there."""
    if not where.before and not where.after:
        return fact
    pattern = f"{_words_around(where.before)}(.+?){_words_around(where.after)}"
    match = re.fullmatch(pattern, fact.text)
    return replace(fact, text=match[1], raw="", items=()) if match else None


def _words_around(text: str) -> str:
    """A pattern of the text in which each number may be another one."""
    return _DIGITS.join(map(re.escape, re.split(_DIGITS, text)))


# -- writing a place down --------------------------------------------------------------------------


def place_of(piece: Piece, steps_done: int, page: PageFacts) -> ValuePlace:
    """The place of a piece of a text, also where something speaks against the text; where nothing
    tells it from others, only where it stood."""
    candidates = sorted(_candidates(piece, page), key=_rank)
    for fact, before, after in candidates:
        place = _place(fact, piece.text, steps_done, page, before, after)
        try:
            found_again = locate(place.where, page, is_certain=lambda found: True)
        except PlaceNotFound:
            continue
        if found_again.text == piece.text:
            return _with_row(place, found_again.place.record, page)
    known = candidates[0][0] if candidates else _only_standing(piece)
    place = _place(known, piece.text, steps_done, page)
    return place.model_copy(update={"finds": False})


def list_place_of(items: Sequence[Any], steps_done: int, page: PageFacts) -> ValuePlace | None:
    """The labelled value of a page that lists just these items; None if there is none, or if there
    are several."""
    wanted = [clean(str(item)) for item in items]
    found = [
        fact
        for fact in page.placed
        if fact.kind == "labelled" and not fact.refusal
        if [clean(item) for item in fact.items] == wanted
    ]
    for fact in found if len(found) == 1 else ():
        place = _place(replace(fact, kind="items"), fact.text, steps_done, page)
        with suppress(PlaceNotFound):
            locate(place.where, page)
            return place
    return None


_Candidate = tuple[Fact, str, str]
"""A fact that has a value, and what stands before and after the value in its text."""


def _rank(candidate: _Candidate) -> tuple[bool, bool, bool, bool, int]:
    """The smaller, the more certain: nothing speaks against it, labelled, the whole text, the
    shortest."""
    fact, *around = candidate
    text = fact.as_written
    return bool(fact.refusal), not fact.label, any(around), "\n" in text, len(text)


def _candidates(piece: Piece, page: PageFacts) -> list[_Candidate]:
    """Where the element itself has a labelled value, nothing around it is asked for."""
    element = piece.fact.element
    own = [fact for fact in page.placed if element is not None and fact.element == element]
    is_labelled = any(fact.kind in LABELLED for fact in own)
    found = list(_among(own, piece)) if is_labelled else []
    return found or list(_among(page.placed, piece))


def _among(facts: Sequence[Fact], piece: Piece) -> Iterator[_Candidate]:
    parts = _PARTS_AT.get(piece.fact.kind, ("text", "value"))
    for fact in facts:
        if part_of(fact) in parts and _is_at(piece.fact, fact):
            around = _around(piece.text, fact)
            if around is not None:
                yield fact, *around


def _is_at(fact: Fact, other: Fact) -> bool:
    """Whether another fact is where one is, or within the row that it is."""
    if other.place.frame != fact.place.frame:
        return False
    if other.role == PAGE:
        return fact.box is None
    if other.element is not None and other.element == fact.element:
        return True
    if fact.role == "row" and other.place.record:
        return clean(other.place.record) == fact.text
    return fact.is_inside(other.box) or is_inside(other.box, fact.box)


def _around(piece: str, fact: Fact) -> tuple[str, str] | None:
    """What stands before and after a piece of a text; None if it is not in it. A part of a text of
    several lines or cells has no place of its own: what is around it may grow."""
    text = fact.text
    if text == piece:
        return "", ""
    match = next(matches(piece, text), None)
    if match is None or text[match.start : match.end] != piece:
        return None
    if "\n" in fact.raw or CELLS in text or len(text) > MAX_CHARACTERS:
        return None
    return text[: match.start], text[match.end :]


def _only_standing(piece: Piece) -> Fact:
    """A text that nothing labels: a cell is called like the first one of its row."""
    fact = piece.fact
    first = cells_of(fact.text)[0] if CELLS in fact.text else ""
    label = fact.label or (first if first != piece.text else "")
    return replace(fact, kind="element", label=label, datetime="")


def _with_row(place: ValuePlace, record: str, page: PageFacts) -> ValuePlace:
    rows = rows_like(place.where, page) if place.identity.record else []
    if record not in rows:
        return place
    return place.model_copy(update={"peers": len(rows), "row": rows.index(record) + 1})


def _place(
    fact: Fact, text: str, steps_done: int, page: PageFacts, before: str = "", after: str = ""
) -> ValuePlace:
    return ValuePlace(
        identity=page.identity(fact),
        part=_PARTS.get(fact.kind, "text"),
        page=address_pattern(page.page.url),
        steps_done=steps_done,
        text=text,
        text_before=before,
        text_after=after,
        datetime=fact.datetime,
    )
