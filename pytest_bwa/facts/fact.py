"""The facts of a page: each text that it says, with where it stands and what describes it. They are
made once of an observation; policies, proof and recipes read them. Pure."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pytest_bwa.facts.text_match import clean
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import (
    HIDDEN,
    READ_STATES,
    UNDECIDED,
    Action,
    ActionResult,
    Box,
    Element,
    ElementRef,
    LabelledValue,
    LineSource,
    Observation,
    Place,
)
from pytest_bwa.steps.text import CELLS, has_words

NO_PLACE = Place()
PAGE = "page"
"""The role of its title and its address."""
_CHECKED = "checked=true"
_NOT_CHOSEN = frozenset({"checked=false", "selected=false"})
_CHOICES = frozenset({"radio", "option", "menuitemradio"})
_STRUCK = re.compile(r'(?:struck out|deleted)="(.*)"', re.DOTALL)
_STRUCK_IN_ROW = re.compile(r"\(struck out: (.*?)\)(?= |$)")
_NUMBER_IN_ROW = re.compile(r"\[\d+\] ")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_PLACE_AMONG_EQUALS = re.compile(r"(\d+) of \d+")
Kind = LineSource | Literal[
    "element", "value", "state", "note", "row", "link", "labelled", "item", "items", "title",
    "address", "text", "download",
]  # fmt: skip
"""``value`` is what a field contains, ``state`` whether it is ticked, ``note`` a tooltip, ``row``
the line of a row with what its fields contain, ``link`` where a link leads, ``item`` one of a
labelled list, ``items`` all of it, ``address`` the page's own URL, ``text`` a line of the page's
whole text, ``look`` a picture that was shown."""
READ_WITH_PAGE: tuple[Kind, ...] = (
    "element", "value", "state", "note", "row", "link", "labelled", "item", "title", "address",
    "text",
)  # fmt: skip
"""What each reading of a page has; the others are asked for by an action."""
LABELLED: frozenset[Kind] = frozenset(("labelled", "item", "items"))


@dataclass(frozen=True, slots=True)
class Fact:
    """One text at one place of a page."""

    text: str
    """On one line."""
    kind: Kind = "element"
    role: str = ""
    """That of the element; of a labelled value, its kind."""
    label: str = ""
    """What the page itself calls the text: the name of a field, the label of a value."""
    place: Place = NO_PLACE
    box: Box | None = None
    element: ElementRef | None = None
    """The element that a person sees it in, if it is known."""
    line: int | None = None
    """The number of a line that is no element."""
    raw: str = ""
    """The text as the page has it, if that is another one."""
    items: tuple[str, ...] = ()
    """The entries of a value that is a list."""
    datetime: str = ""
    """The time of a <time> element, as it is written for machines."""
    language: str = ""
    file: str = ""
    doubt: Doubt | None = None
    """Why the text may not be what a person sees."""
    cut: bool = False
    """Whether the text is only the beginning of what the page has."""
    hidden: bool = False
    """Whether the page has the text, and nobody can see it."""
    struck: str = ""
    """What of it is crossed out."""
    is_off: bool = False
    """Whether it is a choice that is not chosen."""

    def __hash__(self) -> int:
        """Of what nearly always tells facts apart: they are looked up often."""
        return hash((self.text, self.kind, self.label, self.element))

    @property
    def is_address(self) -> bool:
        """Whether it is an address, and no running text."""
        return self.kind in ("link", "address")

    @property
    def is_in_field(self) -> bool:
        """Whether it is what a field contains, or whether a box is ticked."""
        return self.kind in ("value", "state") or (self.kind in LABELLED and self.role == "input")

    @property
    def is_of_element(self) -> bool:
        """Whether an element has it for itself; what a label names stands in one."""
        return self.element is not None and self.kind not in (*LABELLED, "extract")

    @property
    def as_written(self) -> str:
        """The text with its line breaks."""
        return self.raw or self.text

    @property
    def name(self) -> str:
        """What it is called: by the page, or else by its own text."""
        return self.label or (self.text if self.kind == "element" else "")

    @property
    def row(self) -> str:
        """The text of the row or record that it is, or stands in; empty if there is none."""
        return self.name if self.role == "row" else self.place.record

    @property
    def source(self) -> str | None:
        """How an answer cites it; None for what stands in no element."""
        return f"{self.element[0]}.{self.element[1]}" if self.element is not None else None

    @property
    def refusal(self) -> Doubt | None:
        """Why nobody can be certain of the text."""
        if not self.text and self.kind in LABELLED:
            return Doubt.NO_TEXT
        return Doubt.CUT if self.cut else self.doubt

    def is_beside(self, other: Fact) -> bool:
        """Whether both stand on one line: they share more than half of the lower one's height."""
        a, b = self.box, other.box
        if a is None or b is None:
            return False
        shared = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
        return shared > min(a.height, b.height) / 2

    def is_inside(self, box: Box | None) -> bool:
        return is_inside(self.box, box)


