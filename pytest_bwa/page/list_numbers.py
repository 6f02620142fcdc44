"""The numbers under which elements and other texts are shown to the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass

from playwright.sync_api import Page

from pytest_bwa.steps.step import ElementRef, Line, LineSource


@dataclass(frozen=True, slots=True)
class Numbered:
    """The element that has a number, and where it was seen last."""

    ref: ElementRef
    page: Page
    url: str


class ListNumbers:
    """The numbers of one sample. A number is never given again, not in another document, tab or
    frame: what is said of it later, as the source of a value, means what it meant then."""

    def __init__(self) -> None:
        self._next = 0
        self._by_ref: dict[ElementRef, int] = {}
        self._elements: dict[int, Numbered] = {}
        """The newest element of each number."""
        self._by_key: dict[tuple[int, int], ElementRef | None] = {}
        """The newest element of each key, by its document and the key's hash; None if there were
        several at once."""
        self._lines: dict[Hashable, int] = {}

    def new(self) -> int:
        """A number that nothing has had yet."""
        self._next += 1
        return self._next - 1

    def number(self, page: Page, ref: ElementRef) -> int:
        """The number of an element."""
        if ref not in self._by_ref:
            self._by_ref[ref] = self.new()
        number = self._by_ref[ref]
        self._elements[number] = Numbered(ref, page, page.url)
        return number

    def number_all(
        self, page: Page, listed: Mapping[ElementRef, Hashable], present: Collection[ElementRef]
    ) -> dict[ElementRef, int]:
        """The numbers of the listed elements. Many pages replace an element by an equal one to
        paint it anew: one whose key (what it is called, and where it stands) only one that is gone
        had gets its number, and both have it from then on. ``present`` are all elements of the
        page."""
        new = {ref: (ref[0], hash(key)) for ref, key in listed.items() if ref not in self._by_ref}
        equals = Counter(new.values())
        for ref, key in new.items():
            old = self._by_key.get(key, ref)
            is_only = equals[key] == 1 and old is not None and (old == ref or old not in present)
            if is_only and old is not None and old != ref:
                self._by_ref[ref] = self._by_ref[old]
            self._by_key[key] = ref if is_only else None
        for ref in listed:
            newest = self._elements.get(self._by_ref.get(ref, -1))
            if newest is not None and newest.ref != ref and newest.ref in present:
                del self._by_ref[ref]  # it came back beside the one that had replaced it
        return {ref: self.number(page, ref) for ref in listed}

    def line(
        self, source: LineSource, text: str, *, where: Hashable, ref: ElementRef | None = None
    ) -> Line:
        """A text that is no listed element, with its number. The same text of the same source and
        place keeps its number."""
        key = source, text, where, ref
        if key not in self._lines:
            self._lines[key] = self.new()
        return Line(self._lines[key], source, text, ref)

    def find(self, number: int) -> Numbered | None:
        """The element that has that number, on whatever page; None if none ever had it."""
        return self._elements.get(number)
