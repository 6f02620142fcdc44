"""Where on a page something stands, and the texts of the prompt that are no listed elements. Other
modules import these nouns from ``steps``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

ElementRef = tuple[int, int]
"""The number of an element's document, and its number in it: ``Element.ref``."""
LineSource = Literal["dialog", "vision", "ocr", "look", "extract", "find", "evaluate"]


@dataclass(frozen=True, slots=True)
class Line:
    """A text that the prompt shows with a number, and that is no listed element: the message of a
    dialog, what vision or OCR read, a line that extract read, a hit of find, what a script
    returned. A picture that ``look`` showed has a number too, and no text."""

    index: int
    """Means this line for the whole sample, like an element's number."""
    source: LineSource
    text: str = ""
    ref: ElementRef | None = None
    """The element that it was read from, if it is known."""

    def line(self) -> str:
        """The line in the prompt: ``[57] [dialog] alert "Saved" (dismissed)``."""
        return f"[{self.index}] [{self.source}] {self.text}"


class PictureText(BaseModel):
    """What was read from a picture of the page, and not from its elements."""

    model_config = ConfigDict(frozen=True)

    source: Literal["vision", "ocr"]
    text: str
    why: str
    """Why a picture was read."""
    model: str = ""

    def lines(self) -> list[str]:
        return [line for line in self.text.splitlines() if line.strip()]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in CSS pixels, measured from the page's top left corner (not the viewport's)."""

    x: float
    y: float
    width: float
    height: float


Region = Literal[
    "", "main", "navigation", "complementary", "banner", "contentinfo", "search", "form", "dialog",
    "article", "comment",
]  # fmt: skip
"""A region of a page that something stands in."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where on a page something stands."""

    frame: str = ""
    """The address of its frame; empty in the page's main frame."""
    regions: tuple[Region, ...] = ()
    """All regions that it stands in, the outermost first."""
    headings: tuple[str, ...] = ()
    """The headings, captions and legends above it, the outermost first."""
    record: str = ""
    """The text of the table row, list item or card that it is a part of; empty if it stands in none
    that is repeated."""
    record_name: str = ""
    """What that record is called: its row header or first cell, its heading or first link."""


NO_PLACE = Place()
