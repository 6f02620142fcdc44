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
WriteWorkbook = Callable[..., Path]


@pytest.fixture
def write_workbook(tmp_path: Path) -> WriteWorkbook:
    """Return a function that writes a workbook of one sheet; ``change`` may modify it first."""

    def write(*rows: list[Any], change: Callable[[Any], None] | None = None) -> Path:
        workbook = openpyxl.Workbook()
        for row in rows:
            workbook.active.append(row)
        if change is not None:
            change(workbook)
        path = tmp_path / "s.xlsx"
        workbook.save(path)
        return path

    return write


def load(path: Path, task: TaskSpec = TASK) -> SampleList:
    return load_samples(path, task)


def column(sample_list: SampleList, name: str) -> list[str]:
    return [sample.columns[name] for sample in sample_list.samples]


def error_for(path: Path) -> str:
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
def test_values_become_text(write_workbook: WriteWorkbook, value: Any, text: str) -> None:
    path = write_workbook(["sample_id", "x", "y"], ["a", value, "z"])
    assert dict(load(path).samples[0].columns) == {"sample_id": "a", "x": text, "y": "z"}


def test_numbers_as_ids(write_workbook: WriteWorkbook) -> None:
    assert [s.sample_id for s in load(write_workbook(["sample_id"], [7], [8.0])).samples] == [
        "7",
        "8",
    ]


def test_empty_rows_and_columns_at_the_end_are_ignored(write_workbook: WriteWorkbook) -> None:
    def format_far_cells(workbook: Any) -> None:
        workbook.active["Z1"].font = openpyxl.styles.Font(bold=True)
        workbook.active["A9000"].font = openpyxl.styles.Font(bold=True)

    sample_list = load(
        write_workbook(["sample_id", "x"], ["a"], ["b", "1"], change=format_far_cells)
    )
    assert sample_list.columns == ("sample_id", "x")
    assert [dict(s.columns)["x"] for s in sample_list.samples] == ["", "1"]


def _set(cell: str, value: Any) -> Callable[[Any], None]:
    def change(workbook: Any) -> None:
        workbook.active[cell] = value

    return change


@pytest.mark.parametrize(
    ("cell", "value", "expected"),
    [
        ("B3", "=1+1", ', row 3, column "name": contains a formula'),
        ("A1", "=1+1", ', row 1, column "A": contains a formula'),
        ("B3", "#N/A", ', row 3, column "name": contains the error #N/A'),
        (
            "B3",
            1234567890123456,
            ', row 3, column "name": contains a number of more than 15 digits',
        ),
        ("C3", "x", ", row 3: the row has 3 cells, the header has 2"),
        ("C3", "=1", ', row 3, column "C": contains a formula'),
        ("B1", None, ", row 1: column 2 of the header has no name"),
        ("B1", "sample_id", ', row 1, column "sample_id": the name is used twice'),
        ("A5", "e", ", row 4: is empty, but row 5 is not"),
        ("A3", "a/b", ', row 3, column "sample_id": "a/b" is not a safe folder name'),
    ],
)
def test_refused_cells(write_workbook: WriteWorkbook, cell: str, value: Any, expected: str) -> None:
    rows = (["sample_id", "name", "z"], ["a", 1, 2], ["b", 2, 3])
    width = 3 if cell == "B1" else 2
    path = write_workbook(*(row[:width] for row in rows), change=_set(cell, value))
    assert error_for(path).startswith(expected)


def test_a_formula_is_refused_even_if_the_file_contains_its_result(
    write_workbook: WriteWorkbook,
) -> None:
    path = write_workbook(["sample_id", "x"], ["a", "=1+1"])
    _rewrite(
        path,
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace("<v></v>", "<v>2</v>").replace("<v />", "<v>2</v>"),
    )
    assert openpyxl.load_workbook(path, data_only=True).active["B2"].value == 2
    assert 'row 2, column "x": contains a formula' in error_for(path)


def _rewrite(path: Path, part: str, change: Callable[[str], str]) -> None:
    """Change one part of the workbook to what another program might have written."""
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


