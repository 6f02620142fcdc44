"""Reads a .csv or .xlsx file as rows of text; every error names the row and column."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.messages import printable_name
from pytest_bwa.spec.table.csv_file import read_csv


@dataclass(frozen=True, slots=True)
class Rows:
    """The content of a samples file."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    """(row number in the file, cells) without the header, which is row 1."""
    sha256: str
    notes: tuple[str, ...] = ()


def read_rows(path: Path, known_columns: Sequence[str] = ()) -> Rows:
    """Read the file; ``known_columns`` are expected names, which help to find the separator."""
    data = _read(path)
    match path.suffix.lower():
        case ".csv":
            table, notes = read_csv(path, data, known_columns)
        case ".xlsx":
            # Imported here: openpyxl would take a tenth of every start of pytest.
            from pytest_bwa.spec.table.xlsx_file import read_xlsx

            table, notes = read_xlsx(path, data)
        case ending:
            raise SamplesError(
                f'a samples file is .csv or .xlsx, not "{ending}"; save it as CSV UTF-8', file=path
            )
    while table and _is_empty(table[-1][1]):  # editors and Excel leave empty rows at the end
        table.pop()
    if not table:
        raise SamplesError(
            "the file is empty: it needs a header row and one row per sample", file=path
        )
    (first_row, header_cells), *body = table
    header = tuple(cell.strip() for cell in header_cells)
    _check_header(path, first_row, header)
    rows = tuple((row, _check_cells(path, row, cells, header)) for row, cells in body)
    return Rows(header, rows, hashlib.sha256(data).hexdigest(), tuple(notes))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise SamplesError("there is no such samples file", file=path) from None
    except IsADirectoryError:
        raise SamplesError("is a directory; name the .csv or .xlsx file in it", file=path) from None
    except OSError as error:
        raise SamplesError(f"cannot be read: {error.strerror or error}", file=path) from None


def _is_empty(cells: Sequence[str]) -> bool:
    return not any(cell.strip() for cell in cells)


def _check_header(path: Path, row: int, header: tuple[str, ...]) -> None:
    if row != 1 or _is_empty(header):
        raise SamplesError("is empty: the column names must be in row 1", file=path, row=1)
    for place, name in enumerate(header, start=1):
        if not name:
            raise SamplesError(
                f"column {place} of the header has no name; name it or delete the column",
                file=path,
                row=1,
            )
        if header.index(name) != place - 1:
            raise SamplesError(
                f"the name is used twice, in columns {header.index(name) + 1} and {place}; "
                "rename one",
                file=path,
                row=1,
                column=printable_name(name),
            )


def _check_cells(
    path: Path, row: int, cells: list[str], header: tuple[str, ...]
) -> tuple[str, ...]:
    if _is_empty(cells):
        raise SamplesError("is empty, but rows follow it; delete it", file=path, row=row)
    if len(cells) == len(header):
        return tuple(cells)
    raise SamplesError(
        f"the row has {len(cells)} cells, the header has {len(header)}; "
        "quote cells that hold a separator",
        file=path,
        row=row,
    )
