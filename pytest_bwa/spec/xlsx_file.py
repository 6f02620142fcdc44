"""The rows of an Excel workbook's first sheet as text, read as a stream."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.utils import get_column_letter

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.messages import shown

MAX_DIGITS = 15  # Excel keeps no more of a number; the rest of an id would be zeros
_OLE = b"\xd0\xcf\x11\xe0"  # how .xls and encrypted workbooks begin


def from_xlsx(path: Path, data: bytes) -> tuple[list[tuple[int, list[str]]], list[str]]:
    """(row, cells) up to the last row that holds anything, and notes."""
    if data.startswith(_OLE):
        raise SamplesError("is encrypted, or an old .xls; save it as .xlsx or CSV", file=path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns of styles and validations it drops
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
            try:
                return _first_sheet(path, book)
            finally:
                book.close()
    except SamplesError:
        raise
    except Exception as error:  # openpyxl raises whatever a broken file leads it to
        raise SamplesError("is no Excel workbook (.xlsx) that can be read", file=path) from error


def _first_sheet(path: Path, book: Any) -> tuple[list[tuple[int, list[str]]], list[str]]:
    sheets = [s for s in book.worksheets if s.sheet_state == "visible"]
    if not sheets:
        raise SamplesError("has no sheet with cells", file=path)
    sheet = sheets[0]
    notes = []
    if len(sheets) > 1:
        notes.append(f'{path.name}: the first sheet, "{sheet.title}", is read of {len(sheets)}')
    sheet.reset_dimensions()  # some writers say A1, and all else would be left out
    table: list[tuple[int, list[str]]] = []
    header: list[str] = []
    for row, cells in enumerate(sheet.iter_rows(), start=1):
        found = [_cell(path, row, place, cell, header) for place, cell in enumerate(cells)]
        while len(found) > len(header) and not found[-1].strip():
            found.pop()
        if row == 1:
            header = found
        if not any(found):
            continue
        if table and table[-1][0] != row - 1:
            raise SamplesError(
                f"is empty, but row {row} is not; delete it", file=path, row=table[-1][0] + 1
            )
        table.append((row, found + [""] * (len(header) - len(found))))
    return table, notes


def _cell(path: Path, row: int, place: int, cell: Any, header: Sequence[str]) -> str:
    value = cell.value
    if value is None:
        return ""
    problem = ""
    if cell.data_type == "f":
        problem = "holds a formula; paste it as a value, so that the list is what it was"
    elif cell.data_type == "e":
        problem = f"holds the error {value}; mend it or clear the cell"
    elif _is_number(value) and abs(value) >= 10**MAX_DIGITS:
        problem = (
            f"holds a number of over {MAX_DIGITS} digits, which Excel rounds; format the column "
            "as text and type it again"
        )
    if problem:
        name = shown(header[place]) if place < len(header) else ""
        column = name or get_column_letter(place + 1)
        raise SamplesError(problem, file=path, row=row, column=column)
    return _text(value, cell)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any, cell: Any) -> str:
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float() if value == int(value):
            # A cell of the format 00000 shows 00042 for 42: that is what the person sees.
            zeros = re.fullmatch("0+", cell.number_format or "")
            return str(int(value)).zfill(len(zeros[0])) if zeros else str(int(value))
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime() | date() | time():
            return value.isoformat()
    return str(value)
