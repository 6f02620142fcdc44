"""What the agent sees of a page: nouns of ``steps``, from where the rooms take them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

INTERACTIVE_ROLES = frozenset(
    {"button", "link", "textbox", "searchbox", "checkbox", "radio", "switch", "slider", "tab"}
    | {"spinbutton", "combobox", "listbox", "option", "menuitem", "menuitemcheckbox"}
    | {"menuitemradio", "treeitem", "clickable"}
)
"""What can be acted on; page.js has the same, and calls clickable what only the pointer tells."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in CSS pixels from the page's top left corner (not the viewport's)."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Element:
    """One thing on the page that can be read or acted on.

    ``ref`` names the element inside its page (frame number and the number that the page script
    gave it); ``index`` is what the model is shown, stable while the element is there.
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

    def line(self) -> str:
        """The line of the prompt: ``[3] [link] "linux" → https://…``."""
        shown = list(self.states)
        if self.value is not None:
            shown.insert(0, f'value="{self.value}"')
        parts = [f"[{self.index}]", f"[{self.role}]", f'"{self.name}"']
        if shown:
            parts.append("(" + ", ".join(shown) + ")")
        if self.url:
            parts.append(f"→ {self.url}")
        return " ".join(parts)


LabelledKind = Literal[
    "definition", "table", "text", "prose", "input", "pair", "heading", "link", "count"
]
"""``prose`` is ``Label: value`` in a description or comment: somebody's words about the matter."""


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A value that the page itself names: ``<dt>``/``<dd>``, a table header and its cell,
    ``Label: value`` text, a labelled input, a heading, a link. ``value`` is empty where the page
    leaves a definition or a cell so.

    ``row`` is the text of the table's row or the list's card that it stands in, so that one entry
    can be told from another. ``url`` is the link inside the value, if it is one; ``datetime`` the
    machine-readable time of a ``<time>`` in it.
    """

    label: str
    value: str
    kind: LabelledKind
    url: str | None = None
    datetime: str | None = None
    row: str | None = None
    ref: tuple[int, int] | None = None
    in_viewport: bool = True


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


class PictureText(BaseModel):
    """What was read from a picture of the page, and not from its tree (F-29, F-30)."""

    model_config = ConfigDict(frozen=True)

    source: Literal["vision", "ocr"]
    text: str
    why: str
    """Why a picture was taken: what the tree could not tell."""
    model: str = ""

    def lines(self) -> list[str]:
        return [f"[{self.source}] {line}" for line in self.text.splitlines() if line.strip()]


@dataclass(frozen=True, slots=True)
class Observation:
    """What the agent sees of the page at one moment."""

    url: str
    title: str
    elements: tuple[Element, ...] = ()
    cut: str = ""
    """One line that says what was left out, or empty."""
    text: str = ""
    """The first 2,000 characters of visible text (F-54)."""
    dom_hash: str = ""
    dom_confidence: float = 1.0
    labelled: tuple[LabelledValue, ...] = ()
    http_status: int | None = None
    busy: bool = False
    """The page itself says that it is still loading (aria-busy, a progress bar, no content)."""
    unnamed_pictures: tuple[str, ...] = ()
    """What stands beside pictures that say nothing to the tree: nameless SVG, canvas, images."""
    unread_pictures: str = ""
    """Why somebody should have looked at the page's pictures, where nobody did."""
    tabs: tuple[Tab, ...] = ()
    """The open tabs, where there is more than one; of very many the newest."""
    dialogs: tuple[str, ...] = ()
    """What dialogs said since the last observation, and how they were answered."""
    picture_text: PictureText | None = None

    def lines(self) -> list[str]:
        """As the prompt shows the page: tabs, dialogs, elements, what was cut, what a picture
        told."""
        shown = [tab.line() for tab in self.tabs]
        shown += [f"[dialog] {said}" for said in self.dialogs]
        shown += [element.line() for element in self.elements]
        shown += [self.cut] if self.cut else []
        return [*shown, *self.picture_text.lines()] if self.picture_text else shown

    def element(self, index: int) -> Element | None:
        return next((e for e in self.elements if e.index == index), None)

    def element_for(self, selector: str) -> Element | None:
        """The listed element of a selector that is an index, ``7`` or ``[7]``."""
        number = selector.strip("[] ")
        return self.element(int(number)) if number.isdigit() else None
