"""Which document of which frame an element belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Frame, Page


@dataclass(frozen=True, slots=True)
class LiveDocument:
    """A document as it was read: a frame gets another one when it navigates."""

    frame: Frame
    key: str
    """What the page script calls the document; no other document of the frame has it."""


class Documents:
    """Numbers the documents of a sample's frames. A number is never given to another document,
    whatever frames come and go: with the place in a list of frames, the removal of one frame would
    turn an element of the next one into an element of the one after it."""

    def __init__(self) -> None:
        self._numbers: dict[LiveDocument, int] = {}
        self._documents: list[LiveDocument] = []

    def number(self, frame: Frame, key: str) -> int:
        """The number of a document; the first of all is 0."""
        document = LiveDocument(frame, key)
        if document not in self._numbers:
            self._numbers[document] = len(self._documents)
            self._documents.append(document)
        return self._numbers[document]

    def find(self, page: Page, number: int) -> LiveDocument | None:
        """The document with that number; None if its frame is gone or not in this tab. Whether
        the frame still has this document is known only inside the page: pass the key along."""
        if not 0 <= number < len(self._documents):
            return None
        document = self._documents[number]
        is_there = not document.frame.is_detached() and document.frame.page == page
        return document if is_there else None
