"""Texts of the prompt that are no listed elements. Other modules import these nouns from
``steps``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

ElementRef = tuple[int, int]
"""The number of an element's document, and its number in it: ``Element.ref``."""
LineSource = Literal["dialog", "vision", "ocr", "look", "extract", "find"]


@dataclass(frozen=True, slots=True)
class Line:
    """A text that the prompt shows with a number, and that is no listed element: the message of a
    dialog, what vision or OCR read, a line that extract read, a hit of find. A picture that
    ``look`` showed has a number too, and no text."""

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
