"""What the agent sees of a page. Other modules import these nouns from ``steps``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.read_lines import NO_PLACE, ElementRef, Line, PictureText
from pytest_bwa.steps.read_lines import Box as Box
from pytest_bwa.steps.read_lines import Place as Place
from pytest_bwa.steps.read_lines import Region as Region
from pytest_bwa.steps.text import short_address

INTERACTIVE_ROLES = frozenset(
    {"button", "link", "textbox", "searchbox", "checkbox", "radio", "switch", "slider", "tab"}
    | {"spinbutton", "combobox", "listbox", "option", "menuitem", "menuitemcheckbox"}
    | {"menuitemradio", "treeitem", "clickable"}
)
"""Roles of elements that can be acted on. The page scripts have the same list (a test compares
them); ``clickable`` is an element without a role that shows a pointer cursor."""

MIN_IN_LINE = 7  # small neighbours that share a line of the prompt, at least
MAX_SMALL_NAME = len("September")  # characters of a small element's name
_UNSORTED = "sort=none"
_SAYS_LITTLE = frozenset({"selected=false", _UNSORTED})
"""States that a control in a row may have without a line of its own."""


FOCUSED = "focused"
"""The state of the field that gets what is typed: it moves with every click."""
HIDDEN = "hidden"
"""The state of a text that the page has, and that nobody can see."""


@dataclass(frozen=True, slots=True)
class Element:
    """One thing on the page that can be read or acted on.

    ``ref`` identifies the element inside its sample: the number of its document (each frame has
    one) and the number that the page script gave to the element. ``index`` is the number that the
    model sees: nothing else of the sample ever has it, and it stays the same as long as the element
    is on the page, also where that is painted anew.
    """

    index: int
    ref: tuple[int, int]
    role: str
    name: str
    value: str | None = None
    states: tuple[str, ...] = ()
    url: str | None = None
    box: Box | None = None
    in_viewport: bool = True
    place: Place = NO_PLACE
    note: str = ""
    """What describes the element beyond its name, such as a tooltip."""
    cut: bool = False
    """Whether its name or its value is only the beginning of what the page has."""
    row_line: str = ""
    """What its line in the prompt says in place of the name: of a row also what its fields contain,
    its tooltips, and the indices of the elements in it."""
    lines: str = ""
    """Its text with line breaks and indentation, where a person sees them; else empty."""
    gap: str = ""
    """What of the page's content the list leaves out right before it, such as ``2 table rows``."""
    unfolds: bool = False
    """Whether a press only shows a part of the page that is hidden (``snapshot/unfolds.js``)."""
    around: tuple[str, ...] = ()
    """Of a control, what the row, entry or card says that it stands in, part by part."""

    @property
    def is_wordless(self) -> bool:
        """Whether it is a picture of which no text says what it shows."""
        return self.role == "canvas" or (self.role == "img" and not self.name)

    def line_without_role(self) -> str:
        """As a part of a line that says the role before."""
        states = f" ({', '.join(self.states)})" if self.states else ""
        return f'[{self.index}] "{self.name}"{states}'

    def line(self, page_url: str = "") -> str:
        """The element's line in the prompt: ``[3] [link] "linux" → https://…``. Addresses of the
        site that ``page_url`` belongs to are relative."""
        states = list(self.states)
        if self.value is not None:
            states.insert(0, f'value="{self.value}"')
        if self.is_wordless and self.box is not None:
            name = f'"{self.name}" ' if self.name else ""
            size = f"{self.box.width:.0f}×{self.box.height:.0f}"
            return f"[{self.index}] [{self.role}] {name}{size}: look at it"
        text = self.row_line or self.lines.replace("\n", " ⏎ ") or self.name
        parts = [f"[{self.index}]", f"[{self.role}]", f'"{text}"']
        if states:
            parts.append("(" + ", ".join(states) + ")")
        if address := short_address(self.url or "", page_url):
            parts.append(f"→ {address}")
        return " ".join(parts)


