"""A table as Parquet: typed columns in groups of rows, for what a spreadsheet cannot open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from pytest_bwa.evidence.files import replacing
from pytest_bwa.reports.tables.rows import UNKNOWN, Column, Table
from pytest_bwa.steps.text import text_or_json

ROWS_OF_A_GROUP = 20_000
"""Rows that are held in memory, and that a reader may skip together."""
ROWS_AT_A_TIME = 1_000
"""Of a group, when it is read."""
EXACT = 2**53
"""Above it, a floating point number does not have every whole number."""
TEXT = "string"
TIME = "timestamp[ms, tz=UTC]"
Convert = Callable[[Any], Any]


def write_parquet(path: Path, table: Table) -> None:
    """Raises EvidenceError. A column in which any value is not of the column's type has texts, so
    that no value is lost."""
    types = {column.name: _type_of(column) for column in table.columns}
    for name in _unfit_columns(table, types):
        types[name] = TEXT
    schema = pyarrow.schema([(name, _TYPES[kind]) for name, kind in types.items()])
    rows = typed_rows(table, types)
    with replacing(path) as stream, parquet.ParquetWriter(stream, schema) as writer:
        while group := list(islice(rows, ROWS_OF_A_GROUP)):
            writer.write_table(pyarrow.Table.from_pylist(group, schema))


def stored_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file. Raises whatever pyarrow raises."""
    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS_AT_A_TIME):
            yield from batch.to_pylist()


def stored_types(path: Path, table: Table) -> dict[str, str]:
    """The type that each column of the table has in a file. Raises whatever pyarrow raises."""
    stored = {field.name: field.type for field in parquet.read_schema(path)}
    types = {column.name: _type_of(column) for column in table.columns}
    return {n: kind if stored.get(n) == _TYPES[kind] else TEXT for n, kind in types.items()}


def typed_rows(table: Table, types: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The rows with values of these types. Raises ValueError for one that has another."""
    columns = [(name, _CONVERT[kind]) for name, kind in types.items()]
    for row in table.rows:
        yield {
            name: None if value is None else convert(value)
            for (name, convert), value in zip(columns, row, strict=True)
        }


def _unfit_columns(table: Table, types: Mapping[str, str]) -> set[str]:
    """The columns with a value that is not of their type."""
    columns = [(name, _CONVERT[kind]) for name, kind in types.items()]
    found: set[str] = set()
    for row in table.rows:
        for (name, convert), value in zip(columns, row, strict=True):
            try:
                if value is not None and name not in found:
                    convert(value)
            except ValueError:
                found.add(name)
    return found


def _type_of(column: Column) -> str:
    match column.kind:
        case "date":
            return "date32[day]"
        case "time":
            return TIME
    return column.type


def _as_money(value: Any) -> float | None:
    return None if value == UNKNOWN else _as_double(value)


def _as_double(value: Any) -> float:
    if isinstance(value, float) or (_is_int(value) and abs(value) <= EXACT):
        return float(value)
    raise ValueError(value)


def _as_int(value: Any) -> int:
    is_whole = _is_int(value) or (isinstance(value, float) and value.is_integer())
    if is_whole and -(2**63) <= value < 2**63:
        return int(value)
    raise ValueError(value)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _as_bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(value)


def _as_date(value: Any) -> date:
    if isinstance(value, str) and len(value) == len("2026-01-31"):
        return date.fromisoformat(value)
    raise ValueError(value)


def _as_time(value: Any) -> datetime | None:
    if not value:
        return None
    moment = datetime.fromisoformat(text_or_json(value))
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


_TYPES = {
    TEXT: pyarrow.string(),
    "double": pyarrow.float64(),
    "money": pyarrow.float64(),
    "int64": pyarrow.int64(),
    "bool": pyarrow.bool_(),
    "date32[day]": pyarrow.date32(),
    TIME: pyarrow.timestamp("ms", "UTC"),
}
_CONVERT: Mapping[str, Convert] = {
    TEXT: text_or_json,
    "double": _as_double,
    "money": _as_money,
    "int64": _as_int,
    "bool": _as_bool,
    "date32[day]": _as_date,
    TIME: _as_time,
}
