"""The tables of a run: they have what would be written into them today.

Columns of another version that has more or fewer are not compared.
"""

from __future__ import annotations

import csv
import io
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import openpyxl

from pytest_bwa.evidence.folder import COMBINED, COMBINED_XLSX
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.combined import file_names
from pytest_bwa.reports.tables.csv_text import csv_text
from pytest_bwa.reports.tables.rows import Table, tables_of
from pytest_bwa.reports.tables.workbook import SAMPLES_SHEET, workbook
from pytest_bwa.verify.fault import Fault

Rows = list[dict[str, Any]]
KEYS = ("sample_id", "item")
"""What tells a row from all others, if its table has it."""


def check_tables(run: FinishedRun) -> Iterator[Fault]:
    """What the tables of a run say and its results do not."""
    tables = tables_of(run)
    for name, table in file_names(tables):
        path = run.folder.path / name
        if not table.field or path.exists():  # earlier versions had no tables of items
            yield from _check_csv(path, table)
    if (run.folder.path / COMBINED_XLSX).exists():
        yield from _check_workbook(run.folder.path / COMBINED_XLSX, tables)


def _check_csv(path: Path, table: Table) -> Iterator[Fault]:
    try:
        found = _rows(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, csv.Error) as problem:
        yield Fault(path.name, f"cannot be read ({type(problem).__name__})")
        return
    yield from _differences(path.name, found, _rows(csv_text(table).removeprefix("\ufeff")))


def _rows(text: str) -> Rows:
    """Raises ValueError if the text is no table with sample ids."""
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    rows = list(reader)
    if "sample_id" not in (reader.fieldnames or ()) or any(None in row for row in rows):
        raise ValueError("no table with sample ids")
    return rows


def _differences(name: str, found: Rows, should_be: Rows) -> Iterator[Fault]:
    if Counter(map(_key, found)) != Counter(map(_key, should_be)):
        what = "result" if name in (COMBINED, SAMPLES_SHEET) else "item"
        yield Fault(name, f"does not have one row for each {what}")
    by_key = {_key(row): row for row in should_be}
    for row in found:
        expected = by_key.get(_key(row), {})
        for column in row.keys() & expected.keys():
            if row[column] != expected[column]:
                sample = row["sample_id"]
                yield Fault(name, f"{column} of {sample} is not what {sample}/{RESULT} says")


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(row[key]) for key in KEYS if key in row)


def _check_workbook(path: Path, tables: Sequence[Table]) -> Iterator[Fault]:
    try:
        found = _sheets(path.read_bytes())
    except Exception as problem:  # noqa: BLE001 - openpyxl raises many types for a broken file
        yield Fault(path.name, f"cannot be read ({type(problem).__name__})")
        return
    should_be = _sheets(workbook(tables))
    if found.keys() != should_be.keys():
        yield Fault(path.name, f"has the sheets {', '.join(found)}, not {', '.join(should_be)}")
    for title, rows in found.items():
        for fault in _differences(title, rows, should_be.get(title, [])):
            yield Fault(path.name, f"sheet {fault.file}: {fault.problem}")


def _sheets(content: bytes) -> dict[str, Rows]:
    """The rows of each sheet, with what each cell leads to. Raises whatever openpyxl raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(content))
    return {sheet.title: _sheet_rows(list(sheet.iter_rows())) for sheet in book.worksheets}


def _sheet_rows(rows: Sequence[Sequence[Any]]) -> Rows:
    names = [str(cell.value) for cell in rows[0]]
    found: Rows = []
    for cells in rows[1:]:
        row: dict[str, Any] = {"sample_id": ""}
        for name, cell in zip(names, cells, strict=True):
            row[name] = f"the formula {cell.value}" if cell.data_type == "f" else cell.value
            row[f"the link of {name}"] = cell.hyperlink.target if cell.hyperlink else None
        found.append(row)
    return found
