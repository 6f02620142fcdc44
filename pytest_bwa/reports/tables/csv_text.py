"""A table as CSV, which spreadsheets open as UTF-8 and run nothing of."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

from pytest_bwa.reports.tables.rows import Table

BOM = "\ufeff"
"""Without it, Excel takes UTF-8 for the code page of the country."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*%?")


def csv_text(table: Table) -> str:
    """The text of the file, which begins with a byte order mark.

    A value that a spreadsheet would run as a formula begins with ``'``; a number is none.
    """
    out = io.StringIO(newline="")
    out.write(BOM)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_cell(column.name) for column in table.columns])
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    return out.getvalue()


def _cell(value: Any) -> str:
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
