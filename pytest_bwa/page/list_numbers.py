"""The numbers under which elements are listed for the model."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Page

from pytest_bwa.steps import ElementRef


@dataclass
class _Numbers:
    document: int
    by_ref: dict[ElementRef, int] = field(default_factory=dict)


class ListNumbers:
    """The numbers of each tab. They start again at 0 in a new document of the tab; within one,
    whatever its address becomes, an element keeps its number."""

    def __init__(self) -> None:
        self._numbers: dict[Page, _Numbers] = {}

    def number(self, page: Page, document: int, ref: ElementRef) -> int:
        """The number of an element; ``document`` is that of the tab's main frame."""
        numbers = self._numbers.get(page)
        if numbers is None or numbers.document != document:
            numbers = self._numbers[page] = _Numbers(document)
        return numbers.by_ref.setdefault(ref, len(numbers.by_ref))

    def ref(self, page: Page, number: int) -> ElementRef | None:
        """The element that has that number in the tab's latest document."""
        numbers = self._numbers.get(page)
        found = (ref for ref, given in numbers.by_ref.items() if given == number) if numbers else ()
        return next(iter(found), None)
