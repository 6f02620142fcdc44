"""The texts of one page, each with where it stands and what describes it. Pure."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pytest_bwa.proof.texts.text_match import clean
from pytest_bwa.steps.artifacts import is_picture
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
)
from pytest_bwa.steps.text import CELLS, has_words

SAID = -1
"""The document of lines that are no elements: their ref is this and their number."""
_CHECKED = "checked=true"
_NOT_CHOSEN = frozenset({"checked=false", "selected=false"})
_CHOICES = frozenset({"radio", "option", "menuitemradio"})
_STRUCK = re.compile(r'(?:struck out|deleted)="(.*)"', re.DOTALL)
_STRUCK_IN_ROW = re.compile(r"\(struck out: (.*?)\)(?= |$)")
_NUMBER_IN_ROW = re.compile(r"\[\d+\] ")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_PLACE_AMONG_EQUALS = re.compile(r"(\d+) of \d+")
Source = LineSource | Literal[
    "element", "value", "note", "link", "labelled", "title", "address", "text", "download"
]  # fmt: skip
"""``value`` is what a field contains, ``note`` a tooltip, ``link`` where a link leads, ``address``
the page's own URL, ``text`` a line of the page's whole text, ``look`` a picture that was shown."""
READ_WITH_PAGE = frozenset(
    ("element", "value", "note", "link", "labelled", "title", "address", "text")
)
"""Sources of what each reading of a page has; the others are asked for by an action."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One text at one place of a page."""

    text: str
    source: Source = "element"
    role: str = ""
    name: str = ""
    label: str = ""
    """What the page itself calls the text: the name of a field, the label of a value."""
    hint: str = ""
    """What else describes the element: its tooltip, or where it leads."""
    headings: tuple[str, ...] = ()
    record: str = ""
    frame: str = ""
    box: Box | None = None
    ref: ElementRef | None = None
    time: str = ""
    """The time of a <time> element, as it is written for machines."""
    file: str = ""
    cut: bool = False
    """Whether the text is only the beginning of what the page has."""
    hidden: bool = False
    """Whether the page has the text, and nobody can see it."""
    holder: ElementRef | None = None
    """The element that a labelled value, or a line that extract read, was read from."""
    struck: str = ""
    """What of it is crossed out."""
    is_off: bool = False
    """Whether it is a choice that is not chosen."""

    @property
    def is_address(self) -> bool:
        """Whether it is an address, and no running text."""
        return self.source in ("link", "address")

    def is_beside(self, other: Spot) -> bool:
        """Whether both stand on one line: they share more than half of the lower one's height."""
        a, b = self.box, other.box
        if a is None or b is None:
            return False
        shared = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
        return shared > min(a.height, b.height) / 2

    def is_inside(self, box: Box | None) -> bool:
        """Whether it stands in a box, but for a pixel."""
        a, b = self.box, box
        if a is None or b is None:
            return False
        is_within = a.x >= b.x - 1 and a.x + a.width <= b.x + b.width + 1
        return is_within and a.y >= b.y - 1 and a.y + a.height <= b.y + b.height + 1

    @property
    def row(self) -> str:
        """The text of the row or record that it is, or stands in; empty if there is none."""
        return self.name if self.role == "row" else self.record

    @property
    def element(self) -> ElementRef | None:
        """The element that a person sees it in, if it is known."""
        own = self.ref if self.ref is not None and self.ref[0] != SAID else None
        return self.holder or own


def spots_of(page: Observation, *, labels_prove: bool) -> Iterator[Spot]:
    """What can be read on a page; its labelled values only for a policy that reads them: they may
    be painted otherwise than their text says."""
    yield Spot(clean(page.title), "title", "title")
    yield Spot(page.url, "address", "address")
    known = {clean(page.title)}
    elements = [*heapq.merge(page.elements, page.unlisted, key=lambda e: e.ref)]
    for element in elements:
        for spot in _spots_of_element(element):
            known.add(spot.text)
            yield spot
    yield from _ratings(elements)
    for value in page.labelled:
        if labels_prove or value.box is None:  # what OCR read has none
            yield from _spots_of_value(value)
    untrue = list(_not_as_painted(elements))
    for line in page.text.splitlines():
        text = CELLS.join(filter(None, map(clean, line.split("\t"))))
        if text and text not in known and not any(has_words(text, other) for other in untrue):
            yield Spot(text, "text", "text")
    for one in page.other_lines:
        yield Spot(clean(one.text), one.source, one.source, ref=(SAID, one.index))


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