def is_inside(inner: Box | None, outer: Box | None) -> bool:
    """Whether a box is within another one, but for a pixel."""
    if inner is None or outer is None:
        return False
    is_within = inner.x >= outer.x - 1 and inner.x + inner.width <= outer.x + outer.width + 1
    is_below = inner.y >= outer.y - 1
    return is_within and is_below and inner.y + inner.height <= outer.y + outer.height + 1


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a fact's text that shows a value."""

    fact: Fact
    start: int
    end: int
    rule: str = ""
    """What makes the value equal to the text; empty if it is the text."""

    @property
    def text(self) -> str:
        return self.fact.text[self.start : self.end]


def whole(fact: Fact) -> Piece:
    return Piece(fact, 0, len(fact.text))


def facts_of(page: Observation) -> Iterator[Fact]:
    """What a page says, without what it labels, and what was read with it."""
    yield _fact(page.title, "title", PAGE, "title")
    yield Fact(page.url, "address", PAGE, "address")
    known = {clean(page.title)}
    elements = [*heapq.merge(page.elements, page.unlisted, key=lambda e: e.ref)]
    for element in elements:
        for fact in _of_element(element):
            known.add(fact.text)
            yield fact
    yield from _ratings(elements)
    untrue = list(_not_as_painted(elements))
    for line in page.text.splitlines():
        text = CELLS.join(filter(None, map(clean, line.split("\t"))))
        if text and text not in known and not any(has_words(text, other) for other in untrue):
            yield Fact(text, "text", "text")
    for one in page.other_lines:
        yield Fact(clean(one.text), one.source, one.source, line=one.index)


def facts_read(action: Action, result: ActionResult, page: Observation) -> Iterator[Fact]:
    """What extract, find and look read, and the names of downloads."""
    element = page.element_for(action.selector or "") if action.action == "extract" else None
    name, box = (clean(element.name), element.box) if element else ("", None)
    for line in result.lines if result.success else ():
        if line.source == "find":
            yield Fact(clean(line.text), "find", "text", element=line.ref)
        elif line.source != "evaluate":  # a script may return what no page shows
            text = CELLS.join(filter(None, map(clean, line.text.split("\t"))))
            own = Fact(text, line.source, line.source, name, box=box, line=line.index)
            yield replace(own, element=line.ref)
    file = result.artifact
    if file is not None and not file.fault and not is_picture(file.filename):
        filename = file.filename
        yield Fact(clean(file.label), "download", "file", file=filename)
        yield Fact(filename.rpartition("/")[2], "download", "file", file=filename)


def _fact(
    raw: str,
    kind: Kind,
    role: str,
    label: str = "",
    place: Place = NO_PLACE,
    box: Box | None = None,
    element: ElementRef | None = None,
) -> Fact:
    text = clean(raw)
    return Fact(text, kind, role, label, place, box, element, raw=raw if raw != text else "")


# -- elements --------------------------------------------------------------------------------------


