"""Finds the row of a table of properties that is called like a field, where a value stands in other
rows of it: "Key | Changed | Value" has no column that names any field. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.difference import MAX_CHARACTERS, differs
from pytest_bwa.evidence.doubts.own_record import OwnRecord, is_of_others
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import CELLS, cells_of, clean, column_at
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.steps import LabelledValue, Observation


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
        read = [(place, spot) for place, spot in claim.places() if spot.source != "text"]
        places = read or list(claim.places())  # the page's whole text says the same once more
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
    is_row = row != own and row.count(CELLS) == own.count(CELLS) > 0
    return is_row and (spot.source == "text" or spot.frame == place.frame)


def _row_of(spot: Spot) -> str:
    return spot.text if spot.source == "text" else spot.row


def _cell_of(row: str, place: Sighting, spot: Spot) -> str:
    """The cell of a row in the column in which a value stands in its own row."""
    cells = cells_of(_row_of(spot))
    if _row_of(spot) == spot.text:
        return cells_of(row)[column_at(spot.text, place.start)]
    return next((own for c, own in zip(cells, cells_of(row), strict=True) if spot.text in c), "")
