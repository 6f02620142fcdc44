"""Reads the rows of the first visible sheet of an Excel workbook as text, as Excel shows them."""

from __future__ import annotations

import io
import re
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import openpyxl
from openpyxl.utils import get_column_letter, range_boundaries
from openpyxl.utils.escape import unescape
from openpyxl.xml.constants import SHEET_MAIN_NS
from openpyxl.xml.functions import iterparse

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.messages import printable_name
from pytest_bwa.spec.table.number_format import Unclear, display_text, plain


@dataclass(frozen=True, slots=True)
class Merged:
    """The cells of one merged range, by numbers from 1."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def name(self) -> str:
        start, end = get_column_letter(self.left), get_column_letter(self.right)
        return f"{start}{self.top}:{end}{self.bottom}"


@dataclass(slots=True)
class Layout:
    """Of one sheet."""

    shows_rows: dict[int, bool] = field(default_factory=dict)
    """For the rows that say so themselves."""
    shows_others: bool = True
    hidden_columns: list[range] = field(default_factory=list)
    merged: dict[int, list[Merged]] = field(default_factory=lambda: defaultdict(list))
    """By their first rows."""

    def shows_row(self, number: int) -> bool:
        return self.shows_rows.get(number, self.shows_others)

    def shows_column(self, number: int) -> bool:
        return not any(number in columns for columns in self.hidden_columns)


def read_layout(sheet: IO[bytes]) -> Layout:
    layout = Layout()
    for name, attributes in _elements(sheet):
        match name:
            case "sheetFormatPr":
                layout.shows_others = not _is_true(attributes.get("zeroHeight"))
            case "col" if _is_true(attributes.get("hidden")):
                first, last = int(attributes["min"]), int(attributes["max"])
                layout.hidden_columns.append(range(first, last + 1))
            case "row" if "r" in attributes:
                number = int(float(attributes["r"]))
                layout.shows_rows[number] = not _is_true(attributes.get("hidden"))
            case "mergeCell":
                cells = Merged(*(int(place or 1) for place in range_boundaries(attributes["ref"])))
                layout.merged[cells.top].append(cells)
    return layout


def _elements(sheet: IO[bytes]) -> Iterator[tuple[str, Mapping[str, str]]]:
    prefix = f"{{{SHEET_MAIN_NS}}}"
    for _event, element in iterparse(sheet):
        yield element.tag.removeprefix(prefix), element.attrib
        if element.tag == f"{prefix}row":
            element.clear()


def _is_true(text: str | None) -> bool:
    return text in {"1", "true"}


def listed(things: Iterable[object], most: int = 5) -> str:
    """``3, 7 and 9``; of many, the first ones and how many more there are."""
    names = [str(thing) for thing in things]
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


MAX_DIGITS = 15  # Excel replaces further digits of a number by zeros
_OLE = b"\xd0\xcf\x11\xe0"  # first bytes of .xls files and encrypted workbooks
_PLAIN_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_ISO_DATE = re.compile(r"yyyy\\?-mm|h")
Table = list[tuple[int, list[str]]]


def read_xlsx(path: Path, data: bytes, numbers: Collection[str] = ()) -> tuple[Table, list[str]]:
    """Return (row number, cells) up to the last row with any content, and notes for the user. In
    the columns ``numbers``, digits are neither grouped nor have a currency."""
    if data.startswith(_OLE):
        raise SamplesError("is encrypted, or an old .xls; save it as .xlsx or CSV", file=path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns about styles and validations it drops
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
            try:
                return _first_sheet(path, book, numbers)
            finally:
                book.close()
    except SamplesError:
        raise
    except Exception as error:  # openpyxl raises many types for a broken file
        raise SamplesError("is not a readable Excel workbook (.xlsx)", file=path) from error


def _first_sheet(path: Path, book: Any, numbers: Collection[str]) -> tuple[Table, list[str]]:
    sheets = [s for s in book.worksheets if s.sheet_state == "visible"]
    if not sheets:
        raise SamplesError("has no sheet with cells", file=path)
    sheet = sheets[0]
    notes = []
    if len(sheets) > 1:
        notes.append(
            f'{path.name}: only the first of {len(sheets)} sheets is read: "{sheet.title}"'
        )
    # Some programs write the wrong dimension "A1"; without this, only that cell would be read.
    sheet.reset_dimensions()
    with sheet._get_source() as source:
        layout = read_layout(source)
    reader = _SheetReader(path, layout, numbers, book.epoch)
    table = list(reader.table(sheet))
    if len(table) == 1 and reader.has_left_out:
        raise SamplesError(
            "all rows below the header are hidden; show those that are to run", file=path
        )
    return table, notes + reader.notes()


class _SheetReader:
    """Reads one sheet once, and remembers what it read otherwise than the file has it."""

    def __init__(
        self, path: Path, layout: Layout, numbers: Collection[str], epoch: datetime
    ) -> None:
        self._path = path
        self._layout = layout
        self._numbers = numbers
        self._epoch = epoch
        self._header: list[str] = []
        self._repeating: dict[int, tuple[Merged, str]] = {}
        self._left_out: list[int] = []
        self._repeated: list[str] = []
        self._formats: dict[int, str] = {}
        self._dates: dict[int, str] = {}

    def table(self, sheet: Any) -> Iterator[tuple[int, list[str]]]:
        """The rows that have content and are shown."""
        empty = 0
        for row, cells in enumerate(sheet.iter_rows(), start=1):
            texts = self._own_texts(row, cells)
            if not any(texts):
                empty = empty or row if self._layout.shows_row(row) else empty
                continue
            self._start_merged(row, texts)
            if not self._layout.shows_row(row):
                self._leave_out(row)
                continue
            if empty and self._header:
                raise SamplesError(
                    f"is empty, but row {row} is not; delete it", file=self._path, row=empty
                )
            if row == 1:
                self._header = texts
            texts += [""] * (len(self._header) - len(texts))
            for place, text in self._covered(row).items():
                texts[place - 1 : place] = [text]
            yield row, texts

    @property
    def has_left_out(self) -> bool:
        return bool(self._left_out)

    def notes(self) -> list[str]:
        notes = []
        if self._left_out:
            is_one = len(self._left_out) == 1
            rows = "hidden row is left out: row" if is_one else "hidden rows are left out: rows"
            notes.append(f"{len(self._left_out)} {rows} {listed(self._left_out)}")
        names = enumerate(self._header, start=1)
        hidden = [f'"{printable_name(n)}"' for p, n in names if not self._layout.shows_column(p)]
        if hidden:
            columns = "hidden column is" if len(hidden) == 1 else "hidden columns are"
            notes.append(f"{len(hidden)} {columns} read like the others: {listed(hidden)}")
        if self._repeated:
            notes.append(f"merged cells repeat their value: {listed(self._repeated)}")
        for sentence, formats in (
            ("numbers are read as Excel shows them", self._formats),
            ("dates are read as YYYY-MM-DD", self._dates),
        ):
            if formats:
                columns = listed(
                    f"{self._column(place)} ({printable_name(code)})"
                    for place, code in formats.items()
                )
                notes.append(f"{sentence}: {columns}")
        return [f"{self._path.name}: {note}" for note in notes]

    def _own_texts(self, row: int, cells: Sequence[Any]) -> list[str]:
        """Without what merged cells above repeat. Of a hidden row, only what they may repeat below
        is looked at."""
        is_shown = self._layout.shows_row(row)
        starts = {merged.left for merged in self._layout.merged.get(row, ())}
        covered = self._covered(row)
        texts = []
        for place, cell in enumerate(cells, start=1):
            if place in covered:
                texts.append("")
            elif is_shown or place in starts:
                texts.append(self._text(row, place, cell))
            else:
                texts.append("" if cell.value is None else "hidden")
        while len(texts) > len(self._header) and not texts[-1].strip():
            texts.pop()
        return texts

    def _covered(self, row: int) -> dict[int, str]:
        return {
            place: text
            for place, (merged, text) in self._repeating.items()
            if merged.top < row <= merged.bottom
        }

    def _start_merged(self, row: int, texts: Sequence[str]) -> None:
        for merged in self._layout.merged.get(row, ()):
            text = texts[merged.left - 1] if merged.left <= len(texts) else ""
            if not text.strip() or (merged.top == merged.bottom and merged.left == merged.right):
                continue
            problem = ""
            if row == 1:
                problem = "the column names must be in row 1, one in each cell"
            elif merged.left != merged.right:
                problem = "each column needs a value of its own"
            if problem:
                raise SamplesError(
                    f"the cells {merged.name} are merged, but {problem}; split them",
                    file=self._path,
                    row=row,
                    column=self._column(merged.left),
                )
            self._repeating[merged.left] = (merged, text)
            self._repeated.append(merged.name)

    def _leave_out(self, row: int) -> None:
        if row == 1:
            raise SamplesError(
                "is hidden, but the column names must be in it; show it", file=self._path, row=1
            )
        self._left_out.append(row)

    def _text(self, row: int, place: int, cell: Any) -> str:
        value = cell.value
        if value is None:
            return ""
        problem = ""
        if cell.data_type == "f":
            problem = "contains a formula; replace it by its value, so that the list cannot change"
        elif cell.data_type == "e":
            problem = f"contains the error {value}; correct it or clear the cell"
        elif _is_number(value) and abs(value) >= 10**MAX_DIGITS:
            problem = (
                f"contains a number of more than {MAX_DIGITS} digits, which Excel rounds; format "
                "the column as text and enter it again"
            )
        elif isinstance(value, bool):
            return "true" if value else "false"
        if not problem:
            try:
                return self._readable(place, value, cell.number_format or "General")
            except Unclear as error:
                problem = (
                    f"has the number format “{printable_name(cell.number_format)}”, and what Excel "
                    f"shows under it is not certain: {error}; choose a simpler format, or format "
                    "the column as text and enter it again"
                )
        raise SamplesError(problem, file=self._path, row=row, column=self._column(place))

    def _readable(self, place: int, value: Any, code: str) -> str:
        if isinstance(value, str):
            text = _unescaped(value)
            is_plain = code in ("General", "@") or not text.strip()
            return text if is_plain else display_text(text, code, self._epoch)
        text, unformatted = display_text(value, code, self._epoch), plain(value)
        if _is_number(value) and text != unformatted:
            name = self._header[place - 1].strip() if place <= len(self._header) else ""
            if name in self._numbers and "%" not in code:
                return text if _PLAIN_NUMBER.fullmatch(text) else unformatted
            self._formats.setdefault(place, code)
        elif not unformatted.startswith(text):
            self._formats.setdefault(place, code)
        elif not _is_number(value) and not _ISO_DATE.match(code):
            self._dates.setdefault(place, code)
        return text

    def _column(self, place: int) -> str:
        name = printable_name(self._header[place - 1]) if place <= len(self._header) else ""
        return name or get_column_letter(place)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unescaped(text: str) -> str:
    """Without the ``_x000D_`` that stands in the file for a character; a line break is ``\n``."""
    characters = unescape(text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return characters.replace("\r\n", "\n").replace("\r", "\n")
