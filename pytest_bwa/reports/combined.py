"""combined.csv and its like: the tables of a run, for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pytest_bwa.evidence.files import safe_name, write_atomically
from pytest_bwa.evidence.folder import COMBINED, COMBINED_XLSX
from pytest_bwa.reports.base import FinishedRun, Report
from pytest_bwa.reports.tables.csv_text import csv_text
from pytest_bwa.reports.tables.rows import Table, tables_of


class CombinedTables(Report):
    """Writes combined.csv and a file for each array field into the run folder; with ``--combined
    xlsx`` also combined.xlsx, which a resumed session keeps up to date."""

    name = COMBINED

    def run_finished(self, runs: tuple[FinishedRun, ...]) -> None:
        for run in runs:
            tables = tables_of(run)
            write_csv_files(run.folder.path, tables)
            has_workbook = (run.folder.path / COMBINED_XLSX).exists()
            if has_workbook or "xlsx" in self.context.combined:
                write_workbook(run.folder.path, tables)


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
        write_atomically(folder / name, csv_text(table).encode("utf-8"))


def write_workbook(
    folder: Path, tables: Sequence[Table], evidence: str = "", moved: Iterable[str] = ()
) -> None:
    """Raises EvidenceError."""
    # Imported here: openpyxl would take a tenth of every start of pytest.
    from pytest_bwa.reports.tables.workbook import workbook

    write_atomically(folder / COMBINED_XLSX, workbook(tables, evidence, moved))
