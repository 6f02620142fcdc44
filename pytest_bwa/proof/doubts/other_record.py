"""Whether a value stands in the row, or on the page, of another record. Pure.

Another record is one that names another sample of the list, or an entry of a list in which the
sample has an entry of its own. A mere neighbour is none, nor is the page that the sample's own
address leads to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pytest_bwa.facts.fact import Fact, Piece
from pytest_bwa.facts.place import PageFacts
from pytest_bwa.facts.text_match import clean, same_text
from pytest_bwa.proof.doubts.other_value import is_only_pair
from pytest_bwa.proof.observed import Observed
from pytest_bwa.spec.notation.record_names import is_called
from pytest_bwa.steps.text import cells_of

MAX_CHARACTERS = 60
_BETWEEN_PARTS = re.compile(r"\s[-–—|·•:]\s")
_AS_A_WHOLE = ("text", "extract", "find", "title", "address")
"""Sources of texts that do not say in which row their parts stand."""


class OtherRecord:
    """Looks for it in what one sample's agent observed."""

    def __init__(self, observed: Observed) -> None:
        self._observed = observed
        self._known: dict[int, str] = {}
        """Of which looks it is known whose page they are; empty for the sample's own."""

    def of(self, value: Any, places: Sequence[Piece]) -> str | None:
        """What the record is called that all places are in; None if one of them may be the
        sample's."""
        exact = [p for p in places if p.fact.kind not in _AS_A_WHOLE]
        names = [self._name_at(value, place) for place in exact or places]
        return names[0] if all(names) else None

    def _name_at(self, value: Any, place: Piece) -> str:
        row = self._row_of(value, place)
        return "" if row is None else row or self._page_of(place)

    # -- rows ----------------------------------------------------------------------------------

    def _row_of(self, value: Any, place: Piece) -> str | None:
        """The name of the other record whose row or card has the place; empty if none has, None if
        it is the sample's own, whatever the page is called."""
        entries = [e for e in self._observed.values_at(place) if not is_only_pair(e)]
        rows = [e.place.record for e in entries] or [place.fact.row]
        for row in filter(None, map(clean, rows)):
            if self._observed.names.are_in(row):
                return None
            name = self._other_in(cells_of(row)) or self._beside_own(row, place)
            if name and same_text(name) != same_text(str(value)):
                return name[:MAX_CHARACTERS]
        return ""

    def _other_in(self, texts: Iterable[str]) -> str:
        """The first text that is the name of another sample, or of the same kind."""
        return next((text for text in texts if self._observed.names.is_other(text)), "")

    def _beside_own(self, row: str, place: Piece) -> str:
        """What the row is called, if the sample has another row in the same list."""
        page = self._observed.page_of(place.fact)
        entries = [e for e in page.entries if e.place.record] if page else []
        own = [e for e in entries if clean(e.place.record) == row and not is_only_pair(e)]
        for entry in own[:1]:
            if any(map(self._observed.names.are_in, _records_beside(entry, entries))):
                return entry.place.record_name or cells_of(row)[0]
        return ""

    # -- pages ---------------------------------------------------------------------------------

    def _page_of(self, place: Piece) -> str:
        """The name of the other record whose page shows the place; empty if one that shows it may
        be the sample's."""
        names = [self._name_of(look) for look in self._observed.looks_at(place.fact)]
        return names[0] if all(names) else ""

    def _name_of(self, look: int) -> str:
        if look not in self._known:
            self._known[look] = self._read_name(look)
        return self._known[look]

    def _read_name(self, number: int) -> str:
        look = self._observed.looks[number]
        if self._observed.is_own_page(look) or self._observed.is_titled_like_sample(number):
            return ""
        headings = (f for f in look.facts if f.role == "heading" and f.kind == "element")
        titles = [f.text for f in look.facts if f.kind == "title"] + [f.text for f in headings]
        listed = list(map(same_text, self._listed(look.url)))
        for title in titles:
            key = same_text(title)
            names = self._observed.names
            alike = names.alike_in(key)
            is_other = any(map(names.is_other, (title, *_BETWEEN_PARTS.split(title))))
            if is_other or any(is_called(key, name) for name in (*listed, *alike)):
                return title[:MAX_CHARACTERS]
        return ""

    def _listed(self, url: str) -> Iterator[str]:
        """What lists call their entries that had one of the sample, too."""
        for page in self._observed.pages.values():
            if page.page.url != url:
                yield from _others_listed(page, self._observed)


def _records_beside(entry: Fact, entries: Sequence[Fact]) -> Iterator[str]:
    """The records of the list that an entry is in: their parts have the same label there."""
    for other in entries:
        is_same_list = (other.place.headings, other.place.frame, other.role, other.label) == (
            entry.place.headings, entry.place.frame, entry.role, entry.label
        )  # fmt: skip
        if is_same_list and other.place.record != entry.place.record:
            yield clean(other.place.record)


def _others_listed(page: PageFacts, observed: Observed) -> Iterator[str]:
    entries = [e for e in page.entries if e.place.record and e.place.record_name]
    lists = {(e.place.headings, e.place.frame, e.label) for e in entries
             if observed.names.are_in(clean(e.place.record))}  # fmt: skip
    for entry in entries:
        is_own = observed.names.are_in(clean(entry.place.record))
        if (entry.place.headings, entry.place.frame, entry.label) in lists and not is_own:
            yield entry.place.record_name
