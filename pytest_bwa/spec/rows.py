"""From a .csv or .xlsx file to rows of text, with every fault placed at its row and column."""

from __future__ import annotations

import csv
import hashlib
import io
import warnings
import zipfile
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import InvalidFileException

from pytest_bwa.errors import SamplesError

_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab"}


@dataclass(frozen=True, slots=True)
class Rows:
    """``rows`` are (row of the file, cells); the header is row 1 and is not among them."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    sha256: str
    notes: tuple[str, ...] = ()


def read_rows(path: Path) -> Rows:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise SamplesError("there is no such samples file", file=path) from None
    except OSError as error:
        raise SamplesError(f"cannot be read: {error.strerror or error}", file=path) from None
    match path.suffix.lower():
        case ".csv":
            table, notes = _from_csv(path, data)
        case ".xlsx":
            table, notes = _from_xlsx(path, data), []
        case ending:
            raise SamplesError(f'a samples file is .csv or .xlsx, not "{ending}"', file=path)
    table = [(n, cells) for n, cells in table if any(cell.strip() for cell in cells)]
    if not table:
        raise SamplesError("the file is empty: it needs a header row and a row a sample", file=path)
    header = tuple(cell.strip() for cell in table[0][1])
    _check_header(path, header)
    if len(table) == 1:
        raise SamplesError("there is a header but no sample below it", file=path)
    rows = tuple((n, _fitted(path, n, cells, header)) for n, cells in table[1:])
    return Rows(header, rows, hashlib.sha256(data).hexdigest(), tuple(notes))


def _check_header(path: Path, header: tuple[str, ...]) -> None:
    for place, name in enumerate(header, start=1):
        if not name:
            raise SamplesError(f"column {place} of the header has no name", file=path, row=1)
        if header.index(name) != place - 1:
            raise SamplesError("the column is there twice", file=path, row=1, column=name)


def _fitted(path: Path, row: int, cells: list[str], header: tuple[str, ...]) -> tuple[str, ...]:
    if len(cells) == len(header):
        return tuple(cells)
    raise SamplesError(
        f"the row has {len(cells)} cells, the header has {len(header)}; "
        "quote cells that hold a separator",
        file=path,
        row=row,
    )


def _from_csv(path: Path, data: bytes) -> tuple[list[tuple[int, list[str]]], list[str]]:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SamplesError("is UTF-16; save it as CSV UTF-8", file=path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data[: error.start].count(b"\n") + 1
        raise SamplesError(
            "is not UTF-8 (Latin-1, perhaps); save it as CSV UTF-8", file=path, row=row
        ) from None
    if "\0" in text:
        row = text[: text.index("\0")].count("\n") + 1
        raise SamplesError("holds a NUL byte; it is no text file", file=path, row=row)
    first = text.lstrip("\r\n").split("\n", 1)[0]
    separator = max(_SEPARATORS, key=lambda s: (first.count(s), s == ","))
    notes = [] if separator == "," else [f"{path.name}: read as {_SEPARATORS[separator]}-separated"]
    # The limit is the process's; a cell of a goal or a snippet may be longer than its default.
    csv.field_size_limit(10 * 1024 * 1024)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    table: list[tuple[int, list[str]]] = []
    try:
        line = 1
        for cells in reader:
            table.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise SamplesError(f"is not valid CSV: {error}", file=path, row=reader.line_num) from None
    return table, notes


def _from_xlsx(path: Path, data: bytes) -> list[tuple[int, list[str]]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns of styles and validations it drops
            values = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
            formulas = openpyxl.load_workbook(io.BytesIO(data))
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError):
        raise SamplesError("is no Excel workbook (.xlsx)", file=path) from None
    sheet, raw = values.worksheets[0], formulas.worksheets[0]
    width = max(
        (c.column for c in next(raw.iter_rows(max_row=1), ()) if c.value is not None), default=0
    )
    table = []
    for number, cells in enumerate(sheet.iter_rows(max_col=max(width, sheet.max_column)), start=1):
        found = []
        for place, cell in enumerate(cells, start=1):
            source = raw.cell(row=number, column=place)
            letter = get_column_letter(place)
            found.append(_cell(path, number, letter, cell.value, source.data_type))
        while len(found) > width and not found[-1]:
            found.pop()
        table.append((number, found))
    values.close()
    formulas.close()
    return table


def _cell(path: Path, row: int, column: str, value: Any, kind: str) -> str:
    if kind == "f":
        if value is None:
            raise SamplesError(
                "holds a formula whose result is not in the file; paste it as a value",
                file=path,
                row=row,
                column=column,
            )
        raise SamplesError(
            "holds a formula; paste it as a value, so that the list is what it was",
            file=path,
            row=row,
            column=column,
        )
    if kind == "e":
        raise SamplesError(f"holds the error {value}", file=path, row=row, column=column)
    return _text(value)


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer():
            return str(int(value))
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime() | date() | time():
            return value.isoformat()
    return str(value)
