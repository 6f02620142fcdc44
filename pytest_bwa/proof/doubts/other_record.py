"""Whether a value stands in the row, or on the page, of another record. Pure.

Another record is one that names another sample of the list, or an entry of a list in which the
sample has an entry of its own. A mere neighbour is none, nor is the page that the sample's own
address leads to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pytest_bwa.proof.doubts.other_value import is_only_pair
from pytest_bwa.proof.labels import labelled_at, page_of
from pytest_bwa.proof.sighting import Sighting
from pytest_bwa.proof.sightings import Sightings
from pytest_bwa.proof.spots import Spot
from pytest_bwa.proof.texts.text_match import clean, same_text
from pytest_bwa.spec.notation.record_names import is_called, tells_its_kind
from pytest_bwa.steps.step import LabelledValue, Observation
from pytest_bwa.steps.text import cells_of

MAX_CHARACTERS = 60
_TITLES = ("title", "heading")
_BETWEEN_PARTS = re.compile(r"\s[-–—|·•:]\s")
_AS_A_WHOLE = ("text", "extract", "find", "title", "address")
"""Sources of texts that do not say in which row their parts stand."""


class OtherRecord:
    """Looks for it in one sample's sightings."""

    def __init__(self, sightings: Sightings) -> None:
        self._sightings = sightings
        self._alike = [_alike(name) for name in filter(tells_its_kind, sightings.names.telling)]
        self._known: dict[int, str] = {}
        """Of which looks it is known whose page they are; empty for the sample's own."""

    def of(self, value: Any, places: Sequence[Sighting]) -> str | None:
        """What the record is called that all places are in; None if one of them may be the
        sample's."""
        exact = [p for p in places if self._sightings.spots[p.spot].source not in _AS_A_WHOLE]
        names = [self._name_at(value, place) for place in exact or places]
        return names[0] if all(names) else None

    def _name_at(self, value: Any, place: Sighting) -> str:
        row = self._row_of(value, place)
        return "" if row is None else row or self._page_of(place)

    # -- rows ----------------------------------------------------------------------------------

    def _row_of(self, value: Any, place: Sighting) -> str | None:
        """The name of the other record whose row or card has the place; empty if none has, None if
        it is the sample's own, whatever the page is called."""
        spot = self._sightings.spots[place.spot]
        entries = [e for e in labelled_at(place, self._sightings) if not is_only_pair(e)]
        rows = [e.place.record for e in entries] or [spot.row]
        for row in filter(None, map(clean, rows)):
            if self._sightings.names.are_in(row):
                return None
            name = self._other_in(cells_of(row)) or self._beside_own(row, spot, place)
            if name and same_text(name) != same_text(str(value)):
                return name[:MAX_CHARACTERS]
        return ""

    def _other_in(self, texts: Iterable[str]) -> str:
        """The first text that is the name of another sample, or of the same kind."""
        return next((text for text in texts if self._is_other(text)), "")

    def _is_other(self, text: str) -> bool:
        is_listed = self._sightings.names.are_others(text)
        return is_listed or any(p.fullmatch(same_text(text)) for p in self._alike)

    def _beside_own(self, row: str, spot: Spot, place: Sighting) -> str:
        """What the row is called, if the sample has another row in the same list."""
        page = page_of(place, self._sightings)
        entries = [e for e in page.labelled if e.place.record] if page else []
        own = [e for e in entries if clean(e.place.record) == row and not is_only_pair(e)]
        for entry in own[:1]:
            if any(map(self._sightings.names.are_in, _records_beside(entry, entries))):
                return entry.place.record_name or cells_of(row)[0]
        return ""

    # -- pages ---------------------------------------------------------------------------------

    def _page_of(self, place: Sighting) -> str:
        """The name of the other record whose page shows the place; empty if one that shows it may
        be the sample's."""
        names = [self._name_of(look) for look in self._sightings.looks_of[place.spot]]
        return names[0] if all(names) else ""

    def _name_of(self, look: int) -> str:
        if look not in self._known:
            self._known[look] = self._read_name(look)
        return self._known[look]

    def _read_name(self, number: int) -> str:
        look = self._sightings.looks[number]
        if self._sightings.is_own_page(look) or self._sightings.is_titled_like_sample(number):
            return ""
        spots = map(self._sightings.spots.__getitem__, look.spots)
        titles = [s.text for s in spots if s.role in _TITLES and s.source in ("title", "element")]
        listed = list(map(same_text, self._listed(look.url)))
        for title in titles:
            key = same_text(title)
            alike = (found[0] for pattern in self._alike for found in pattern.finditer(key))
            is_other = any(map(self._is_other, (title, *_BETWEEN_PARTS.split(title))))
            if is_other or any(is_called(key, name) for name in (*listed, *alike)):
                return title[:MAX_CHARACTERS]
        return ""

    def _listed(self, url: str) -> Iterator[str]:
        """What lists call their entries that had one of the sample, too."""
        for page in self._sightings.pages.values():
            if page.url != url:
                yield from _others_listed(page, self._sightings)


def _alike(name: str) -> re.Pattern[str]:
    """Finds names with other numbers in the same places, however they are divided: FV/2026/0418 for
    FV-2026-0422."""
    digits = rf"\d{{{len(name)}}}" if name.isdecimal() else r"\d+"
    parts = re.findall(r"\d+|[^\W\d_]+|[\W_]+", name)
    forms = (
        digits if p.isdecimal() else re.escape(p) if p.isalpha() else r"[\W_]{1,3}" for p in parts
    )
    return re.compile(rf"(?<![\w-]){''.join(forms)}(?![\w-])", re.I)


def _records_beside(entry: LabelledValue, entries: Sequence[LabelledValue]) -> Iterator[str]:
    """The records of the list that an entry is in: their parts have the same label there."""
    for other in entries:
        is_same_list = (other.place.headings, other.place.frame, other.kind, other.label) == (
            entry.place.headings, entry.place.frame, entry.kind, entry.label
        )  # fmt: skip
        if is_same_list and other.place.record != entry.place.record:
            yield clean(other.place.record)


def _others_listed(page: Observation, sightings: Sightings) -> Iterator[str]:
    entries = [e for e in page.labelled if e.place.record and e.place.record_name]
    lists = {(e.place.headings, e.place.frame, e.label) for e in entries
             if sightings.names.are_in(clean(e.place.record))}  # fmt: skip
    for entry in entries:
        is_own = sightings.names.are_in(clean(entry.place.record))
        if (entry.place.headings, entry.place.frame, entry.label) in lists and not is_own:
            yield entry.place.record_name