def test_a_wrong_dimension_loses_no_rows(write_workbook: WriteWorkbook) -> None:
    path = write_workbook(["sample_id", "x"], ["a", 1], ["b", 2])
    _rewrite(
        path,
        "xl/worksheets/sheet1.xml",
        lambda xml: re.sub(r'<dimension ref="[^"]*"', '<dimension ref="A1"', xml),
    )
    assert [s.sample_id for s in load(path).samples] == ["a", "b"]


def test_only_the_first_visible_sheet_is_read_with_a_note(write_workbook: WriteWorkbook) -> None:
    def more(workbook: Any) -> None:
        workbook.active.title = "People"
        workbook.create_sheet("Other").append(["nothing"])
        workbook.create_sheet("Hidden", 0).sheet_state = "hidden"

    sample_list = load(write_workbook(["sample_id"], ["a"], change=more))
    assert [s.sample_id for s in sample_list.samples] == ["a"]
    assert sample_list.notes == ('s.xlsx: only the first of 2 sheets is read: "People"',)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "is not a readable Excel workbook"),
        (b"sample_id,x\na,1\n", "is not a readable Excel workbook"),
        (b"PK\x03\x04junk", "is not a readable Excel workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "is encrypted, or an old .xls"),
    ],
)
def test_files_that_are_not_workbooks(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / "s.xlsx"
    path.write_bytes(data)
    assert expected in error_for(path)


def test_a_workbook_with_a_broken_part(write_workbook: WriteWorkbook) -> None:
    path = write_workbook(["sample_id"], ["a"])
    _rewrite(path, "xl/worksheets/sheet1.xml", lambda xml: xml[: len(xml) // 2])
    assert "is not a readable Excel workbook" in error_for(path)


def test_empty_and_header_only(write_workbook: WriteWorkbook) -> None:
    assert "the file is empty" in error_for(write_workbook())
    assert "a header but no sample" in error_for(write_workbook(["sample_id", "x"]))


def test_ten_thousand_rows(write_workbook: WriteWorkbook) -> None:
    path = write_workbook(
        ["sample_id", "url"], *([f"id{n}", "https://x.org"] for n in range(10_000))
    )
    started = clock.process_time()
    assert len(load(path).samples) == 10_000
    assert clock.process_time() - started < 4


def test_loading_prints_nothing_and_leaves_no_file_open(
    write_workbook: WriteWorkbook,
    capfd: pytest.CaptureFixture[str],
    open_files: Callable[[], list[str]],
) -> None:
    good = write_workbook(["sample_id"], ["a"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load(good)
        good.write_bytes(b"PK\x03\x04junk")
        error_for(good)
        gc.collect()
    assert open_files() == []
    assert capfd.readouterr() == ("", "")


def test_a_number_is_read_as_it_is_shown(write_workbook: WriteWorkbook) -> None:
    def formats(workbook: Any) -> None:
        for row, code in ((2, "00000"), (3, '"ENG-"000')):
            workbook.active.cell(row, 1).number_format = code
        workbook.active["B2"].number_format = workbook.active["B3"].number_format = "dd/mm/yyyy"

    rows = ["sample_id", "due"], [42, date(2024, 1, 31)], [7, date(2024, 2, 1)]
    sample_list = load(write_workbook(*rows, change=formats))
    assert [s.sample_id for s in sample_list.samples] == ["00042", "ENG-007"]
    assert column(sample_list, "due") == ["2024-01-31", "2024-02-01"]
    assert sample_list.notes == (
        "s.xlsx: numbers are read as Excel shows them: sample_id (00000)",
        "s.xlsx: dates are read as YYYY-MM-DD: due (dd/mm/yyyy)",
    )


def test_a_number_format_that_is_not_understood_is_refused(write_workbook: WriteWorkbook) -> None:
    def chinese(workbook: Any) -> None:
        workbook.active["B3"].number_format = "[DBNum1]0"

    path = write_workbook(["sample_id", "n"], ["a", 1], ["b", 2], change=chinese)
    assert error_for(path).startswith(', row 3, column "n": has the number format “[DBNum1]0”')


def test_a_column_of_numbers_stays_one(write_workbook: WriteWorkbook) -> None:
    def money(workbook: Any) -> None:
        for row, code in ((2, '"$"#,##0.00'), (3, "0.00")):
            workbook.active.cell(row, 2).number_format = code

    path = write_workbook(["sample_id", "n"], ["a", 1234.5], ["b", 2], change=money)
    assert column(load(path), "n") == ["$1,234.50", "2.00"]
    typed = TASK.model_copy(update={"input_schema": {"n": "number"}})
    assert column(load(path, typed), "n") == ["1234.5", "2.00"]


def test_merged_cells_repeat_their_value(write_workbook: WriteWorkbook) -> None:
    def merge(workbook: Any) -> None:
        workbook.active.merge_cells("B2:B4")
        workbook.active.merge_cells("B5:B9")  # beyond the list
        workbook.active.merge_cells("C2:D2")  # without a value

    rows = ["sample_id", "team", "x"], ["a", "red", None], ["b"], ["c"], ["d", "blue"]
    sample_list = load(write_workbook(*rows, change=merge))
    assert column(sample_list, "team") == ["red", "red", "red", "blue"]
    assert sample_list.notes == ("s.xlsx: merged cells repeat their value: B2:B4 and B5:B9",)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("A1:B1", ', row 1, column "A": the cells A1:B1 are merged, but the column names'),
        ("A1:A2", ', row 1, column "A": the cells A1:A2 are merged, but the column names'),
        ("B3:C3", ', row 3, column "x": the cells B3:C3 are merged, but each column needs'),
        ("A2:B3", ', row 2, column "sample_id": the cells A2:B3 are merged, but each column'),
        ("A2:A3", ', row 3, column "sample_id": "a" is already used in row 2'),
    ],
)
def test_merged_cells_without_one_value_for_a_row_are_refused(
    write_workbook: WriteWorkbook, cells: str, expected: str
) -> None:
    def merge(workbook: Any) -> None:
        workbook.active.merge_cells(cells)

    path = write_workbook(["sample_id", "x", "y"], ["a", 1, 2], ["b", 3, 4], change=merge)
    assert error_for(path).startswith(expected)


def test_hidden_rows_are_left_out_and_hidden_columns_read_with_notes(
    write_workbook: WriteWorkbook,
) -> None:
    def hide(workbook: Any) -> None:
        sheet = workbook.active
        sheet.row_dimensions[3].hidden = True
        sheet.row_dimensions[4].hidden = True
        sheet.column_dimensions["B"].hidden = True
        sheet["B3"] = "=1+1"  # nobody sees it
        sheet.merge_cells("C3:C5")
        sheet.row_dimensions[9].hidden = True  # empty

    rows = ["sample_id", "x", "y"], ["a", "1", ""], ["b", "", "z"], ["c"], ["d", "4"]
    sample_list = load(write_workbook(*rows, change=hide))
    assert [(s.sample_id, s.row) for s in sample_list.samples] == [("a", 2), ("d", 5)]
    assert column(sample_list, "x") == ["1", "4"]
    assert column(sample_list, "y") == ["", "z"]
    assert sample_list.notes == (
        "s.xlsx: 2 hidden rows are left out: rows 3 and 4",
        's.xlsx: 1 hidden column is read like the others: "x"',
        "s.xlsx: merged cells repeat their value: C3:C5",
    )


def test_a_list_whose_rows_are_all_hidden_is_refused(write_workbook: WriteWorkbook) -> None:
    def hide(workbook: Any, rows: range) -> None:
        for row in rows:
            workbook.active.row_dimensions[row].hidden = True

    rows = ["sample_id"], ["a"], ["b"]
    path = write_workbook(*rows, change=lambda book: hide(book, range(2, 4)))
    assert error_for(path) == ": all rows below the header are hidden; show those that are to run"
    path = write_workbook(*rows, change=lambda book: hide(book, range(1, 2)))
    assert error_for(path) == ", row 1: is hidden, but the column names must be in it; show it"


def test_characters_that_the_file_escapes_are_read(write_workbook: WriteWorkbook) -> None:
    texts = ["a_x000D_\nb", "a_x000d_b", "_x005F_x000D_", "_xD83D__xDE00_", "_x_"]
    path = write_workbook(["sample_id", "x"], *([f"s{n}", text] for n, text in enumerate(texts)))
    assert column(load(path), "x") == ["a\nb", "a\nb", "_x000D_", "😀", "_x_"]
