"""Finds the sample's own entry of a list, where a value stands only in others of it; and the row of
a table of properties that is called like the field: of "Key | Changed | Value" no column names any.
Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.difference import MAX_CHARACTERS, differs
from pytest_bwa.evidence.doubts.own_record import OwnRecord, is_of_others
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import clean, same_text
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.evidence.sightings import Look, Sightings
from pytest_bwa.steps import LabelledValue, Observation
from pytest_bwa.text import cells_of, column_at

_READ = ("element", "value", "labelled", "link")
List = tuple[str, tuple[str, ...], int]
"""A frame, the headings above a list, and how many cells its entries have."""
Entry = tuple[List, str]


class OtherEntry:
    """Looks for it in one sample's sightings. An entry is a row, a record, or what a heading below
    others is above; no label tells whose a value is there."""

    def __init__(self, sightings: Sightings, record: OwnRecord) -> None:
        self._sightings, self._record = sightings, record

    def find(self, claim: Claim) -> tuple[str, ...]:
        """The entries that are called like the sample, on a page that is not the sample's."""
        page = self._sightings.pages.get(claim.look.number)
        if page is None or self._record.is_named(page) or self._record.is_own_page(page):
            return ()
        rows = self._rows_by_cell(claim.look)
        read = [spot for spot in claim.spots if spot.source in _READ]
        if any(claim.field.words.are_exactly(cell) for s in read for cell in cells_of(s.row)[:-1]):
            return ()  # a row of properties, which is no entry
        entries = [_row_opened(spot, rows) or _entry(spot) for spot in read]
        if not entries or any(
            not text or self._sightings.names_sample(text) for _, text in entries
        ):
            return ()
        lists = {of for of, _ in entries}
        own = self._own_entries(claim.look)
        named = own[lists.pop()] if len(lists) == 1 else set()
        return tuple(text[:MAX_CHARACTERS] for text in sorted(named))

    def _rows_by_cell(self, look: Look) -> dict[str, Entry]:
        """The rows of a page by the texts of their cells; the first that has each."""
        rows: dict[str, Entry] = {}
        for spot in (self._sightings.spots[number] for number in look.spots):
            for cell in cells_of(spot.text) if spot.role == "row" else ():
                rows.setdefault(same_text(cell), _entry(spot))
        return rows

    def _own_entries(self, look: Look) -> defaultdict[List, set[str]]:
        """The entries of each list of a page that are called like the sample."""
        own: defaultdict[List, set[str]] = defaultdict(set)
        for number in look.spots:
            spot = self._sightings.spots[number]
            of, text = _entry(spot)
            if text and spot.source == "element" and self._sightings.names_sample(text):
                own[of].add(text)
        return own


def _row_opened(spot: Spot, rows: Mapping[str, Entry]) -> Entry | None:
    """The row of a list that is opened beside it, of what stands below that row's name."""
    if spot.row or not spot.headings:
        return None
    return rows.get(same_text(spot.headings[-1]))


def _entry(spot: Spot) -> Entry:
    """The list that a spot stands in, and its entry; an empty text where it stands in none."""
    if spot.role == "row" or spot.record:
        setting = spot.setting if spot.role == "row" else spot.setting_of_row
        return (*setting, len(cells_of(spot.row))), spot.row
    if len(spot.headings) > 1:
        return (spot.frame, spot.headings[:-1], 0), spot.headings[-1]
    return (*spot.setting, 0), ""


def row_called_like(pages: Iterable[Observation], field: Field) -> list[LabelledValue]:
    """The cells of the one row that is written like the field's name or an alias; none if there
    are several, as in a history."""
    rows: dict[str, list[LabelledValue]] = {}
    for page in {id(page): page for page in pages}.values():
        rows_of_page: dict[str, list[LabelledValue]] = {}
        for entry in page.labelled:
            is_of_row = entry.kind == "table" and not is_of_others(entry.place)
            if is_of_row and field.words.are_literally(entry.place.record_name):
                rows_of_page.setdefault(clean(entry.place.record), []).append(entry)
        rows |= rows_of_page
    return next(iter(rows.values())) if len(rows) == 1 else []


class OtherRow:
    """Looks for it in one sample's sightings."""

    def __init__(self, record: OwnRecord, locale: str | None) -> None:
        self._record, self._locale = record, locale

    def find(self, claim: Claim) -> tuple[str, ...]:
        """The field's own row, if the value stands in other rows of that table only, and the own
        row has something else in that column."""
        cells = row_called_like(self._record.pages_beside(claim.look), claim.field)
        if not cells or any(map(claim.field.words.are_exactly, (e.label for e in cells))):
            return ()
        row = clean(cells[0].place.record)
        places = claim.places_read()
        if not all(_is_beside(spot, cells) for _, spot in places):
            return ()
        own = [_cell_of(row, place, spot) for place, spot in places]
        locale = self._locale or cells[0].language or None
        are_others = all(not cell or differs(str(claim.value), cell, locale) for cell in own)
        return (row[:MAX_CHARACTERS],) if are_others else ()


def _is_beside(spot: Spot, cells: Sequence[LabelledValue]) -> bool:
    """Whether a text is, or stands in, another row of the table that these cells are a row of."""
    place, row = cells[0].place, _row_of(spot)
    own = clean(place.record)
    is_row = row != own and len(cells_of(row)) == len(cells_of(own)) > 1
    return is_row and (spot.source == "text" or spot.frame == place.frame)


def _row_of(spot: Spot) -> str:
    return spot.text if spot.source == "text" else spot.row


def _cell_of(row: str, place: Sighting, spot: Spot) -> str:
    """The cell of a row in the column in which a value stands in its own row."""
    cells = cells_of(_row_of(spot))
    if _row_of(spot) == spot.text:
        return cells_of(row)[column_at(spot.text, place.start)]
    return next((own for c, own in zip(cells, cells_of(row), strict=True) if spot.text in c), "")
