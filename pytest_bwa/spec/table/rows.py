"""Reads a .csv or .xlsx file as rows of text; every error names the row and column."""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.messages import printable_name

if TYPE_CHECKING:
    from typing_extensions import Buffer


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


Row = tuple[int, tuple[str, ...]]
"""Its number in the file, where the header is row 1, and its cells."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The content of a samples file, which is read while its rows are taken: once."""

    header: tuple[str, ...]
    rows: Iterator[Row]
    """Without the header. Taking them raises SamplesError for a row that cannot be read."""
    notes: tuple[str, ...]
    _digest: hashlib._Hash

    @property
    def sha256(self) -> str:
        """Of the file; right when all rows were taken."""
        return self._digest.hexdigest()


def read_rows(path: Path, known_columns: Sequence[str] = (), numbers: Collection[str] = ()) -> Rows:
    """Open the file; ``known_columns`` are expected names, which help to find the separator. In the
    columns ``numbers``, a workbook's digits are neither grouped nor have a currency."""
    file = _HashedFile(path)
    stream = io.BufferedReader(file, HEAD)
    try:
        table, notes = _table(path, stream, known_columns, numbers)
        table = _without_end(table)
        if (first := next(table, None)) is None:
            raise SamplesError(
                "the file is empty: it needs a header row and one row per sample", file=path
            )
        header = tuple(cell.strip() for cell in first[1])
        _check_header(path, first[0], header)
    except BaseException:  # an interrupt must not leave the file open either
        stream.close()
        raise
    return Rows(header, _checked(path, stream, table, header), tuple(notes), file.digest)


class _HashedFile(io.RawIOBase):
    """A file that is read once, from its beginning to its end, and hashed on the way."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _named_errors(path):
            self._file = path.open("rb", buffering=0)
        self.digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        with _named_errors(self._path):
            count = self._file.readinto(buffer)
        self.digest.update(memoryview(buffer)[:count])
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise SamplesError("there is no such samples file", file=path) from None
    except IsADirectoryError:
        raise SamplesError("is a directory; name the .csv or .xlsx file in it", file=path) from None
    except OSError as error:
        raise SamplesError(f"cannot be read: {error.strerror or error}", file=path) from None


def _table(
    path: Path,
    stream: io.BufferedReader[Any],
    known_columns: Sequence[str],
    numbers: Collection[str],
) -> tuple[Iterator[Record], list[str]]:
    """The numbered rows, the header too, and notes for the user."""
    match path.suffix.lower():
        case ".csv":
            return read_csv(path, stream, known_columns)
        case ".xlsx":
            # Imported here: openpyxl would take a tenth of every start of pytest.
            from pytest_bwa.spec.table.xlsx_file import read_xlsx

            table, notes = read_xlsx(path, stream.read(), numbers)
            return iter(table), notes
        case ending:
            raise SamplesError(
                f'a samples file is .csv or .xlsx, not "{ending}"; save it as CSV UTF-8', file=path
            )


def _without_end(table: Iterable[Record]) -> Iterator[Record]:
    """Without the empty rows that editors and Excel leave at the end."""
    empty: list[Record] = []
    for row in table:
        if _is_empty(row[1]):
            empty.append(row)
            continue
        yield from empty
        empty.clear()
        yield row


def _checked(
    path: Path,
    stream: io.BufferedReader[Any],
    table: Iterable[Record],
    header: tuple[str, ...],
) -> Iterator[Row]:
    with stream:
        for row, cells in table:
            yield row, _check_cells(path, row, cells, header)


def _is_empty(cells: Sequence[str]) -> bool:
    return not any(cell.strip() for cell in cells)


def _check_header(path: Path, row: int, header: tuple[str, ...]) -> None:
    if row != 1 or _is_empty(header):
        raise SamplesError("is empty: the column names must be in row 1", file=path, row=1)
    for place, name in enumerate(header, start=1):
        if not name:
            raise SamplesError(
                f"column {place} of the header has no name; name it or delete the column",
                file=path,
                row=1,
            )
        if header.index(name) != place - 1:
            raise SamplesError(
                f"the name is used twice, in columns {header.index(name) + 1} and {place}; "
                "rename one",
                file=path,
                row=1,
                column=printable_name(name),
            )


def _check_cells(
    path: Path, row: int, cells: list[str], header: tuple[str, ...]
) -> tuple[str, ...]:
    if _is_empty(cells):
        raise SamplesError("is empty, but rows follow it; delete it", file=path, row=row)
    if len(cells) == len(header):
        return tuple(cells)
    raise SamplesError(
        f"the row has {len(cells)} cells, the header has {len(header)}; "
        "quote cells that hold a separator",
        file=path,
        row=row,
    )
