"""combined.csv and its like: the tables of a run, for spreadsheets, which run nothing
of a CSV file and open it as UTF-8."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.files import replacing, safe_name, write_atomically
from pytest_bwa.evidence.folder import COMBINED, COMBINED_XLSX
from pytest_bwa.reports.base import FinishedRun, Report
from pytest_bwa.reports.tables.rows import Table, tables_of
from pytest_bwa.steps.text import text_or_json

PARQUET = ".parquet"
COMBINED_PARQUET = f"combined{PARQUET}"
NO_PARQUET = "Parquet needs one more package: pip install 'pytest-bwa[parquet]'"
BOM = "\ufeff"
"""Without it, Excel takes UTF-8 for the code page of the country."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*%?")


class CombinedTables(Report):
    """Writes combined.csv and a file for each array field into the run folder; with ``--combined
    xlsx`` also combined.xlsx, and with ``parquet`` a Parquet file beside each CSV file. A resumed
    session keeps them up to date."""

    name = COMBINED

    def run_finished(self, runs: tuple[FinishedRun, ...]) -> None:
        for run in runs:
            tables = tables_of(run)
            write_csv_files(run.folder.path, tables)
            has_workbook = (run.folder.path / COMBINED_XLSX).exists()
            if has_workbook or "xlsx" in self.context.combined:
                write_workbook(run.folder.path, tables)
            has_parquet = (run.folder.path / COMBINED_PARQUET).exists()
            if has_parquet or "parquet" in self.context.combined:
                write_parquet_files(run.folder.path, tables)


def file_names(tables: Sequence[Table]) -> Iterator[tuple[str, Table]]:
    """Each table with the name of its CSV file."""
    taken: set[str] = set()
    for table in tables:
        name, number = safe_name(table.field, "items"), 2
        while name.casefold() in taken:
            name, number = f"{safe_name(table.field, 'items')}_{number}", number + 1
        if table.field:
            taken.add(name.casefold())
        yield f"combined.{name}.csv" if table.field else COMBINED, table


def write_csv_files(folder: Path, tables: Sequence[Table]) -> None:
    """Raises EvidenceError."""
    for name, table in file_names(tables):
        write_csv(folder / name, table)


def write_csv(path: Path, table: Table) -> None:
    """Raises EvidenceError."""
    with replacing(path) as stream:
        stream.writelines(line.encode() for line in csv_lines(table))


def write_parquet_files(folder: Path, tables: Sequence[Table]) -> None:
    """Raises EvidenceError, or InputError without the package."""
    try:
        from pytest_bwa.reports.tables.parquet import write_parquet
    except ImportError:
        raise InputError(NO_PARQUET) from None
    for name, table in file_names(tables):
        write_parquet((folder / name).with_suffix(PARQUET), table)


def write_workbook(
    folder: Path, tables: Sequence[Table], evidence: str = "", moved: Iterable[str] = ()
) -> None:
    """Raises EvidenceError."""
    # Imported here: openpyxl would take a tenth of every start of pytest.
    from pytest_bwa.reports.tables.workbook import workbook

    write_atomically(folder / COMBINED_XLSX, workbook(tables, evidence, moved))


# -- CSV ------------------------------------------------------------------------------------------


def csv_lines(table: Table) -> Iterator[str]:
    """The lines of the file, which begins with a byte order mark."""
    out = io.StringIO(newline="")
    out.write(BOM)
    writer = csv.writer(out, lineterminator="\n")
    for row in cell_rows(table):
        writer.writerow(row)
        yield out.getvalue()
        out.seek(0)
        out.truncate()


def cell_rows(table: Table) -> Iterator[list[str]]:
    """The cells of each line, the names of the columns first."""
    yield [cell_text(column.name) for column in table.columns]
    yield from ([cell_text(value) for value in row] for row in table.rows)


def cell_text(value: Any) -> str:
    """A value that a spreadsheet would run as a formula begins with ``'``; a number is none."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)  # a negative number is a number, not a formula
        case str():
            is_formula = value.startswith(_FORMULA) and not _NUMBER.fullmatch(value)
            cell = f"'{value}" if is_formula else value
            return cell.replace("\r\n", "\n").replace("\r", "\n")  # csv quotes no lone CR
    return text_or_json(value)
