"""What a sheet hides and what it merges, which openpyxl does not say of a sheet that it streams."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO

from openpyxl.utils import get_column_letter, range_boundaries
from openpyxl.xml.constants import SHEET_MAIN_NS
from openpyxl.xml.functions import iterparse


@dataclass(frozen=True, slots=True)
class Merged:
    """The cells of one merged range, by numbers from 1."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def name(self) -> str:
        start, end = get_column_letter(self.left), get_column_letter(self.right)
        return f"{start}{self.top}:{end}{self.bottom}"


@dataclass(slots=True)
class Layout:
    """Of one sheet."""

    shows_rows: dict[int, bool] = field(default_factory=dict)
    """For the rows that say so themselves."""
    shows_others: bool = True
    hidden_columns: list[range] = field(default_factory=list)
    merged: dict[int, list[Merged]] = field(default_factory=lambda: defaultdict(list))
    """By their first rows."""

    def shows_row(self, number: int) -> bool:
        return self.shows_rows.get(number, self.shows_others)

    def shows_column(self, number: int) -> bool:
        return not any(number in columns for columns in self.hidden_columns)


def read_layout(sheet: IO[bytes]) -> Layout:
    layout = Layout()
    for name, attributes in _elements(sheet):
        match name:
            case "sheetFormatPr":
                layout.shows_others = not _is_true(attributes.get("zeroHeight"))
            case "col" if _is_true(attributes.get("hidden")):
                first, last = int(attributes["min"]), int(attributes["max"])
                layout.hidden_columns.append(range(first, last + 1))
            case "row" if "r" in attributes:
                number = int(float(attributes["r"]))
                layout.shows_rows[number] = not _is_true(attributes.get("hidden"))
            case "mergeCell":
                cells = Merged(*(int(place or 1) for place in range_boundaries(attributes["ref"])))
                layout.merged[cells.top].append(cells)
    return layout


def _elements(sheet: IO[bytes]) -> Iterator[tuple[str, Mapping[str, str]]]:
    prefix = f"{{{SHEET_MAIN_NS}}}"
    for _event, element in iterparse(sheet):
        yield element.tag.removeprefix(prefix), element.attrib
        if element.tag == f"{prefix}row":
            element.clear()


def _is_true(text: str | None) -> bool:
    return text in {"1", "true"}


def listed(things: Iterable[object], most: int = 5) -> str:
    """``3, 7 and 9``; of many, the first ones and how many more there are."""
    names = [str(thing) for thing in things]
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
