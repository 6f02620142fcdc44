"""Reads the records of a CSV file unchanged; a file that cannot be read exactly is refused."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.messages import printable_name

HEAD = 1 << 16
"""Bytes in which the header ends; so many are read at a time."""
Record = tuple[int, list[str]]
"""A row's number in the file, where the header is row 1, and its cells as they are there."""
_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
_SEPARATOR_LINE = re.compile(
    r'("?)sep=([^"\w\s\ufffd]|\t)\1[,;\t|]*(?:\r\n|\r|\n|$)', re.IGNORECASE
)
"""The first line by which a file tells Excel its separator. Excel does not count it as a row."""


def read_csv(
    path: Path, stream: io.BufferedReader[Any], known_columns: Sequence[str]
) -> tuple[Iterator[Record], list[str]]:
    """Return every line that is not blank, while they are read, and notes for the user. The stream
    is at its beginning."""
    data = stream.peek(HEAD)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        raise SamplesError("is UTF-16, not UTF-8; save it as CSV UTF-8", file=path)
    head = data.decode("utf-8-sig", "replace")
    named = _SEPARATOR_LINE.match(head)
    head = head[named.end() :] if named else head
    separator = named[2] if named else _find_separator(head, known_columns)
    name = _SEPARATORS.get(separator, f"“{separator}”")
    notes = [] if separator == "," else [f"{path.name}: read as {name}-separated"]
    header = _first_record(head, separator)
    has_spaces = len(header) > 1 and all(cell.startswith(" ") for cell in header[1:])
    if has_spaces:
        notes.append(f"{path.name}: the space after each {name} is ignored")
    if named:
        stream.read(
            len(codecs.BOM_UTF8) * data.startswith(codecs.BOM_UTF8) + len(named[0].encode())
        )
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
    reader = csv.reader(text, delimiter=separator, strict=True, skipinitialspace=has_spaces)
    return _records(path, reader, header), notes


def _records(path: Path, reader: Iterable[list[str]], header: list[str]) -> Iterator[Record]:
    row = 0
    try:
        for row, cells in enumerate(reader, start=1):
            if cells:
                _refuse_nul(path, row, cells, header)
                yield row, cells
    except csv.Error as error:
        raise SamplesError(_explain(error), file=path, row=row + 1) from None
    except UnicodeDecodeError:
        raise SamplesError(
            "is not UTF-8 (perhaps Latin-1); save it as CSV UTF-8", file=path, row=_bad_row(path)
        ) from None


def _bad_row(path: Path) -> int | None:
    """The row with the first bytes that are not UTF-8: they are met before it is its turn."""
    data = path.read_bytes()
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace") + "?"
        if named := _SEPARATOR_LINE.match(before):
            before = before[named.end() :]
        return sum(1 for _ in csv.reader(io.StringIO(before, newline="")))
    return None  # somebody changed the file


def _find_separator(text: str, known_columns: Sequence[str]) -> str:
    """Return the separator that splits the header into the most known column names.

    Between equals, comma wins if it splits the header at all.
    """
    headers = {s: [c.strip() for c in _first_record(text, s)] for s in _SEPARATORS}
    candidates = [s for s in _SEPARATORS if len(headers[s]) > 1]
    if not candidates:
        return ","
    return max(candidates, key=lambda s: (len(set(headers[s]) & set(known_columns)), s == ","))


def _first_record(text: str, separator: str) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
    except csv.Error:  # the full read that follows reports the error and its row
        return []


def _refuse_nul(path: Path, row: int, cells: list[str], header: list[str]) -> None:
    for place, cell in enumerate(cells):
        if "\0" in cell:
            column = printable_name(header[place]) if row > 1 and place < len(header) else None
            raise SamplesError(
                "contains a NUL byte; save the file as CSV UTF-8", file=path, row=row, column=column
            )


def _explain(error: csv.Error) -> str:
    message = str(error)
    if "field larger" in message:
        return f"has a cell of more than {csv.field_size_limit():,} characters; shorten it"
    if "unexpected end of data" in message:
        return "a quote is opened here and never closed"
    return f"is not valid CSV: {message}; double every quote inside a quoted cell"
