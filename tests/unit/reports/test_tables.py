"""The tables of a run: typed cells, links, items of arrays, and nothing that a spreadsheet runs."""

from __future__ import annotations

import csv
import io
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from unit.reports.test_registry import a_result

from pytest_bwa.evidence.files import sha256_of, write_json
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import write_manifests
from pytest_bwa.evidence.reviews import Review, add_review
from pytest_bwa.evidence.run_record import FileRecord, RunRecord
from pytest_bwa.reports.base import ReportContext
from pytest_bwa.reports.registry import Reports
from pytest_bwa.reports.review.reviewed import update_reviewed
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.tables.workbook import MAX_TEXT, cell_value
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.spec.sample_ids import id_problem
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Usage

FORMULA = '=HYPERLINK("https://evil.org","click")'
CHECK = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "since": {"type": "string", "format": "date"}},
}
TASK = TaskSpec.model_validate(
    {
        "task_id": "hr", "goal": "Read it.",
        "output_schema": {
            "owner": "string | null", "staff": "number | null", "open": "boolean", "due": "date",
            "checks": {"type": "array", "items": CHECK}, "Tags/All": "array", "tags_all": "array",
        },
    }
)  # fmt: skip
SAMPLES = "sample_id,team\nadam,007\nzoe,=1+1\n"


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """A run that has ended, with a workbook; ``zoe`` has no value."""
    folder = RunFolder.create(tmp_path, "run_1")
    file = FileRecord(path="x", sha256="0")
    record = RunRecord(
        run_id="run_1", task_id="hr", policy="claude", model="m", spec=file, samples=file,
        started_at="2026-11-21T09:00:00.000Z", samples_in=2,
    )  # fmt: skip
    folder.write_inputs(record, TASK.model_dump(mode="json"), SAMPLES)
    adam = a_result(
        "adam", "done", policy="claude", model="m", notes=["-2 left\x1b"],
        extracted={
            "owner": FORMULA, "staff": 1200, "open": True, "due": "2025-11-03",
            "checks": [{"name": "lint", "since": "2025-01-31"}, {"name": "@x", "extra": [1]}],
            "Tags/All": ["red", 7], "tags_all": [],
        },
    ).model_copy(
        update={
            "usage": Usage(calls=2, cost_usd=0.25),
            "started_at": "2026-11-21T09:00:01.500Z", "finished_at": "2026-11-21T09:00:14.000Z",
        }
    )  # fmt: skip
    zoe = a_result("zoe", "failed").model_copy(update={"usage": Usage(calls=1, cost_usd=None)})
    for result in (adam, zoe):
        folder.sample(result.sample_id).mkdir()
        write_json(folder.sample(result.sample_id) / "result.json", result)
    log = [{"url": "https://a.org/list"}, {"url": "https://a.org/adam?x=1"}, {"url": ""}]
    write_json(folder.sample("adam") / "action_log.json", log)
    finish(folder, "xlsx")
    return folder


def finish(folder: RunFolder, *formats: str) -> None:
    reports = Reports(ReportContext(combined=("csv", *formats)))
    ended = (finish_run(folder, 0, ""),)
    reports.run_finished(ended)
    reports.seal(ended)
    assert reports.problems == []


def csv_rows(path: Path) -> list[dict[str, str]]:
    text = path.read_bytes().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def cells(folder: Path, sheet: str) -> dict[str, Any]:
    """The cells of the first row below the header, by the names of their columns."""
    rows = list(openpyxl.load_workbook(folder / "combined.xlsx")[sheet].iter_rows())
    return dict(zip([cell.value for cell in rows[0]], rows[1], strict=True))


def test_the_csv_says_when_how_long_by_whom_and_where(run):
    assert (run.path / "combined.csv").read_bytes().startswith(b"\xef\xbb\xbfsample_id,")
    adam, zoe = csv_rows(run.path / "combined.csv")
    assert list(adam)[-9:] == [
        "evidence", "started_at", "seconds", "policy", "model", "cost_usd", "final_url",
        "reviewed_by", "test",
    ]  # fmt: skip
    assert list(adam.values())[-8:] == [
        "2026-11-21T09:00:01.500Z", "12.5", "claude", "m", "0.25", "https://a.org/adam?x=1", "", "",
    ]  # fmt: skip
    assert (zoe["cost_usd"], zoe["final_url"]) == ("unknown", "")