def _spots_of_element(element: Element) -> Iterator[Spot]:
    place, name = element.place, clean(element.name)
    note = clean(element.note or _note_in(element.states))
    link = element.url or ""
    common = (place.headings, place.record, place.frame, element.box, element.ref)
    read = () if UNDECIDED in element.states else element.states
    states = "; ".join(s for s in read if s.partition("=")[0] in READ_STATES)
    hint = " ".join(filter(None, (note, link)))
    if name:
        yield Spot(
            name, "element", element.role, name, "", hint, *common,
            cut=element.cut,
            hidden=HIDDEN in element.states,
            struck=clean(" ".join(_struck_in(element))),
            is_off=element.role in _CHOICES and not _NOT_CHOSEN.isdisjoint(element.states),
        )  # fmt: skip
    line = clean(_STRUCK_IN_ROW.sub("", _NUMBER_IN_ROW.sub("", element.row_line)))
    if line and line != name:  # it has what the row's fields contain, too, and its tooltips
        yield Spot(line, "note", element.role, name, "", "", *common)
    if element.value is not None:
        value = clean(element.value)
        yield Spot(value, "value", element.role, name, name, hint, *common, cut=element.cut)
    if note:
        yield Spot(note, "note", element.role, name, name, link, *common)
    if link:
        yield Spot(link, "link", element.role, name, name, note, *common)
    if states:
        yield Spot(states, "value", element.role, name, name, hint, *common)


def _ratings(elements: Sequence[Element]) -> Iterator[Spot]:
    """The number that equal radio buttons stand for, such as four of five stars: which of them is
    the last that is checked. What they are for says the heading above them. Equal ones with others
    between them are in groups of their own."""
    radios = [element for element in elements if element.role == "radio" and element.name]
    follows = [False, *map(_follows, radios[1:], radios), False]
    for n, radio in enumerate(radios):
        number = _place_among_equals(radio)
        is_last = not (follows[n + 1] and _CHECKED in radios[n + 1].states)
        is_of_scale = bool(number) and (follows[n] or follows[n + 1])
        if is_of_scale and _CHECKED in radio.states and is_last and radio.place.headings:
            place, name = radio.place, clean(radio.name)
            common = (place.headings, place.record, place.frame, radio.box, radio.ref)
            yield Spot(str(number), "element", radio.role, name, place.headings[-1], "", *common)


def _follows(radio: Element, before: Element) -> bool:
    """Whether a radio button is the next one of those that are equal."""
    is_equal = radio.name == before.name
    return is_equal and _place_among_equals(radio) == _place_among_equals(before) + 1


def _place_among_equals(radio: Element) -> int:
    """Counted from 1; 0 for one that has a name of its own."""
    places = filter(None, map(_PLACE_AMONG_EQUALS.fullmatch, radio.states))
    return next((int(found[1]) for found in places), 0)


def _note_in(states: tuple[str, ...]) -> str:
    return next((s[6:-1] for s in states if s.startswith('note="')), "")


def _spots_of_value(value: LabelledValue) -> Iterator[Spot]:
    if value.kind == "search":  # a form, and the address of its results
        return
    place, label = value.place, clean(value.label)
    common = (place.headings, place.record, place.frame, value.box, None)
    source: Source = "value" if value.kind == "input" else "labelled"
    hint, time = value.url or "", value.datetime or ""
    for part in dict.fromkeys((value.value, *value.items)):
        if text := clean(part):
            spot = Spot(text, source, value.kind, label, label, hint, *common, time)
            yield replace(spot, cut=value.cut, holder=value.ref)
    if value.url:
        link = Spot(value.url, "link", "link", label, label, "", *common)
        yield replace(link, holder=value.ref)


def spots_read(action: Action, result: ActionResult, page: Observation) -> Iterator[Spot]:
    """What extract, find and look read, and the names of downloads."""
    element = page.element_for(action.selector or "") if action.action == "extract" else None
    name, box = (clean(element.name), element.box) if element else ("", None)
    for line in result.lines if result.success else ():
        if line.source == "find":
            yield Spot(clean(line.text), "find", "text", ref=line.ref)
        elif line.source != "evaluate":  # a script may return what no page shows
            text = CELLS.join(filter(None, map(clean, line.text.split("\t"))))
            own = (SAID, line.index)
            yield Spot(text, line.source, line.source, name, box=box, ref=own, holder=line.ref)
    file = result.artifact
    if file is not None and not file.fault and not is_picture(file.filename):
        filename = file.filename
        yield Spot(clean(file.label), "download", "file", file=filename)
        yield Spot(filename.rpartition("/")[2], "download", "file", file=filename)
