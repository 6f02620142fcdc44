"""A table as CSV, which spreadsheets open as UTF-8 and run nothing of."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

from pytest_bwa.reports.tables.rows import Table

BOM = "\ufeff"
"""Without it, Excel takes UTF-8 for the code page of the country."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*%?")


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
    return json.dumps(value, ensure_ascii=False)
