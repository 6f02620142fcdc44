"""A run of many samples: its folders are fanned out, its results stay on the disk, and all is said
as of a small one."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from pathlib import Path

import openpyxl
import pytest
import simulated_run
from simulated_run import open_run, sample_name, write_samples
from typer.testing import CliRunner

from pytest_bwa.audit import audits
from pytest_bwa.audit.salvage import intact_result
from pytest_bwa.browser import print_page
from pytest_bwa.cli import app
from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import MANIFEST, write_manifests
from pytest_bwa.evidence.result_reader import StoredResults
from pytest_bwa.evidence.reviews import Review, add_review, read_reviews
from pytest_bwa.reports.base import FinishedRun, FinishedSample, ReportContext
from pytest_bwa.reports.diff import compare
from pytest_bwa.reports.handover import run_content
from pytest_bwa.reports.handover.report import write_sample_page
from pytest_bwa.reports.registry import Reports
from pytest_bwa.reports.review.reviewed import update_reviewed
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.terminal import summary_lines
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.spec.sample import place_in_run

COUNT = 200
ODD = sample_name(0)
PLACE = "samples/c0/T-0000000"


def ended_run(root: Path, *combined: str) -> FinishedRun:
    folder = open_run(root, COUNT).folder
    assert folder is not None
    write_samples(folder, range(COUNT))
    reports, run = Reports(ReportContext(combined=combined)), finish_run(folder, 0, "")
    for name in (ODD, sample_name(1)):
        listed = run.samples.get(name)
        result = run.result(name)
        assert result is not None
        write_sample_page(FinishedSample(run.task, listed, result, folder, "t"))
    reports.run_finished((run,))
    reports.seal((run,))
    assert reports.problems == []
    return run


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> FinishedRun:
    """A run of few samples, as the threshold counts. Only to be read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)  # a thousand would take a second
        return ended_run(tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def fanned(tmp_path_factory: pytest.TempPathFactory) -> FinishedRun:
    """The same run above the threshold. Only to be read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        patch.setattr(audits, "FAN_OUT_OVER", COUNT - 1)
        return ended_run(tmp_path_factory.mktemp("fanned"), "xlsx")


@pytest.fixture
def copy(fanned: FinishedRun, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    whole = Path(shutil.copytree(fanned.folder.path, tmp_path / "run_1"))
    (whole / "combined.xlsx").unlink()  # which takes long to read
    write_manifests(whole)
    return whole


def without_places(text: str) -> str:
    """The text with each sample's folder named as in a run of few samples."""
    for number in range(COUNT):
        name = sample_name(number)
        text = text.replace(place_in_run(name, fan_out=True), name)
    return text


def test_only_a_run_above_the_threshold_is_fanned_out(plain, fanned):
    assert not plain.record.fan_out
    assert fanned.record.fan_out
    assert plain.folder.sample(ODD) == plain.folder.path / ODD
    assert fanned.folder.sample(ODD) == fanned.folder.path / PLACE
    assert (fanned.folder.path / PLACE / "result.json").is_file()
    assert not (fanned.folder.path / ODD).exists()
    folders = [path for path in (fanned.folder.path / "samples").iterdir() if path.is_dir()]
    assert 100 < len(folders) <= 256


def test_the_tables_are_the_same_but_for_the_folders(plain, fanned):
    for name in ("combined.csv", "combined.tags.csv"):
        texts = [(run.folder.path / name).read_text("utf-8-sig") for run in (plain, fanned)]
        assert texts[0] == without_places(texts[1])
        assert texts[0].count("\n") >= COUNT + 1
    with (fanned.folder.path / "combined.csv").open(encoding="utf-8-sig") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["sample_id"] for row in rows] == [sample_name(n) for n in range(COUNT)]
    assert rows[0]["evidence"] == PLACE
    assert rows[21]["department"] == "'=Finance 21"


def test_the_results_are_read_from_their_files_in_each_pass(plain, fanned):
    assert isinstance(plain.results, tuple)
    assert isinstance(fanned.results, StoredResults)
    dumps = [[result.model_dump() for result in run.results] for run in (plain, fanned)]
    assert dumps[0] == dumps[1]
    assert len(fanned.results) == COUNT
    assert next(iter(fanned.results)) in fanned.results


def test_run_json_and_the_summary_say_the_same(plain, fanned):
    assert (
        fanned.record.results_out == plain.record.results_out == {"done": 190, "needs_review": 10}
    )

    def lines(run: FinishedRun) -> list[str]:
        found = summary_lines(run)
        own = ("evidence", "manifest", "open", "review")
        return [line for line in found if not line.startswith(own)]

    assert lines(fanned) == lines(plain)
    assert fanned.totals.to_review == plain.totals.to_review


def test_the_pages_lead_to_each_other(plain, fanned):
    page = (fanned.folder.path / "index.html").read_text("utf-8")
    assert f'<a href="{PLACE}/index.html">{ODD}</a>' in page
    sample_page = fanned.folder.path / PLACE / "index.html"
    assert '<a href="../../../index.html">Tickets</a>' in sample_page.read_text("utf-8")
    plain_page = (plain.folder.path / ODD / "index.html").read_text("utf-8")
    assert '<a href="../index.html">Tickets</a>' in plain_page
    readme = (fanned.folder.path / "README.txt").read_text("utf-8")
    assert "in samples/, and there in a folder" in readme
    assert "result.json" in readme
    assert "samples/" not in (plain.folder.path / "README.txt").read_text("utf-8")


