"""The result that the controller writes for a sample whose worker was killed."""

from __future__ import annotations

import pytest

from pytest_bwa.audit.salvage import intact_result, result_of_lost_worker
from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.folder import LiveSample, RunFolder
from pytest_bwa.evidence.record import Checkpoint, SampleResult
from pytest_bwa.steps.step import Usage


def test_the_result_of_a_lost_worker_has_all_that_the_sample_had_spent(tmp_path):
    folder = RunFolder.create(tmp_path, "run_1")
    spent = Usage(input_tokens=900, output_tokens=70, cache_read=30, calls=4, cost_usd=0.25)
    folder.write_live(
        LiveSample(worker="gw0", sample_id="adam", nodeid="t", started_at="2026", usage=spent)
    )
    (live,) = folder.live_samples()
    result_of_lost_worker(folder, live, "hr", "its worker gw0 was killed")
    written = folder.result("adam")
    assert written is not None
    assert written.usage == spent


def test_a_sample_keeps_its_result_if_its_worker_is_killed_while_it_is_checked(tmp_path):
    folder = RunFolder.create(tmp_path, "run_1")
    folder.sample("adam").mkdir()
    done = SampleResult(task_id="hr", sample_id="adam", status="done", started_at="2026-01")
    write_json(folder.sample("adam") / "result.json", done)
    live = LiveSample(worker="gw0", sample_id="adam", nodeid="t", started_at="2026-02")
    checked = live.model_copy(update={"is_check": True})
    assert result_of_lost_worker(folder, checked, "hr", "killed").status == "done"
    assert result_of_lost_worker(folder, live, "hr", "killed").status == "failed"


@pytest.mark.parametrize(
    ("saved", "status", "outcome"),
    [({"name": "Ann"}, "partial_success", "found"), ({"name": None}, "failed", "other")],
)
def test_the_result_of_a_lost_worker_is_broken_and_says_what_was_found(
    tmp_path, saved, status, outcome
):
    folder = RunFolder.create(tmp_path, "run_1")
    folder.write_live(LiveSample(worker="gw0", sample_id="adam", nodeid="t", started_at="2026"))
    folder.sample("adam").mkdir()
    checkpoint = Checkpoint(sample_id="adam", step=2, max_steps=9, accumulated_data=saved)
    write_json(folder.sample("adam") / "checkpoint.json", checkpoint)
    (live,) = folder.live_samples()
    result = result_of_lost_worker(folder, live, "hr", "its worker gw0 was killed")
    assert (result.status, result.outcome, result.broken) == (status, outcome, True)


@pytest.mark.parametrize(
    ("live", "moment"),
    [
        ({}, "before its first step"),
        ({"state": "PERCEIVING"}, "before its first step"),
        ({"state": "EXECUTING"}, "while its page was being opened"),
        ({"action": "goto", "state": "PERCEIVING"}, "after step 0 (goto)"),
        ({"action": "goto", "state": "PLANNING"}, "after step 0 (goto), while step 1 was decided"),
        ({"step": 3, "action": "click", "state": "EXECUTING"}, "after step 3 (click)"),
        (
            {"step": 3, "action": "click", "state": "PLANNING"},
            "after step 3 (click), while step 4 was decided",
        ),
    ],
)
def test_the_result_of_a_lost_worker_says_how_far_it_was(tmp_path, live, moment):
    folder = RunFolder.create(tmp_path, "run_1")
    sample = LiveSample(worker="gw0", sample_id="adam", nodeid="t", started_at="2026", **live)
    assert (
        result_of_lost_worker(folder, sample, "hr", "it stopped").reason == f"it stopped {moment}"
    )


def test_a_result_that_was_written_before_the_worker_died_is_the_result(tmp_path):
    """It has a folder, without which no report would get it."""
    folder = RunFolder.create(tmp_path, "run_1")
    folder.sample("adam").mkdir()
    written = SampleResult(sample_id="adam", task_id="hr", status="done", started_at="2026")
    write_json(folder.sample("adam") / "result.json", written)
    live = LiveSample(worker="gw0", sample_id="adam", nodeid="t", started_at="2026")
    result = result_of_lost_worker(folder, live, "hr", "its worker gw0 was killed")
    assert (result.status, result.folder) == ("done", folder.sample("adam"))


@pytest.mark.parametrize(
    ("outcome", "rule", "is_kept"),
    [("not_found", "pass", True), ("not_found", "fail", False), ("other", "pass", False)],
)
def test_a_result_that_passes_as_not_found_is_not_made_again(tmp_path, outcome, rule, is_kept):
    folder = RunFolder.create(tmp_path, "run_1")
    folder.sample("gone").mkdir()
    result = SampleResult(sample_id="gone", task_id="hr", status="failed", outcome=outcome)
    write_json(folder.sample("gone") / "result.json", result)
    assert (intact_result(folder, "gone", rule) is not None) is is_kept
