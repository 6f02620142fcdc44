"""The records of a CSV file: nothing is mangled, whatever cannot be read exactly is refused."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.messages import shown

_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab"}


def from_csv(
    path: Path, data: bytes, known: Sequence[str]
) -> tuple[list[tuple[int, list[str]]], list[str]]:
    """(row as a spreadsheet counts it, cells) of every line that is not blank, and notes."""
    text = _decoded(path, data)
    separator = _separator(text, known)
    notes = [] if separator == "," else [f"{path.name}: read as {_SEPARATORS[separator]}-separated"]
    header = _first_record(text, separator)
    spaced = len(header) > 1 and all(cell.startswith(" ") for cell in header[1:])
    if spaced:
        notes.append(f"{path.name}: the blank after each {_SEPARATORS[separator]} is left out")
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=spaced
    )
    table: list[tuple[int, list[str]]] = []
    row = 0
    try:
        for row, cells in enumerate(reader, start=1):
            if cells:
                _refuse_nul(path, row, cells, header)
                table.append((row, cells))
    except csv.Error as error:
        raise SamplesError(_plain(error), file=path, row=row + 1) from None
    return table, notes


def _decoded(path: Path, data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        raise SamplesError("is UTF-16, not UTF-8; save it as CSV UTF-8", file=path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace") + "?"
        row = sum(1 for _ in csv.reader(io.StringIO(before, newline="")))
        raise SamplesError(
            "is not UTF-8 (Latin-1, perhaps); save it as CSV UTF-8", file=path, row=row
        ) from None


def _separator(text: str, known: Sequence[str]) -> str:
    """The one that splits the header into names that are known; else comma, if it splits it."""
    headers = {s: [c.strip() for c in _first_record(text, s)] for s in _SEPARATORS}
    found = [s for s in _SEPARATORS if len(headers[s]) > 1]
    if not found:
        return ","
    return max(found, key=lambda s: (len(set(headers[s]) & set(known)), s == ","))


def _first_record(text: str, separator: str) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
    except csv.Error:  # the whole file is read next, and that says what is wrong and where
        return []


def _refuse_nul(path: Path, row: int, cells: list[str], header: list[str]) -> None:
    for place, cell in enumerate(cells):
        if "\0" in cell:
            column = shown(header[place]) if row > 1 and place < len(header) else None
            raise SamplesError(
                "holds a NUL byte; save the file as CSV UTF-8", file=path, row=row, column=column
            )


def _plain(error: csv.Error) -> str:
    said = str(error)
    if "field larger" in said:
        return f"holds a cell of over {csv.field_size_limit():,} characters; shorten it"
    if "unexpected end of data" in said:
        return "a quote is opened here and never closed"
    return f"is not valid CSV: {said}; write a quote inside a quoted cell twice"
