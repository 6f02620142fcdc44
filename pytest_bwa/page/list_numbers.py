"""The numbers under which elements are listed for the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field

from playwright.sync_api import Page

from pytest_bwa.steps import ElementRef


@dataclass
class _Numbers:
    document: int
    by_ref: dict[ElementRef, int] = field(default_factory=dict)
    by_key: dict[int, ElementRef | None] = field(default_factory=dict)
    """The newest element of each key, by the key's hash; None if there were several at once."""

    def number(self, ref: ElementRef) -> int:
        return self.by_ref.setdefault(ref, len(self.by_ref))

    def replace(self, old: ElementRef, new: ElementRef) -> None:
        self.by_ref[new] = self.by_ref.pop(old)


class ListNumbers:
    """The numbers of each tab. They start again at 0 in a new document of the tab; within one,
    whatever its address becomes, an element keeps its number."""

    def __init__(self) -> None:
        self._numbers: dict[Page, _Numbers] = {}

    def number(self, page: Page, document: int, ref: ElementRef) -> int:
        """The number of an element; ``document`` is that of the tab's main frame."""
        return self._of(page, document).number(ref)

    def number_all(
        self,
        page: Page,
        document: int,
        listed: Mapping[ElementRef, Hashable],
        present: Collection[ElementRef],
    ) -> dict[ElementRef, int]:
        """The numbers of the listed elements. Many pages replace an element by an equal one to
        paint it anew: one whose key (what it is called, and where it stands) only one that is gone
        had gets its number. ``present`` are all elements of the page."""
        numbers = self._of(page, document)
        new = {ref: hash(key) for ref, key in listed.items() if ref not in numbers.by_ref}
        equals = Counter(new.values())
        for ref, key in new.items():
            old = numbers.by_key.get(key, ref)
            is_only = equals[key] == 1 and old is not None and (old == ref or old not in present)
            if is_only and old is not None and old != ref and old[0] == ref[0]:
                numbers.replace(old, ref)
            numbers.number(ref)
            numbers.by_key[key] = ref if is_only else None
        return {ref: numbers.by_ref[ref] for ref in listed}

    def ref(self, page: Page, number: int) -> ElementRef | None:
        """The element that has that number in the tab's latest document."""
        numbers = self._numbers.get(page)
        found = (ref for ref, given in numbers.by_ref.items() if given == number) if numbers else ()
        return next(iter(found), None)

    def _of(self, page: Page, document: int) -> _Numbers:
        numbers = self._numbers.get(page)
        if numbers is None or numbers.document != document:
            numbers = self._numbers[page] = _Numbers(document)
        return numbers
