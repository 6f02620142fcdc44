"""Reads the rows of the first visible sheet of an Excel workbook as text."""

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
from pytest_bwa.spec.messages import printable_name

MAX_DIGITS = 15  # Excel replaces further digits of a number by zeros
_OLE = b"\xd0\xcf\x11\xe0"  # first bytes of .xls files and encrypted workbooks


def read_xlsx(path: Path, data: bytes) -> tuple[list[tuple[int, list[str]]], list[str]]:
    """Return (row number, cells) up to the last row with any content, and notes for the user."""
    if data.startswith(_OLE):
        raise SamplesError("is encrypted, or an old .xls; save it as .xlsx or CSV", file=path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns about styles and validations it drops
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
            try:
                return _first_sheet(path, book)
            finally:
                book.close()
    except SamplesError:
        raise
    except Exception as error:  # openpyxl raises many types for a broken file
        raise SamplesError("is not a readable Excel workbook (.xlsx)", file=path) from error


def _first_sheet(path: Path, book: Any) -> tuple[list[tuple[int, list[str]]], list[str]]:
    sheets = [s for s in book.worksheets if s.sheet_state == "visible"]
    if not sheets:
        raise SamplesError("has no sheet with cells", file=path)
    sheet = sheets[0]
    notes = []
    if len(sheets) > 1:
        notes.append(
            f'{path.name}: only the first of {len(sheets)} sheets is read: "{sheet.title}"'
        )
    # Some programs write the wrong dimension "A1"; without this, only that cell would be read.
    sheet.reset_dimensions()
    table: list[tuple[int, list[str]]] = []
    header: list[str] = []
    for row, cells in enumerate(sheet.iter_rows(), start=1):
        texts = [_cell_text(path, row, place, cell, header) for place, cell in enumerate(cells)]
        while len(texts) > len(header) and not texts[-1].strip():
            texts.pop()
        if row == 1:
            header = texts
        if not any(texts):
            continue
        if table and table[-1][0] != row - 1:
            raise SamplesError(
                f"is empty, but row {row} is not; delete it", file=path, row=table[-1][0] + 1
            )
        table.append((row, texts + [""] * (len(header) - len(texts))))
    return table, notes


def _cell_text(path: Path, row: int, place: int, cell: Any, header: Sequence[str]) -> str:
    value = cell.value
    if value is None:
        return ""
    problem = ""
    if cell.data_type == "f":
        problem = "contains a formula; replace it by its value, so that the list cannot change"
    elif cell.data_type == "e":
        problem = f"contains the error {value}; correct it or clear the cell"
    elif _is_number(value) and abs(value) >= 10**MAX_DIGITS:
        problem = (
            f"contains a number of more than {MAX_DIGITS} digits, which Excel rounds; format the "
            "column as text and enter it again"
        )
    if problem:
        name = printable_name(header[place]) if place < len(header) else ""
        column = name or get_column_letter(place + 1)
        raise SamplesError(problem, file=path, row=row, column=column)
    return _as_text(value, cell)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _as_text(value: Any, cell: Any) -> str:
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float() if value == int(value):
            # With the number format 00000, Excel shows 42 as 00042, so the user sees 00042.
            zeros = re.fullmatch("0+", cell.number_format or "")
            return str(int(value)).zfill(len(zeros[0])) if zeros else str(int(value))
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime() | date() | time():
            return value.isoformat()
    return str(value)
