"""The pages that people hand over, made from records: what they say, and that they obey nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import Grounding, Judgment, SampleResult
from pytest_bwa.evidence.run_record import FileRecord, Origin, RunRecord
from pytest_bwa.reports.base import FinishedRun, FinishedSample
from pytest_bwa.reports.handover.report import write_run_page, write_sample_page
from pytest_bwa.reports.handover.sample_content import MAX_CROPS
from pytest_bwa.reports.handover.values import seen_values
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import SampleList
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Artifact, Usage

HOSTILE = "<script>document.title='gone'</script><img src=x onerror=alert(1)>\u202egnp"
TASK = TaskSpec(
    task_id="tickets", goal="Read the ticket.",
    output_schema={"owner": "string", "checks": "array"},
    judgment_question="Was it approved?", judgment_required=True,
)  # fmt: skip
SAMPLE = Sample("T-1", {"sample_id": "T-1", "team": HOSTILE, "xfail": "known"})


def artifact(name: str) -> Artifact:
    return Artifact(
        filename=name, sha256="ab" * 32, source_url="https://a.org/T-1",
        timestamp="2026-11-22T08:56:56.028Z", label="the ticket", step=1,
    )  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = RunFolder.create(tmp_path, "run_1")
    file = FileRecord(path="x.yaml", sha256="cd" * 32)
    record = RunRecord(
        run_id="run_1", task_id="tickets", policy="claude", model="m", spec=file, samples=file,
        started_at="2026-11-22T08:56:00Z", samples_in=2, versions={"python": "3.11"},
        origin=Origin(command_line=["--task", "x.yaml"], user="ada", host="desk"),
    )  # fmt: skip
    folder.write_inputs(record, {}, "")
    folder.sample("T-1").mkdir()
    Image.new("RGB", (800, 600), "#ffffff").save(folder.sample("T-1") / "01_page.png")
    return folder


def seen(**changes: Any) -> Grounding:
    fields = {
        "how": "verbatim", "url": "https://a.org/T-1", "text": f"Owner {HOSTILE}",
        "box": (100, 100, 50, 20), "artifact": "01_page.png",
    }  # fmt: skip
    return Grounding(**{**fields, **changes})


def result(**changes: Any) -> SampleResult:
    fields = {
        "sample_id": "T-1", "task_id": "tickets", "status": "needs_review", "outcome": "found",
        "reason": f"not sure: {HOSTILE}", "flagged": True, "policy": "claude", "model": "m",
        "extracted": {"owner": HOSTILE, "checks": [{"name": "lint", "ok": True}], "due": None},
        "grounding": {
            "owner": seen(contested=("Owner | bo",)),
            "checks": [{"name": seen(how="normalised", rule="case"), "ok": seen(how="unseen")}],
        },
        "judgment": Judgment(answer="inconclusive", confidence=0.5, reasoning=HOSTILE),
        "artifacts": [artifact("01_page.png"), artifact("downloads/a b.pdf")],
        "started_at": "2026-11-22T08:56:00Z", "finished_at": "2026-11-22T08:57:00Z",
        "usage": Usage(calls=2, cost_usd=0.0123),
    }  # fmt: skip
    return SampleResult(**{**fields, **changes})


def sample_page(run: RunFolder, found: SampleResult) -> str:
    write_sample_page(FinishedSample(TASK, SAMPLE, found, run, "x"))
    return (run.sample("T-1") / "index.html").read_text()


def test_the_page_of_a_sample_says_what_was_found_how_and_where(run):
    page = sample_page(run, result())
    for part in (
        "Read the ticket.", "needs_review", "flagged: to be looked at", "seen word for word",
        "seen in another form (case)", "not seen on any page", "checks[0].name", "Owner | bo",
        "https://a.org/T-1", "Was it approved?", "inconclusive", "2026-11-22 08:56:56.028 UTC",
        "ab" * 32, "01_page.framed.png", "downloads/a%20b.pdf", "ada on desk", "$0.0123",
        "python 3.11", "Signature",
    ):  # fmt: skip
        assert part in page, part
    assert re.search(r"due</td><td[^>]*>–</td>\s*<td><span class=\"quiet\">no value", page)
    assert page.count("data:image/webp;base64,") == 3
    framed = Image.open(run.sample("T-1") / "01_page.framed.png")
    assert framed.width == 800
    assert framed.height > 600
    assert "known" not in page


def test_no_text_of_a_page_or_a_model_is_obeyed(run):
    page = sample_page(run, result())
    assert "<script>" not in page
    assert "<img src=x" not in page
    assert "\u202e" not in page
    assert "\\u202e" in page
    assert page.count("&lt;script&gt;") >= 5
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_a_long_answer_has_a_bounded_number_of_crops_and_says_so(run):
    many = {"checks": [f"c{n}" for n in range(MAX_CROPS + 7)]}
    grounding = {"checks": [seen() for _ in many["checks"]]}
    page = sample_page(run, result(extracted=many, grounding=grounding, judgment=None))
    assert page.count("data:image/webp") == MAX_CROPS
    assert "7 more values are shown without their part of the picture" in page


def test_a_sample_without_any_picture_has_a_page(run):
    broken = result(status="failed", broken=True, artifacts=[], extracted={}, grounding={})
    page = sample_page(run, broken)
    assert "failed (broken)" in page
    assert "No field was asked for." in page
    (run.sample("T-1") / "01_page.png").write_bytes(b"no picture")
    assert 'src="01_page.png"' in sample_page(run, result()), "as it is, without a copy"


def test_the_page_of_a_run_has_a_row_for_each_sample_of_the_list(run):
    second = Sample("T-2", {"sample_id": "T-2"})
    finished = FinishedRun(
        run, run.record(), TASK, SampleList((SAMPLE, second), ("sample_id",), "", ""), (result(),)
    )
    write_run_page(finished)
    page = (run.path / "index.html").read_text()
    assert 'href="T-1/index.html"' in page
    assert 'href="T-2' not in page
    assert 'data-status="not_run"' in page
    assert 'data-marks="flagged inconclusive unsure known_bad"' in page
    assert "<b>2</b>samples" in page
    assert "<b>1</b>not run" in page
    assert "<b>1</b>inconclusive" in page
    assert "<b>1</b>needs review" in page
    assert "$0.01" in page
    assert "<img src=x" not in page
    assert page.count("<script>") == 1, "its own filter"
    assert "sha256sum -c" in (run.path / "README.txt").read_text()


def test_values_inside_arrays_and_objects_stand_one_by_one():
    extracted = {"a": [{"b": 1}, {"b": None}], "c": [], "d": {"e": "x"}}
    grounding = {"a": [{"b": seen(how="derived", rule="count")}]}
    found = [(v.field, v.text, v.how) for v in seen_values(extracted, grounding)]
    assert found == [
        ("a[0].b", "1", "follows from other values (count)"),
        ("a[1].b", "–", "no value"),
        ("c", "[]", "not recorded"),
        ("d.e", "x", "not recorded"),
    ]
