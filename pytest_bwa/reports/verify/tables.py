"""The tables of a run: they have what would be written into them today.

Columns of another version that has more or fewer are not compared.
"""

from __future__ import annotations

import csv
import io
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, TextIO

import openpyxl

from pytest_bwa.evidence.folder import COMBINED, COMBINED_XLSX
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.combined import COMBINED_PARQUET, PARQUET, cell_rows, file_names
from pytest_bwa.reports.tables.rows import Table, tables_of
from pytest_bwa.reports.tables.workbook import SAMPLES_SHEET, workbook
from pytest_bwa.reports.verify.fault import Fault

Row = dict[str, Any]
Rows = list[Row]
KEYS = ("sample_id", "item")
"""What tells a row from all others, if its table has it."""


def check_tables(run: FinishedRun) -> Iterator[Fault]:
    """What the tables of a run say and its results do not."""
    tables = tables_of(run)
    for name, table in file_names(tables):
        path = run.folder.path / name
        if not table.field or path.exists():  # earlier versions had no tables of items
            yield from _check_csv(path, table)
        if (stored := path.with_suffix(PARQUET)).exists():
            yield from _check_parquet(stored, table)
    if (run.folder.path / COMBINED_XLSX).exists():
        yield from _check_workbook(run.folder.path / COMBINED_XLSX, tables)


def _check_csv(path: Path, table: Table) -> Iterator[Fault]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            yield from _differences(path.name, _rows_of_file(stream), _rows_of(table))
    except (OSError, ValueError, csv.Error) as problem:
        yield Fault(path.name, f"cannot be read ({type(problem).__name__})")


def _rows_of_file(stream: TextIO) -> Iterator[Row]:
    """Raises ValueError if the text is no table with sample ids."""
    reader = csv.DictReader(stream, strict=True)
    if "sample_id" not in (reader.fieldnames or ()):
        raise ValueError("no table with sample ids")
    for row in reader:
        if None in row:
            raise ValueError("a row has more cells than there are columns")
        yield row


def _rows_of(table: Table) -> Iterator[Row]:
    """What the file should have."""
    rows = cell_rows(table)
    names = next(rows)
    return (dict(zip(names, row, strict=True)) for row in rows)


def _differences(name: str, found: Iterable[Row], should_be: Iterable[Row]) -> Iterator[Fault]:
    """Row by row; only if the file has other rows, or in another order, all are held in memory."""
    found, should_be = iter(found), iter(should_be)
    for row, expected in zip_longest(found, should_be):
        if row is None or expected is None or _key(row) != _key(expected):
            left = [*filter(None, [row]), *found]
            yield from _other_rows(name, left, [*filter(None, [expected]), *should_be])
            return
        yield from _other_cells(name, row, expected)


def _other_rows(name: str, found: Sequence[Row], should_be: Sequence[Row]) -> Iterator[Fault]:
    if Counter(map(_key, found)) != Counter(map(_key, should_be)):
        what = "result" if name in (COMBINED, COMBINED_PARQUET, SAMPLES_SHEET) else "item"
        yield Fault(name, f"does not have one row for each {what}")
    by_key = {_key(row): row for row in should_be}
    for row in found:
        yield from _other_cells(name, row, by_key.get(_key(row), {}))


def _other_cells(name: str, row: Row, expected: Row) -> Iterator[Fault]:
    for column in row.keys() & expected.keys():
        if row[column] != expected[column]:
            sample = row["sample_id"]
            yield Fault(name, f"{column} of {sample} is not what {sample}/{RESULT} says")


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(row[key]) for key in KEYS if key in row)


def _check_parquet(path: Path, table: Table) -> Iterator[Fault]:
    """Nothing is said without the package that reads it: the manifest has its digest."""
    try:
        from pytest_bwa.reports.tables.parquet import stored_rows, stored_types, typed_rows
    except ImportError:
        return
    try:
        should_be = typed_rows(table, stored_types(path, table))
        yield from _differences(path.name, stored_rows(path), should_be)
    except Exception as problem:  # noqa: BLE001 - pyarrow raises many types for a broken file
        yield Fault(path.name, f"cannot be read ({type(problem).__name__})")


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