def test_cells_have_types_and_lead_to_the_pages(run):
    adam = cells(run.path, "samples")
    assert {name: adam[name].value for name in ("staff", "open", "team", "seconds", "steps")} == {
        "staff": 1200, "open": True, "team": "007", "seconds": 12.5, "steps": 1,
    }  # fmt: skip
    assert adam["due"].value == datetime(2025, 11, 3)
    assert adam["due"].number_format == "yyyy-mm-dd"
    assert adam["started_at"].value == datetime(2026, 11, 21, 9, 0, 1)
    assert adam["sample_id"].hyperlink.target == "adam/index.html"
    assert (run.path / adam["sample_id"].hyperlink.target).parent.is_dir()
    assert adam["final_url"].hyperlink.target == "https://a.org/adam?x=1"


def test_nothing_is_run_as_a_formula_and_no_character_breaks_the_file(run):
    adam = cells(run.path, "samples")
    assert (adam["owner"].value, adam["owner"].data_type) == (FORMULA, "s")
    assert adam["notes"].value == "-2 left\\x1b"
    book = openpyxl.load_workbook(run.path / "combined.xlsx")
    types = {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row}
    assert "f" not in types
    assert csv_rows(run.path / "combined.csv")[0]["owner"] == f"'{FORMULA}"


def test_each_array_has_a_sheet_and_a_file_with_a_row_for_each_item(run):
    book = openpyxl.load_workbook(run.path / "combined.xlsx")
    assert book.sheetnames == ["samples", "checks", "Tags_All", "tags_all_2"]
    assert csv_rows(run.path / "combined.checks.csv") == [
        {"sample_id": "adam", "item": "1", "name": "lint", "since": "2025-01-31", "extra": ""},
        {"sample_id": "adam", "item": "2", "name": "'@x", "since": "", "extra": "[1]"},
    ]
    check = cells(run.path, "checks")
    assert check["since"].value == datetime(2025, 1, 31)
    assert check["sample_id"].hyperlink.target == "adam/index.html"
    tags = csv_rows(run.path / "combined.Tags_All.csv")
    assert [(row["item"], row["Tags/All"]) for row in tags] == [("1", "red"), ("2", "7")]
    assert cells(run.path, "Tags_All")["Tags/All"].value == "red"
    assert csv_rows(run.path / "combined.tags_all_2.csv") == []
    assert id_problem("Combined.checks.csv")
    assert not id_problem("combined")


def test_the_tables_belong_to_the_manifest_and_verify(run):
    listed = (run.path / "manifest-sha256.txt").read_text()
    for name in ("combined.xlsx", "combined.checks.csv", "combined.Tags_All.csv"):
        assert f"  {name}\n" in listed
    assert table_faults(run) == []


def table_faults(run: RunFolder) -> list[str]:
    return [str(f) for f in verify(run.path).faults if f.file.startswith("combined")]


@pytest.mark.parametrize(
    ("sheet", "cell", "value", "problem"),
    [
        ("samples", "F2", 1300, "sheet samples: staff of adam is not what adam/result.json says"),
        ("samples", "A2", "eve", "sheet samples: does not have one row for each result"),
        ("checks", "C2", "fmt", "sheet checks: name of adam is not what adam/result.json says"),
        ("checks", "A9", "adam", "sheet checks: does not have one row for each item"),
    ],
)
def test_a_workbook_that_was_changed_and_sealed_anew_is_named(run, sheet, cell, value, problem):
    book = openpyxl.load_workbook(run.path / "combined.xlsx")
    book[sheet][cell] = value
    book.save(run.path / "combined.xlsx")
    write_manifests(run.path)
    assert any(problem in fault for fault in table_faults(run)), table_faults(run)