def _of_element(element: Element) -> Iterator[Fact]:
    name, note = clean(element.name), element.note or _note_in(element.states)
    own = (element.role, name, element.place, element.box, element.ref)
    if name:
        fact = _fact(element.name, "element", element.role, "", *own[2:])
        if element.states or element.cut or element.row_line:
            fact = replace(
                fact,
                cut=element.cut,
                hidden=HIDDEN in element.states,
                struck=clean(" ".join(_struck_in(element))),
                is_off=element.role in _CHOICES and not _NOT_CHOSEN.isdisjoint(element.states),
            )
        yield fact
    line = clean(_STRUCK_IN_ROW.sub("", _NUMBER_IN_ROW.sub("", element.row_line)))
    if line and line != name:  # it has what the row's fields contain, too, and its tooltips
        yield Fact(line, "row", *own)
    if element.value is not None:
        yield replace(_fact(element.value, "value", *own), cut=element.cut)
    if note := clean(note):
        yield Fact(note, "note", *own)
    if element.url:
        yield Fact(element.url, "link", *own)
    read = () if UNDECIDED in element.states else element.states
    if states := "; ".join(s for s in read if s.partition("=")[0] in READ_STATES):
        yield Fact(states, "state", *own)


def _note_in(states: tuple[str, ...]) -> str:
    return next((s[6:-1] for s in states if s.startswith('note="')), "")


def _not_as_painted(elements: Sequence[Element]) -> Iterator[str]:
    """What the browser's own text of the page says and nobody sees so: texts that are crossed out,
    and raised digits in a row with the others, such as the 1299 of 12⁹⁹."""
    for element in elements:
        yield from _struck_in(element)
        if (plain := element.name.translate(_LOWERED)) != element.name:
            yield clean(plain)


def _struck_in(element: Element) -> Iterator[str]:
    yield from (match[1] for state in element.states if (match := _STRUCK.fullmatch(state)))
    yield from _STRUCK_IN_ROW.findall(element.row_line)


def _ratings(elements: Sequence[Element]) -> Iterator[Fact]:
    """The number that equal radio buttons stand for, such as four of five stars: which of them is
    the last that is checked. What they are for says the heading above them. Equal ones with others
    between them are in groups of their own."""
    radios = [element for element in elements if element.role == "radio" and element.name]
    follows = [False, *map(_follows, radios[1:], radios), False]
    for n, radio in enumerate(radios):
        number = _place_among_equals(radio)
        is_last = not (follows[n + 1] and _CHECKED in radios[n + 1].states)
        is_of_scale = bool(number) and (follows[n] or follows[n + 1])
        if is_of_scale and _CHECKED in radio.states and is_last and (above := radio.place.headings):
            where = (radio.place, radio.box, radio.ref)
            yield Fact(str(number), "element", radio.role, above[-1], *where)


def _follows(radio: Element, before: Element) -> bool:
    """Whether a radio button is the next one of those that are equal."""
    is_equal = radio.name == before.name
    return is_equal and _place_among_equals(radio) == _place_among_equals(before) + 1


def _place_among_equals(radio: Element) -> int:
    """Counted from 1; 0 for one that has a name of its own."""
    places = filter(None, map(_PLACE_AMONG_EQUALS.fullmatch, radio.states))
    return next((int(found[1]) for found in places), 0)


# -- labelled values -------------------------------------------------------------------------------


def labelled_facts(page: Observation) -> Iterator[Fact]:
    """What a page labels, but for its search: that is a form, and the address of its results."""
    for value in page.labelled:
        if value.kind != "search":
            yield from _of_value(value)


def _of_value(value: LabelledValue) -> Iterator[Fact]:
    own = (value.kind, clean(value.label), value.place, value.box, value.ref)
    whole = replace(
        _fact(value.value, "labelled", *own),
        items=value.items,
        datetime=value.datetime or "",
        language=value.language,
        cut=value.cut,
        doubt=value.doubt,
    )
    yield whole
    for item in dict.fromkeys(map(clean, value.items)):
        if item and item != whole.text:
            yield replace(whole, text=item, kind="item", raw="", items=())
    if value.url:
        yield Fact(value.url, "link", *own)
