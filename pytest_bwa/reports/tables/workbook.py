"""The tables of a run as one Excel file: typed cells, links, a sheet for each table."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import quote

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.folder import PAGE
from pytest_bwa.reports.tables.rows import Column, Kind, Table
from pytest_bwa.steps.text import text_or_json

SAMPLES_SHEET = "samples"
MAX_ROWS, MAX_TEXT, MAX_LINKS, MAX_ADDRESS = 1_048_576, 32_767, 65_530, 2_000
"""Excel's limits: rows of a sheet, characters of a cell, links of a sheet, characters of a link."""
MAX_DIGITS = 15
"""Excel keeps no more digits of a number."""
MAX_TITLE, MAX_WIDTH = 31, 60
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\']")
_FORMATS = {"date": "yyyy-mm-dd", "time": "yyyy-mm-dd hh:mm:ss"}
_PROPERTIES = "docProps/core.xml"
_TIMES = re.compile(rb"<dcterms:(created|modified)\b.*?</dcterms:\1>", re.S)
_FIRST_DATE = date(1900, 3, 1)
"""Excel counts a 29 February 1900, so days before are off by one."""


def workbook(tables: Sequence[Table], evidence: str = "", moved: Iterable[str] = ()) -> bytes:
    """The content of the file. ``evidence`` is the relative address of the run's folder, with a
    slash at its end, if the file lies elsewhere; the pages of ``moved`` samples lie beside the file
    all the same. The same tables make the same bytes. Raises EvidenceError for more rows than a
    sheet may have."""
    book = Workbook()
    book.remove(book.worksheets[0])
    titles: set[str] = set()
    beside = frozenset(moved)
    for table in tables:
        rows = list(islice(table.rows, MAX_ROWS))
        if len(rows) >= MAX_ROWS:
            raise EvidenceError(f"Excel has room for {MAX_ROWS:,} rows; the CSV files have all")
        sheet = book.create_sheet(_title(table.field or SAMPLES_SHEET, titles))
        _fill(sheet, table, rows, partial(_link, table, evidence, beside))
    content = io.BytesIO()
    book.save(content)
    return _without_times(content)


def _without_times(content: io.BytesIO) -> bytes:
    """The file without the time at which it was written: run.json says when the run ended."""
    timeless = io.BytesIO()
    with zipfile.ZipFile(content) as book, zipfile.ZipFile(timeless, "w") as target:
        for name in book.namelist():
            part = zipfile.ZipInfo(name)  # its time is the first that the format knows
            part.compress_type = zipfile.ZIP_DEFLATED
            data = book.read(name)
            target.writestr(part, _TIMES.sub(b"", data) if name == _PROPERTIES else data)
    return timeless.getvalue()


def cell_value(value: Any, kind: Kind) -> Any:
    """A value as the cell has it: numbers, booleans and dates as such, all else as text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        fits = len(str(value).strip("-").replace(".", "")) <= MAX_DIGITS or isinstance(value, float)
        return value if fits and value == value and abs(value) != float("inf") else str(value)
    text = text_or_json(value)
    if kind in _FORMATS and (moment := _moment(text, kind)):
        return moment
    return _text(text)


def _moment(text: str, kind: Kind) -> datetime | None:
    """The day or the time that a text is; None if it is none that Excel knows."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    if kind == "date" and len(text) != len("2026-01-31"):
        return None
    plain = found.replace(tzinfo=None, microsecond=0)
    return plain if plain.date() >= _FIRST_DATE else None


def _text(text: str) -> str | None:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = ILLEGAL_CHARACTERS_RE.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    if len(text) > MAX_TEXT:
        note = f"… ({len(text):,} characters; result.json has all)"
        text = text[: MAX_TEXT - len(note)] + note
    return text or None


def _title(name: str, taken: set[str]) -> str:
    """The name of a sheet, which no other has."""
    plain = _NOT_IN_TITLES.sub("_", ILLEGAL_CHARACTERS_RE.sub("_", name)).strip() or "items"
    title, number = plain[:MAX_TITLE], 2
    while title.casefold() in taken:
        end = f"_{number}"
        title, number = plain[: MAX_TITLE - len(end)] + end, number + 1
    taken.add(title.casefold())
    return title


def _fill(
    sheet: Worksheet,
    table: Table,
    rows: Sequence[tuple[Any, ...]],
    link: Callable[[Column, Any], str],
) -> None:
    for place, column in enumerate(table.columns, 1):
        _write(sheet, 1, place, column.name, Column("")).font = Font(bold=True)
    links = 0
    for number, row in enumerate(rows, 2):
        for place, (column, value) in enumerate(zip(table.columns, row, strict=True), 1):
            if value is None:
                continue
            cell = _write(sheet, number, place, value, column)
            address = link(column, value)
            if address and links < MAX_LINKS:
                cell.hyperlink, cell.style = address, "Hyperlink"
                links += 1
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = sheet.dimensions
    for place, column in enumerate(table.columns, 1):
        longest = max((len(str(row[place - 1] or "")) for row in rows[:200]), default=0)
        width = min(max(longest, len(column.name)) + 2, MAX_WIDTH)
        sheet.column_dimensions[get_column_letter(place)].width = width


def _write(sheet: Worksheet, row: int, place: int, value: Any, column: Column) -> Cell:
    content = cell_value(value, column.kind)
    cell = sheet.cell(row, place)
    assert isinstance(cell, Cell)  # this sheet merges none
    cell.value = content
    if isinstance(content, str):
        cell.data_type = "s"  # a text that begins with = is no formula
    elif isinstance(content, datetime):
        cell.number_format = _FORMATS[column.kind]
    return cell


def _link(table: Table, evidence: str, beside: frozenset[str], column: Column, value: Any) -> str:
    """Where a cell leads to; empty if nowhere."""
    if column.kind == "sample":
        return f"{'' if value in beside else evidence}{quote(table.place(value))}/{PAGE}"
    is_page = column.kind == "address" and str(value).startswith(("https://", "http://"))
    return str(value) if is_page and len(value) <= MAX_ADDRESS else ""
