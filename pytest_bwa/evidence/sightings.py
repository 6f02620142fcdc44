"""Collects what was observed in one sample, so that the values of its answer can be looked up."""

from __future__ import annotations

import heapq
from array import array
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urljoin, urlsplit

from pytest_bwa.evidence.lookup.text_match import clean, words
from pytest_bwa.steps import (
    HIDDEN,
    Action,
    ActionResult,
    Box,
    Element,
    LabelledValue,
    Observation,
)

BROWSERS_OWN = ("chrome-error:", "chrome:", "about:neterror")
"""Pages that the browser itself writes; they quote addresses, and say nothing of a sample."""

OWN_READING = "own reading"
"""The role of a text of which nothing but the policy's answer says that a picture shows it."""
_READ_STATES = ("checked", "selected", "pressed")
MAX_KEPT_SIZE = 60_000
"""Elements and labelled values of all pages that are kept whole, about 40 MB."""
MIN_TELLING = 4
"""Characters of a column that tells the sample from others."""
Source = Literal[
    "element", "value", "note", "link", "labelled", "title", "address", "text", "extract", "find",
    "vision", "ocr", "download",
]  # fmt: skip
"""``value`` is what a field contains, ``note`` a tooltip, ``link`` where a link leads, ``address``
the page's own URL, ``text`` a line of the page's whole text."""


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
    ref: tuple[int, int] | None = None
    time: str = ""
    """The time of a <time> element, as it is written for machines."""
    file: str = ""
    cut: bool = False
    """Whether the text is only the beginning of what the page has."""
    hidden: bool = False
    """Whether the page has the text, and nobody can see it."""


@dataclass(frozen=True, slots=True)
class Look:
    """One state of a page, and the spots on it, in the order of the page."""

    number: int
    step: int
    url: str
    state: str
    language: str
    spots: array[int]
    steps_done: int = 0
    """How many steps of the action log were done."""


class Sightings:
    """Everything that one sample's agent observed. A text that stays where it is is kept once.

    ``labelled`` says whether labelled values prove an answer: those of a policy that reads them.
    """

    def __init__(self, given: Iterable[str] = (), *, labelled: bool = True) -> None:
        self.spots: list[Spot] = []
        self.looks: list[Look] = []
        self.looks_of: list[list[int]] = []
        """For each spot the numbers of the looks that have it."""
        self.given = {same_text(text) for text in given if text}
        """The sample's own columns, in the form in which they are compared."""
        self.telling = [text for text in self.given if len(text) >= MIN_TELLING]
        """Those that tell the sample from others."""
        self._numbers: dict[Spot, int] = {}
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)
        self._typed: set[str] = set()
        self._invented: set[str] = set()
        self.addresses: defaultdict[str, list[int]] = defaultdict(list)
        """The spots that are addresses, in the form in which addresses are compared."""
        self._latest: Observation | None = None
        self._labelled = labelled
        self.steps_done = 0
        """How many steps of the action log are done, with the one that is being carried out."""
        self.pages: OrderedDict[int, Observation] = OrderedDict()
        """The observation of each look, by its number; very large ones only for a while."""

    # -- collecting --------------------------------------------------------------------------

    def add_observation(self, observation: Observation, step: int) -> None:
        """Keep what the page shows; an observation that was kept before costs nothing."""
        last, self._latest = self._latest, observation
        is_known = last is not None and _is_same(last, observation)
        if is_known or observation.url.startswith(BROWSERS_OWN):
            return
        self._add_look(_spots_of(observation, labelled=self._labelled), observation, step)
        self.pages[len(self.looks) - 1] = observation
        while sum(_size(page) for page in self.pages.values()) > MAX_KEPT_SIZE:
            if len(self.pages) == 1:
                break
            self.pages.popitem(last=False)

    def add_action(
        self, action: Action, result: ActionResult, page: Observation, step: int
    ) -> None:
        """Keep what an action read, and remember what the agent itself entered."""
        if action.action in ("type", "select_option"):
            self._typed.update(same_text(t) for t in (action.text, action.value) if t)
        if action.action == "goto" and step > 0 and action.url:
            address = same_address(urljoin(page.url, action.url))
            if address not in self.addresses and same_text(action.url) not in self.given:
                self._invented.add(address)
        if spots := list(_spots_read(action, result, page)):
            self._add_look(spots, page, step)

    def add_reading(self, texts: Iterable[str], page: Observation, step: int) -> None:
        """Keep what the policy itself says that it read from a picture of the page."""
        self._add_look([Spot(clean(text), "vision", OWN_READING) for text in texts], page, step)

    def _add_look(self, spots: Iterable[Spot], page: Observation, step: int) -> None:
        if page.url.startswith(BROWSERS_OWN):
            return
        number = len(self.looks)
        numbers = array("L", dict.fromkeys(self._number(spot) for spot in spots))
        look = Look(number, step, page.url, page.state, page.language, numbers, self.steps_done)
        self.looks.append(look)
        for spot in numbers:
            self.looks_of[spot].append(number)

    def _number(self, spot: Spot) -> int:
        number = self._numbers.get(spot)
        if number is None:
            number = self._numbers[spot] = len(self.spots)
            self.spots.append(spot)
            self.looks_of.append([])
            for word in set(words(spot.text)):
                self._by_word[word].append(number)
            if spot.source in ("link", "address"):
                self.addresses[same_address(spot.text)].append(number)
        return number

    # -- looking up --------------------------------------------------------------------------

    def with_words(self, wanted: Iterable[str]) -> list[int]:
        """The spots that have all of these words, the oldest first."""
        lists = sorted((self._by_word.get(word, []) for word in set(wanted)), key=len)
        if not lists:
            return []
        others = [set(numbers) for numbers in lists[1:]]
        return [n for n in lists[0] if all(n in other for other in others)]

    def is_own(self, spot: Spot, value: str) -> bool:
        """Whether a spot has the value only because the agent entered it there: in a field, in the
        address that it opened, or in the address of its own query."""
        if spot.source == "address" and same_address(spot.text) in self._invented:
            return True
        if spot.source not in ("value", "address", "link"):
            return False
        key = same_text(value)
        is_echo = spot.source == "value" and (
            key in self.given or same_text(spot.text) in self.given
        )
        typed_here = spot.source == "value" and same_text(spot.text) in self._typed
        return key in self._typed or typed_here or (is_echo and "search" in spot.role)

    def is_in(self, spot: Spot, look: Look) -> bool:
        return look.number in self.looks_of[self._numbers[spot]]

    def in_state(self, state: str) -> list[Look]:
        """The looks at one state of a page; a page that changes all the time has no state."""
        return [look for look in self.looks if state and look.state == state]


