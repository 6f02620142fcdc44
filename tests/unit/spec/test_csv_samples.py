from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.samples import load_samples
from pytest_bwa.spec.task import TaskSpec

WriteFile = Callable[[str, str | bytes], Path]
TASK = TaskSpec(task_id="t", goal="g", output_schema={"name": "string"})


def read(path: Path) -> list[dict[str, str]]:
    return [dict(sample.columns) for sample in load_samples(path, TASK).samples]


def error_for(path: Path) -> str:
    with pytest.raises(SamplesError) as caught:
        load_samples(path, TASK)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert len(message.splitlines()) == 1
    return message.removeprefix(str(path))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("tail", ["", "END", "ENDENDEND", "END,END", "END , END"])
def test_line_ends_byte_order_marks_and_empty_rows_at_the_end(
    write_file: WriteFile, end: str, mark: bytes, tail: str
) -> None:
    text = f"sample_id,x{end}a,é{end}b,2{tail.replace('END', end)}"
    assert read(write_file("s.csv", mark + text.encode())) == [
        {"sample_id": "a", "x": "é"},
        {"sample_id": "b", "x": "2"},
    ]


def test_blank_lines_between_rows_count_in_row_numbers(write_file: WriteFile) -> None:
    sample_list = load_samples(write_file("s.csv", "sample_id,x\na,1\n\nb,2\n"), TASK)
    assert [s.row for s in sample_list.samples] == [2, 4]


@pytest.mark.parametrize(("separator", "word"), [(";", "semicolon"), ("\t", "tab"), ("|", "pipe")])
def test_other_separators_are_accepted_with_a_note(
    write_file: WriteFile, separator: str, word: str
) -> None:
    text = "sample_id,x\na,1\n".replace(",", separator)
    sample_list = load_samples(write_file("s.csv", text), TASK)
    assert [dict(s.columns) for s in sample_list.samples] == [{"sample_id": "a", "x": "1"}]
    assert sample_list.notes == (f"s.csv: read as {word}-separated",)


@pytest.mark.parametrize(
    ("first", "separator", "notes"),
    [
        ("sep=;", ";", ("s.csv: read as semicolon-separated",)),
        ('"sep=;"', ";", ("s.csv: read as semicolon-separated",)),
        ("SEP=|", "|", ("s.csv: read as pipe-separated",)),
        ("sep=\t", "\t", ("s.csv: read as tab-separated",)),
        ("sep=^", "^", ("s.csv: read as “^”-separated",)),
        ("sep=,", ",", ()),
        ("sep=;;;", ";", ("s.csv: read as semicolon-separated",)),
    ],
)
@pytest.mark.parametrize(("end", "mark"), [("\n", b""), ("\r\n", b"\xef\xbb\xbf")])
def test_the_line_that_names_the_separator_is_read_and_is_no_row(
    write_file: WriteFile, end: str, mark: bytes, first: str, separator: str, notes: tuple[str, ...]
) -> None:
    rows = "sample_id,x\na,1\n".replace(",", separator)
    text = f"{first}\n{rows}".replace("\n", end)
    sample_list = load_samples(write_file("s.csv", mark + text.encode()), TASK)
    assert [dict(s.columns) for s in sample_list.samples] == [{"sample_id": "a", "x": "1"}]
    assert [s.row for s in sample_list.samples] == [2]  # as Excel counts
    assert sample_list.notes == notes


def test_rows_of_a_file_that_names_its_separator_are_counted_as_excel_counts(
    write_file: WriteFile,
) -> None:
    text = b"sep=;\nsample_id;x\na;1\nb;\xe9\n"
    assert error_for(write_file("s.csv", text)).startswith(", row 3: is not UTF-8")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a^b\n1^2\n", ", row 1: one column “a^b”: is ^ the separator?"),
        ("sample_id:url\n1:2\n", ", row 1: one column “sample_id:url”: is : the separator?"),
        ("a|b\n1|2\n", ", row 1: no column is known: “a”, “b”; "),
        ("a;b\n1;2\n", ", row 1: no column is known: “a”, “b”; "),
        ("Ticket\n1\n", ", row 1: one column “Ticket”: it is not known; "),
    ],
)
def test_a_list_without_a_column_that_is_known_is_refused(
    write_file: WriteFile, text: str, expected: str
) -> None:
    assert error_for(write_file("s.csv", text)).startswith(expected)


def test_a_column_that_the_spec_names_is_enough(write_file: WriteFile) -> None:
    path = write_file("s.csv", "who\nAda\n")
    for changes in ({"goal": "Find {who}"}, {"input_schema": {"who": "string"}}):
        (sample,) = load_samples(path, TASK.model_copy(update=changes)).samples
        assert dict(sample.columns) == {"sample_id": "row_2", "who": "Ada"}