LabelledKind = Literal[
    "definition", "table", "text", "input", "pair", "heading", "link", "count", "search", "next"
]
RECORD_KINDS: frozenset[LabelledKind] = frozenset({"definition", "table", "pair", "text"})
"""What records say their values in; a field of a form may ask for something new."""


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A value with the label that the page gives it: ``<dt>``/``<dd>``, a column header and a cell,
    label and value side by side, ``Label: value``, a labelled field, a count ("12 followers"). The
    label of a heading is its rank (``h1``), and that of a link its text. A ``search`` has in
    ``url`` the address of its results, with an encoded ``{}`` for the text. ``next`` is what the
    page itself calls the next one (``rel=next``).

    ``value`` is empty if the page shows nothing there; its lines are kept. ``items`` are the
    entries of a value that is a list. ``url`` is the address of the one link inside the value,
    ``datetime`` the machine-readable time of the one ``<time>`` in it.
    """

    label: str
    value: str
    kind: LabelledKind
    url: str | None = None
    datetime: str | None = None
    items: tuple[str, ...] = ()
    in_viewport: bool = True
    place: Place = NO_PLACE
    box: Box | None = None
    cut: bool = False
    """Whether the value is only the beginning of what there is."""
    language: str = ""
    """What the ``lang`` attribute nearest to the value says."""
    ref: ElementRef | None = None
    """The element that it was read from, which no list has; None for what OCR read."""
    doubt: Doubt | None = None
    """Why the text may not be what a person sees."""


@dataclass(frozen=True, slots=True)
class Tab:
    """An open tab or popup of the sample; ``number`` is what switch_tab takes."""

    number: int
    title: str
    url: str
    current: bool = False

    def line(self) -> str:
        mark = " (current)" if self.current else ""
        return f'[tab {self.number}] "{self.title}" → {self.url}{mark}'


@dataclass(frozen=True, slots=True)
class Observation:
    """What the agent sees of the page at one moment."""

    url: str
    title: str
    elements: tuple[Element, ...] = ()
    arranged: tuple[Element, ...] = ()
    """The same in the order of the list, where those of a frame stand where the frame does; empty
    if the page has no frames."""
    cut: str = ""
    """One line that says which elements are not listed; empty if all are."""
    scroll: str = ""
    """Where the page stands, such as "scrolled 0 of 1,240" (pixels); empty if all is in view."""
    unlisted: tuple[Element, ...] = ()
    """Elements that were read, but are not listed for the model; their index is -1."""
    language: str = ""
    """What the page says in its ``lang`` attribute, such as ``de``; empty if it says nothing."""
    state: str = ""
    """A hash of address, whole text, elements and field values: equal for equal page states."""
    text: str = ""
    """The first 2,000 characters of the visible text."""
    dom_hash: str = ""
    dom_confidence: float = 1.0
    labelled: Sequence[LabelledValue] = ()
    """What the page itself labels; it may be read only when it is first asked for."""
    http_status: int | None = None
    busy: bool = False
    """The page shows a placeholder of what it still loads ("Loading…"), or nothing at all."""
    is_bare: bool = False
    """Nothing of its own is on the page: nothing but the menus that all pages of a site have."""
    unnamed_pictures: tuple[str, ...] = ()
    """The text beside pictures without a name (SVG, canvas, images)."""
    canvases: int = 0
    """How many visible <canvas> elements there are; what is painted there has no text."""
    small_pictures: int = 0
    """How many pictures without a name stand in the content, besides those that are listed."""
    unread_pictures: str = ""
    """Why the page's pictures should be read, if nobody has read them; else empty."""
    tabs: tuple[Tab, ...] = ()
    """The open tabs if there is more than one; of very many, the newest."""
    dialogs: tuple[str, ...] = ()
    """Messages of dialogs since the last observation, and how they were answered."""
    picture_text: PictureText | None = None
    other_lines: tuple[Line, ...] = ()
    """The numbered lines of dialogs, and of what was read from a picture."""

    @property
    def all_elements(self) -> tuple[Element, ...]:
        """Listed or not."""
        return (*self.elements, *self.unlisted)

    def lines(self) -> list[str]:
        """The page as the prompt shows it: tabs, dialogs, elements, whether these are all and
        where the page is scrolled to, and what was read from a picture."""
        lines = [tab.line() for tab in self.tabs]
        lines += [line.line() for line in self.other_lines if line.source == "dialog"]
        lines += _element_lines(self.arranged or self.elements, self.url)
        if self.elements or self.cut:
            lines.append(" ".join(self._about_list()))
        return lines + [line.line() for line in self.other_lines if line.source != "dialog"]

    def _about_list(self) -> Iterator[str]:
        count = len(self.elements)
        yield self.cut or f"{count} element{'' if count == 1 else 's'}, all."
        if few := self.small_pictures:
            have, them = ("pictures have", "them") if few > 1 else ("picture has", "it")
            yield f"{few} small {have} no text: look shows {them}."
        if self.scroll:
            yield f"The page is {self.scroll} pixels."

    def element(self, index: int) -> Element | None:
        return next((e for e in self.elements if e.index == index), None)

    def element_for(self, selector: str) -> Element | None:
        """The listed element that a selector names by its index, ``7`` or ``[7]``."""
        number = list_number(selector)
        return self.element(number) if number is not None else None


def list_number(selector: object) -> int | None:
    """The number in the list that a selector is, ``7`` or ``[7]``; None if it is anything else."""
    digits = str(selector).strip("[] ")
    return int(digits) if digits.isdecimal() else None


def _element_lines(elements: Sequence[Element], url: str) -> list[str]:
    """One line for each element. Small neighbours of one role, such as the days or months of a
    calendar, share one, and what a row says of an element is not said again."""
    lines, in_row = [], ""
    own = []
    for element in elements:
        in_row = element.row_line or in_row
        if not _is_said_by_row(element, in_row):
            own.append(element)
    for _, group in groupby(own, key=lambda e: e.role if _is_small(e) and not e.gap else e.index):
        members = list(group)
        lines += [f"… {members[0].gap} not listed"] if members[0].gap else []
        if len(members) < MIN_IN_LINE:
            lines += [member.line(url) for member in members]
            continue
        first, *others = members
        lines.append(" ".join([first.line(url), *(other.line_without_role() for other in others)]))
    return lines


def _is_said_by_row(element: Element, row_line: str) -> bool:
    """Of the link in a head by which one sorts, the address and what a label adds need no line."""
    states = set(element.states) - _SAYS_LITTLE
    if states or element.note or element.value or not element.name:
        return False
    if _UNSORTED in element.states and element.role in ("link", "button", "clickable"):
        found = re.search(rf"\[{element.index}\] ([^|\[]*)", row_line)
        head = found[1].strip().casefold() if found else ""
        is_begin = re.match(rf"{re.escape(head)}(?!\w)", element.name.casefold())
        return head != "" and is_begin is not None
    is_button = element.role in ("button", "clickable") and not element.url
    return is_button and f"[{element.index}] {element.name}" in row_line


def _is_small(element: Element) -> bool:
    is_short = 0 < len(element.name) <= MAX_SMALL_NAME and element.value is None
    return is_short and element.role in ("button", "clickable") and not element.url
