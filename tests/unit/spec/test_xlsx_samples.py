from __future__ import annotations

import gc
import io
import re
import time as clock
import warnings
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.samples import SampleList, load_samples
from pytest_bwa.spec.task import TaskSpec

TASK = TaskSpec(task_id="t", goal="g", output_schema={"name": "string"})
Book = Callable[..., Path]


@pytest.fixture
def book(tmp_path: Path) -> Book:
    """Writes a workbook of one sheet; ``change`` may do what it likes to it before."""

    def write(*rows: list[Any], change: Callable[[Any], None] | None = None) -> Path:
        made = openpyxl.Workbook()
        for row in rows:
            made.active.append(row)
        if change is not None:
            change(made)
        path = tmp_path / "s.xlsx"
        made.save(path)
        return path

    return write


def load(path: Path) -> SampleList:
    return load_samples(path, TASK)


def refused(path: Path) -> str:
    with pytest.raises(SamplesError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert len(message.splitlines()) == 1
    return message.removeprefix(str(path))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("text", "text"),
        (" kept ", " kept "),
        (12, "12"),
        (12.0, "12"),
        (-0.1, "-0.1"),
        (True, "true"),
        (False, "false"),
        (None, ""),
        (date(2024, 1, 31), "2024-01-31"),
        (datetime(2024, 1, 31), "2024-01-31"),
        (datetime(2024, 1, 31, 10, 5), "2024-01-31T10:05:00"),
        (time(10, 5), "10:05:00"),
        ("ä😀", "ä😀"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_values_become_text(book: Book, value: Any, text: str) -> None:
    path = book(["sample_id", "x", "y"], ["a", value, "z"])
    assert dict(load(path).samples[0].columns) == {"sample_id": "a", "x": text, "y": "z"}


def test_numbers_as_ids(book: Book) -> None:
    assert [s.sample_id for s in load(book(["sample_id"], [7], [8.0])).samples] == ["7", "8"]


def test_zeros_that_a_format_shows_are_kept(book: Book) -> None:
    def pad(made: Any) -> None:
        made.active["A2"].number_format = "00000"

    assert load(book(["sample_id"], [42], change=pad)).samples[0].sample_id == "00042"


def test_trailing_empty_rows_and_columns_are_nothing(book: Book) -> None:
    def format_far_cells(made: Any) -> None:
        made.active["Z1"].font = openpyxl.styles.Font(bold=True)
        made.active["A9000"].font = openpyxl.styles.Font(bold=True)

    listed = load(book(["sample_id", "x"], ["a"], ["b", "1"], change=format_far_cells))
    assert listed.columns == ("sample_id", "x")
    assert [dict(s.columns)["x"] for s in listed.samples] == ["", "1"]


def _set(cell: str, value: Any) -> Callable[[Any], None]:
    def change(made: Any) -> None:
        made.active[cell] = value

    return change


@pytest.mark.parametrize(
    ("cell", "value", "said"),
    [
        ("B3", "=1+1", ', row 3, column "name": holds a formula'),
        ("A1", "=1+1", ', row 1, column "A": holds a formula'),
        ("B3", "#N/A", ', row 3, column "name": holds the error #N/A'),
        ("B3", 1234567890123456, ', row 3, column "name": holds a number of over 15 digits'),
        ("C3", "x", ", row 3: the row has 3 cells, the header has 2"),
        ("C3", "=1", ', row 3, column "C": holds a formula'),
        ("B1", None, ", row 1: column 2 of the header has no name"),
        ("B1", "sample_id", ', row 1, column "sample_id": the name is there twice'),
        ("A5", "e", ", row 4: is empty, but row 5 is not"),
        ("A3", "a/b", ', row 3, column "sample_id": "a/b" is no safe folder name'),
    ],
)
def test_cells_that_are_refused(book: Book, cell: str, value: Any, said: str) -> None:
    rows = (["sample_id", "name", "z"], ["a", 1, 2], ["b", 2, 3])
    width = 3 if cell == "B1" else 2
    path = book(*(row[:width] for row in rows), change=_set(cell, value))
    assert refused(path).startswith(said)


def test_a_formula_is_refused_though_its_result_is_in_the_file(book: Book) -> None:
    path = book(["sample_id", "x"], ["a", "=1+1"])
    _rewrite(
        path,
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace("<v></v>", "<v>2</v>").replace("<v />", "<v>2</v>"),
    )
    assert openpyxl.load_workbook(path, data_only=True).active["B2"].value == 2
    assert 'row 2, column "x": holds a formula' in refused(path)


def _rewrite(path: Path, part: str, change: Callable[[str], str]) -> None:
    """One part of the workbook changed as another program might have written it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == part:
                changed = change(data.decode())
                assert changed != data.decode()
                data = changed.encode()
            new.writestr(name, data)
    path.write_bytes(packed.getvalue())


def test_a_wrong_dimension_loses_no_rows(book: Book) -> None:
    path = book(["sample_id", "x"], ["a", 1], ["b", 2])
    _rewrite(
        path,
        "xl/worksheets/sheet1.xml",
        lambda xml: re.sub(r'<dimension ref="[^"]*"', '<dimension ref="A1"', xml),
    )
    assert [s.sample_id for s in load(path).samples] == ["a", "b"]


def test_the_first_sheet_that_is_shown_is_read_and_said(book: Book) -> None:
    def more(made: Any) -> None:
        made.active.title = "People"
        made.create_sheet("Other").append(["nothing"])
        made.create_sheet("Hidden", 0).sheet_state = "hidden"

    listed = load(book(["sample_id"], ["a"], change=more))
    assert [s.sample_id for s in listed.samples] == ["a"]
    assert listed.notes == ('s.xlsx: the first sheet, "People", is read of 2',)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is no Excel workbook"),
        (b"sample_id,x\na,1\n", "is no Excel workbook"),
        (b"PK\x03\x04junk", "is no Excel workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "is encrypted, or an old .xls"),
    ],
)
def test_files_that_are_no_workbook(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "s.xlsx"
    path.write_bytes(data)
    assert said in refused(path)


def test_a_workbook_with_a_broken_part(book: Book) -> None:
    path = book(["sample_id"], ["a"])
    _rewrite(path, "xl/worksheets/sheet1.xml", lambda xml: xml[: len(xml) // 2])
    assert "is no Excel workbook" in refused(path)


def test_empty_and_header_only(book: Book) -> None:
    assert "the file is empty" in refused(book())
    assert "a header but no sample" in refused(book(["sample_id", "x"]))


def test_ten_thousand_rows(book: Book) -> None:
    path = book(["sample_id", "url"], *([f"id{n}", "https://x.org"] for n in range(10_000)))
    started = clock.process_time()
    assert len(load(path).samples) == 10_000
    assert clock.process_time() - started < 4


def test_loading_prints_nothing_and_leaves_nothing_open(
    book: Book, capfd: pytest.CaptureFixture[str]
) -> None:
    good = book(["sample_id"], ["a"])
    handles = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load(good)
        good.write_bytes(b"PK\x03\x04junk")
        refused(good)
        gc.collect()
    if handles:
        assert len(list(Path("/proc/self/fd").iterdir())) == handles
    assert capfd.readouterr() == ("", "")