@pytest.mark.parametrize(
    "text",
    ['sample_id,"a;b;c"\nx,1\n', '"a;b;c",sample_id\n1,x\n', 'sample_id,"a\tb\tc"\nx,1\n'],
)
def test_separators_inside_a_quoted_name_are_text(write_file: WriteFile, text: str) -> None:
    (row,) = read(write_file("s.csv", text))
    assert row["sample_id"] == "x"
    assert len(row) == 2


def test_a_comma_inside_a_column_name_of_a_semicolon_file(write_file: WriteFile) -> None:
    (row,) = read(write_file("s.csv", "sample_id;name, first\nx;Ada\n"))
    assert row == {"sample_id": "x", "name, first": "Ada"}


def test_a_space_after_each_comma_is_ignored_with_a_note(write_file: WriteFile) -> None:
    sample_list = load_samples(write_file("s.csv", "sample_id, url\na, https://x.org\n"), TASK)
    assert sample_list.samples[0].url == "https://x.org"
    assert sample_list.notes == ("s.csv: the space after each comma is ignored",)


def test_cells_are_not_changed(write_file: WriteFile) -> None:
    text = 'sample_id,x,y\na,=1+1," two\nlines ""q"" "\n'
    assert read(write_file("s.csv", text)) == [
        {"sample_id": "a", "x": "=1+1", "y": ' two\nlines "q" '}
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", ": the file is empty"),
        ("\n\n", ": the file is empty"),
        (",,\n", ": the file is empty"),
        (b"\xef\xbb\xbf", ": the file is empty"),
        ("sample_id,x\n", ": there is a header but no sample below it"),
        ("sample_id,x\n\n,\n", ": there is a header but no sample below it"),
        ("\nsample_id,x\na,1\n", ", row 1: is empty: the column names"),
        (",\na,1\n", ", row 1: is empty: the column names"),
        ("sample_id,x,x\na,1,2\n", ', row 1, column "x": the name is used twice, in columns 2'),
        ("sample_id,x, x\na,1,2\n", ', row 1, column "x": the name is used twice'),
        ("sample_id,,x\na,1,2\n", ", row 1: column 2 of the header has no name"),
        ('sample_id,"a\nb","a\nb"\nx,1,2\n', ', row 1, column "a b": the name is used twice'),
        ("sample_id,x\na,1\nb\n", ", row 3: the row has 1 cells, the header has 2"),
        ("sample_id,x\na,1,2\n", ", row 2: the row has 3 cells, the header has 2"),
        ("sample_id,x\na,1\n,\nb,2\n", ", row 3: is empty, but rows follow it"),
        ('sample_id,x\n"a","1\n2"\nb\n', ", row 3: the row has 1 cells"),
        ('sample_id,x\na,1\nb,"2\nc,3\n', ", row 3: a quote is opened here and never closed"),
        ('sample_id,x\na,"1"2\n', ", row 2: is not valid CSV"),
        (b"sample_id,x\na,1\nb,caf\xe9\n", ", row 3: is not UTF-8 (perhaps Latin-1)"),
        (b'sample_id,x\na,"1\n2"\n\xe9,1\n', ", row 3: is not UTF-8"),
        (b"sample_id\ra\rb\xe9\r", ", row 3: is not UTF-8"),
        ("sample_id,x\na,1\n".encode("utf-16"), ": is UTF-16"),
        ("sample_id,x\na,1\n".encode("utf-16-le"), ": is UTF-16"),
        ("sample_id,x\na,1\nb,2\0\n", ', row 3, column "x": contains a NUL byte'),
        ("sample_id,x\0\na,1\n", ", row 1: contains a NUL byte"),
    ],
)
def test_refused_files(write_file: WriteFile, content: str | bytes, expected: str) -> None:
    assert error_for(write_file("s.csv", content)).startswith(expected)


def test_a_cell_larger_than_the_limit_of_the_csv_module(write_file: WriteFile) -> None:
    limit = csv.field_size_limit()
    message = error_for(write_file("s.csv", f"sample_id,x\na,1\nb,{'y' * (limit + 1)}\n"))
    assert message.startswith(f", row 3: has a cell of more than {limit:,} characters")
    assert csv.field_size_limit() == limit


@pytest.mark.parametrize("name", ["s.txt", "s.xls", "s.tsv", "s"])
def test_unsupported_file_extensions(write_file: WriteFile, name: str) -> None:
    assert "a samples file is .csv or .xlsx" in error_for(write_file(name, "sample_id\na\n"))


def test_the_file_extension_may_be_in_capitals(write_file: WriteFile) -> None:
    assert read(write_file("S.CSV", "sample_id\na\n")) == [{"sample_id": "a"}]


def test_a_missing_file_and_a_directory(tmp_path: Path) -> None:
    assert "no such samples file" in error_for(tmp_path / "gone.csv")
    assert "is a directory" in error_for(tmp_path)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that cannot be read")
def test_a_file_that_can_be_opened_and_not_read(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.symlink_to("/proc/self/mem")
    assert "cannot be read: Input/output error" in error_for(path)