def test_other_changes_of_the_tables_are_named_too(run):
    book = openpyxl.load_workbook(run.path / "combined.xlsx")
    book["samples"]["A2"].hyperlink = "https://evil.org"
    book["samples"]["E2"].data_type = "f"
    del book["Tags_All"]
    book.save(run.path / "combined.xlsx")
    path = run.path / "combined.checks.csv"
    path.write_text(path.read_text("utf-8").replace("lint", "fmt"), "utf-8")
    write_manifests(run.path)
    found = "\n".join(table_faults(run))
    for part in (
        "has the sheets samples, checks, tags_all_2, not", "the link of sample_id of adam is not",
        "owner of adam is not", "combined.checks.csv: name of adam is not",
    ):  # fmt: skip
        assert part in found, part
    (run.path / "combined.xlsx").write_bytes(b"PK no workbook")
    assert "combined.xlsx: cannot be read" in "\n".join(table_faults(run))


def test_a_resumed_session_keeps_the_workbook_up_to_date(run):
    result = run.result("zoe")
    assert result is not None
    write_json(run.sample("zoe") / "result.json", result.model_copy(update={"steps": 9}))
    finish(run)
    book = openpyxl.load_workbook(run.path / "combined.xlsx")
    header = [cell.value for cell in book["samples"][1]]
    assert book["samples"].cell(3, header.index("steps") + 1).value == 9
    assert table_faults(run) == []


def test_a_run_without_the_option_has_no_workbook(run):
    (run.path / "combined.xlsx").unlink()
    finish(run)
    assert not (run.path / "combined.xlsx").exists()
    assert (run.path / "combined.checks.csv").exists()


def test_reviews_stand_in_tables_beside_the_run_only(run):
    before = (run.path / "combined.csv").read_bytes()
    review = Review(
        reviewer="ada", time="2026-11-22T09:00:00.000Z", sample_id="adam", subject="value",
        field="staff", decision="corrected", value=1200, corrected=1300, comment="=recounted",
        result_sha256=sha256_of(run.sample("adam") / "result.json"),
    )  # fmt: skip
    add_review(run.path, review)
    target = update_reviewed(run)
    assert target == run.path.with_name("run_1.reviewed")
    adam, zoe = csv_rows(target / "combined.csv")
    assert (adam["reviewed_by"], adam["staff"], zoe["reviewed_by"]) == ("ada", "1200", "")
    assert adam["reviews"].startswith("staff corrected from 1200 to 1300 by ada at 2026-11-22")
    assert cells(target, "samples")["sample_id"].hyperlink.target == "adam/index.html"
    book = openpyxl.load_workbook(target / "combined.xlsx")
    assert book["samples"]["A3"].hyperlink.target == "../run_1/zoe/index.html"
    finish(run)
    assert (run.path / "combined.csv").read_bytes() == before, "the run's own has no reviews"


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (10**15, "plain", "1000000000000000"),
        (-(10**14), "plain", -(10**14)),
        (0.1, "plain", 0.1),
        (float("nan"), "plain", "nan"),
        ("12", "plain", "12"),
        ("", "plain", None),
        ({"a": "ü"}, "plain", json.dumps({"a": "ü"}, ensure_ascii=False)),
        ("1850-05-01", "date", "1850-05-01"),
        ("2025-02-30", "date", "2025-02-30"),
        ("20250203", "date", "20250203"),
        ("2025-02-03T01:00:00+05:00", "date", "2025-02-03T01:00:00+05:00"),
        ("a\r\nb\rc", "plain", "a\nb\nc"),
    ],
)
def test_a_cell_is_typed_only_if_no_digit_or_day_is_lost(value, kind, expected):
    found = cell_value(value, kind)
    assert (found, type(found)) == (expected, type(expected))


def test_a_text_that_is_too_long_for_a_cell_says_so():
    text = cell_value("x" * 40_000, "plain")
    assert len(text) == MAX_TEXT
    assert text.endswith("… (40,000 characters; result.json has all)")