def test_the_page_of_very_many_samples_has_those_to_look_at(fanned, monkeypatch):
    monkeypatch.setattr(run_content, "MAX_ROWS", 15)
    content = run_content.run_content(fanned)
    shown = [row["sample_id"] for row in content["rows"]]
    odd = [sample_name(n) for n in range(0, COUNT, simulated_run.ODD)]
    assert shown == sorted([*odd, *(sample_name(n) for n in range(1, 6))])
    assert content["number"] == 200


def test_what_was_not_run_takes_no_place_from_what_failed(monkeypatch):
    monkeypatch.setattr(run_content, "MAX_ROWS", 2)
    table, classes = run_content.SampleTable(), ("quiet", "quiet", "done", "failed")
    for css_class in classes:
        table.add({"kind": css_class, "css_class": css_class, "marks": []})
    assert [row["css_class"] for row in table.rows] == ["quiet", "failed"]
    assert table.kinds == {"quiet": 2, "done": 1, "failed": 1}


def test_the_manifest_is_in_order_and_sha256sum_reads_it(fanned):
    lines = (fanned.folder.path / MANIFEST).read_text().splitlines()
    names = [line.split("  ", 1)[1] for line in lines]
    assert names == sorted(names)
    assert not [name for name in names if name.endswith(".tmp")]
    assert f"{PLACE}/{MANIFEST}" in names
    for folder in (fanned.folder.path, fanned.folder.sample(ODD)):
        command = ["sha256sum", "--check", "--quiet", "--strict", MANIFEST]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_it_verifies_as_a_run_and_as_a_sample(plain, fanned):
    files = []
    for run in (plain, fanned):
        found = verify(run.folder.path)
        assert found.lines()[:-1] == [
            f"{run.folder.path}: {found.files} files, {COUNT} samples: as they were written"
        ]
        files.append(found.files)
        assert verify(run.folder.sample(ODD)).ok
    assert files[1] == files[0] + 1  # combined.xlsx


def test_the_workbook_leads_to_the_pages(fanned):
    book = openpyxl.load_workbook(fanned.folder.path / "combined.xlsx")
    for sheet in ("samples", "tags"):
        assert book[sheet]["A2"].hyperlink.target == f"{PLACE}/index.html"


def test_verify_names_what_was_changed_added_and_removed(copy):
    sample = copy / PLACE
    (sample / "action_log.json").write_text("[]\n")
    (sample / "a.txt").write_text("added")
    (sample / "pytest.json").unlink()
    faults = [str(fault) for fault in verify(copy).faults]
    assert f"{PLACE}/a.txt: is not in the manifest: it was added later" in faults
    assert f"{PLACE}/action_log.json: was changed after the manifest was written" in faults
    assert f"{PLACE}/pytest.json: is in the manifest and is missing" in faults
    assert f"{PLACE}/action_log.json: has 0 entries, and result.json counts 3" in faults
    assert f"combined.csv: test of {ODD} is not what {ODD}/result.json says" in faults


def test_verify_reads_a_manifest_in_any_order(copy):
    lines = (copy / MANIFEST).read_text().splitlines(keepends=True)
    (copy / MANIFEST).write_text("".join([lines[-1], *lines[:-1], lines[3], "nonsense\n"]))
    faults = [str(fault) for fault in verify(copy).faults]
    number, name = len(lines) + 1, lines[3].split("  ")[1].strip()
    assert faults == [
        f"{MANIFEST}: line {number + 1} does not have the form of sha256sum",
        f"{MANIFEST}: line {number} names {name} again",
    ]


def test_verify_names_a_sample_in_a_wrong_place(copy):
    (copy / PLACE).rename(copy / ODD)
    faults = [str(fault) for fault in verify(copy).faults]
    assert f"{ODD}/result.json: is not in {PLACE}, where run.json says it is" in faults


def test_a_resumed_session_and_the_commands_find_each_sample(plain, fanned):
    audit = audits.reopen(fanned.folder, resumed=True)
    assert audit.folder is not None
    assert intact_result(audit.folder, sample_name(1), "fail") is not None
    assert intact_result(audit.folder, ODD, "fail") is None  # it needs a review
    assert not compare(plain.folder, fanned.folder).differs(with_pictures=True)
    assert compare(plain.folder, fanned.folder).samples == COUNT
    found = fanned.folder.result(ODD)
    assert set(found.grounding) == set(simulated_run.SPEC["output_schema"])


def test_the_page_that_is_printed_is_the_samples(copy, monkeypatch):
    printed: list[Path] = []
    monkeypatch.setattr(
        print_page, "print_page", lambda settings, page, to, **_: printed.append(page)
    )
    done = CliRunner().invoke(app, ["report", str(copy), "--pdf", "--sample", ODD])
    assert done.exit_code == 0, done.output
    assert printed == [copy / PLACE / "index.html"]


def test_a_review_lies_beside_it(copy):
    review = Review(
        reviewer="Ada", time="2026-11-22T10:00:00Z", sample_id=ODD, subject="sample",
        field="status", decision="accepted", value="needs_review",
        result_sha256=sha256_of(copy / PLACE / "result.json"),
    )  # fmt: skip
    add_review(copy, review)
    assert list(read_reviews(copy).of_results(copy)) == [ODD]
    target = update_reviewed(RunFolder(copy))
    assert target is not None
    page = (target / PLACE / "index.html").read_text("utf-8")
    assert "accepted" in page
    assert '<a href="../../../index.html">' in page
    assert f'<a href="{PLACE}/index.html">' in (target / "index.html").read_text("utf-8")
    assert (target / PLACE / f"../../../../run_1/{PLACE}/result.json").resolve().is_file()
