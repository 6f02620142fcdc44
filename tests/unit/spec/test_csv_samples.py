from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.samples import load_samples
from pytest_bwa.spec.task import TaskSpec

Written = Callable[[str, str | bytes], Path]
TASK = TaskSpec(task_id="t", goal="g", output_schema={"name": "string"})


def read(path: Path) -> list[dict[str, str]]:
    return [dict(sample.columns) for sample in load_samples(path, TASK).samples]


def refused(path: Path) -> str:
    with pytest.raises(SamplesError) as caught:
        load_samples(path, TASK)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert len(message.splitlines()) == 1
    return message.removeprefix(str(path))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("tail", ["", "END", "ENDENDEND", "END,END", "END , END"])
def test_line_ends_marks_and_blank_ends(written: Written, end: str, mark: bytes, tail: str) -> None:
    text = f"sample_id,x{end}a,é{end}b,2{tail.replace('END', end)}"
    assert read(written("s.csv", mark + text.encode())) == [
        {"sample_id": "a", "x": "é"},
        {"sample_id": "b", "x": "2"},
    ]


def test_blank_lines_between_rows_count_as_rows(written: Written) -> None:
    listed = load_samples(written("s.csv", "sample_id,x\na,1\n\nb,2\n"), TASK)
    assert [s.row for s in listed.samples] == [2, 4]


@pytest.mark.parametrize(("separator", "word"), [(";", "semicolon"), ("\t", "tab")])
def test_other_separators_are_taken_and_said(written: Written, separator: str, word: str) -> None:
    text = "sample_id,x\na,1\n".replace(",", separator)
    listed = load_samples(written("s.csv", text), TASK)
    assert [dict(s.columns) for s in listed.samples] == [{"sample_id": "a", "x": "1"}]
    assert listed.notes == (f"s.csv: read as {word}-separated",)


@pytest.mark.parametrize(
    "text",
    ['sample_id,"a;b;c"\nx,1\n', '"a;b;c",sample_id\n1,x\n', 'sample_id,"a\tb\tc"\nx,1\n'],
)
def test_separators_inside_a_quoted_name_are_no_separators(written: Written, text: str) -> None:
    (row,) = read(written("s.csv", text))
    assert row["sample_id"] == "x"
    assert len(row) == 2


def test_a_comma_inside_a_name_of_a_semicolon_file(written: Written) -> None:
    (row,) = read(written("s.csv", "sample_id;name, first\nx;Ada\n"))
    assert row == {"sample_id": "x", "name, first": "Ada"}


def test_a_blank_after_each_comma_is_left_out_and_said(written: Written) -> None:
    listed = load_samples(written("s.csv", "sample_id, url\na, https://x.org\n"), TASK)
    assert listed.samples[0].url == "https://x.org"
    assert listed.notes == ("s.csv: the blank after each comma is left out",)


def test_cells_are_kept_raw(written: Written) -> None:
    text = 'sample_id,x,y\na,=1+1," two\nlines ""q"" "\n'
    assert read(written("s.csv", text)) == [
        {"sample_id": "a", "x": "=1+1", "y": ' two\nlines "q" '}
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", ": the file is empty"),
        ("\n\n", ": the file is empty"),
        (",,\n", ": the file is empty"),
        (b"\xef\xbb\xbf", ": the file is empty"),
        ("sample_id,x\n", ": there is a header but no sample below it"),
        ("sample_id,x\n\n,\n", ": there is a header but no sample below it"),
        ("\nsample_id,x\na,1\n", ", row 1: is empty: the column names"),
        (",\na,1\n", ", row 1: is empty: the column names"),
        ("sample_id,x,x\na,1,2\n", ', row 1, column "x": the name is there twice, in columns 2'),
        ("sample_id,x, x\na,1,2\n", ', row 1, column "x": the name is there twice'),
        ("sample_id,,x\na,1,2\n", ", row 1: column 2 of the header has no name"),
        ('sample_id,"a\nb","a\nb"\nx,1,2\n', ', row 1, column "a b": the name is there twice'),
        ("sample_id,x\na,1\nb\n", ", row 3: the row has 1 cells, the header has 2"),
        ("sample_id,x\na,1,2\n", ", row 2: the row has 3 cells, the header has 2"),
        ("sample_id,x\na,1\n,\nb,2\n", ", row 3: is empty, but rows follow it"),
        ('sample_id,x\n"a","1\n2"\nb\n', ", row 3: the row has 1 cells"),
        ('sample_id,x\na,1\nb,"2\nc,3\n', ", row 3: a quote is opened here and never closed"),
        ('sample_id,x\na,"1"2\n', ", row 2: is not valid CSV"),
        (b"sample_id,x\na,1\nb,caf\xe9\n", ", row 3: is not UTF-8 (Latin-1, perhaps)"),
        (b'sample_id,x\na,"1\n2"\n\xe9,1\n', ", row 3: is not UTF-8"),
        (b"sample_id\ra\rb\xe9\r", ", row 3: is not UTF-8"),
        ("sample_id,x\na,1\n".encode("utf-16"), ": is UTF-16"),
        ("sample_id,x\na,1\n".encode("utf-16-le"), ": is UTF-16"),
        ("sample_id,x\na,1\nb,2\0\n", ', row 3, column "x": holds a NUL byte'),
        ("sample_id,x\0\na,1\n", ", row 1: holds a NUL byte"),
    ],
)
def test_files_that_are_refused(written: Written, content: str | bytes, said: str) -> None:
    assert refused(written("s.csv", content)).startswith(said)


def test_a_cell_beyond_the_limit_of_the_csv_module(written: Written) -> None:
    limit = csv.field_size_limit()
    message = refused(written("s.csv", f"sample_id,x\na,1\nb,{'y' * (limit + 1)}\n"))
    assert message.startswith(f", row 3: holds a cell of over {limit:,} characters")
    assert csv.field_size_limit() == limit


@pytest.mark.parametrize("name", ["s.txt", "s.xls", "s.tsv", "s"])
def test_other_endings(written: Written, name: str) -> None:
    assert "a samples file is .csv or .xlsx" in refused(written(name, "sample_id\na\n"))


def test_the_ending_may_be_in_capitals(written: Written) -> None:
    assert read(written("S.CSV", "sample_id\na\n")) == [{"sample_id": "a"}]


def test_no_file_and_a_directory(tmp_path: Path) -> None:
    assert "no such samples file" in refused(tmp_path / "gone.csv")
    assert "is a directory" in refused(tmp_path)