def same_text(text: str) -> str:
    return clean(text).casefold()


def same_address(url: str) -> str:
    """An address in the form in which addresses are compared."""
    parts = urlsplit(url.strip())
    query = f"?{parts.query}" if parts.query else ""
    return unquote(f"{parts.netloc.casefold()}{parts.path.rstrip('/')}{query}")


def _is_same(last: Observation, page: Observation) -> bool:
    """Whether the observer gave out the same reading again, as it does if nothing changed."""
    return (
        last.elements is page.elements
        and last.labelled is page.labelled
        and last.picture_text is page.picture_text
        and (last.url, last.title, last.state) == (page.url, page.title, page.state)
    )


def _size(page: Observation) -> int:
    return len(page.elements) + len(page.unlisted) + len(page.labelled)


def _spots_of(page: Observation, *, labelled: bool) -> Iterator[Spot]:
    yield Spot(clean(page.title), "title", "title")
    yield Spot(page.url, "address", "address")
    known = {clean(page.title)}
    for element in heapq.merge(page.elements, page.unlisted, key=lambda e: e.ref):
        for spot in _spots_of_element(element):
            known.add(spot.text)
            yield spot
    for value in page.labelled:
        if labelled or value.box is None:  # what OCR read has none
            yield from _spots_of_value(value)
    for line in page.text.splitlines():
        if (text := " | ".join(filter(None, map(clean, line.split("\t"))))) and text not in known:
            yield Spot(text, "text", "text")
    if page.picture_text is not None:
        for line in page.picture_text.text.splitlines():
            if text := clean(line):
                yield Spot(text, page.picture_text.source, page.picture_text.source)


def _spots_of_element(element: Element) -> Iterator[Spot]:
    place, name = element.place, clean(element.name)
    note = clean(element.note or _note_in(element.states))
    link = element.url or ""
    common = (place.headings, place.record, place.frame, element.box, element.ref)
    states = "; ".join(s for s in element.states if s.partition("=")[0] in _READ_STATES)
    hint = " ".join(filter(None, (note, link)))
    if name:
        hidden = HIDDEN in element.states
        yield Spot(
            name, "element", element.role, name, "", hint, *common, cut=element.cut, hidden=hidden
        )
    if element.value is not None:
        value = clean(element.value)
        yield Spot(value, "value", element.role, name, name, hint, *common, cut=element.cut)
    if note:
        yield Spot(note, "note", element.role, name, name, link, *common)
    if link:
        yield Spot(link, "link", element.role, name, name, note, *common)
    if states:
        yield Spot(states, "value", element.role, name, name, hint, *common)


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
            yield Spot(text, source, value.kind, label, label, hint, *common, time, cut=value.cut)
    if value.url:
        yield Spot(value.url, "link", "link", label, label, "", *common)


def _spots_read(action: Action, result: ActionResult, page: Observation) -> Iterator[Spot]:
    """What extract and find read, and the names of downloads."""
    if result.success and action.action == "extract":
        element = page.element_for(action.selector or "")
        role, name, box, ref = ("", "", None, None)
        if element is not None:
            role, name, box, ref = element.role, clean(element.name), element.box, element.ref
        text = str(result.data.get("text", ""))
        for part in dict.fromkeys((text, *text.splitlines())):
            if line := " | ".join(filter(None, map(clean, part.split("\t")))):
                yield Spot(line, "extract", role, name, "", "", (), "", "", box, ref)
    for hit in result.data.get("found", ()):
        yield Spot(clean(str(hit)), "find", "text")
    if result.artifact is not None and not result.artifact.filename.endswith(".png"):
        filename = result.artifact.filename
        yield Spot(clean(result.artifact.label), "download", "file", file=filename)
        yield Spot(filename.rpartition("/")[2], "download", "file", file=filename)
