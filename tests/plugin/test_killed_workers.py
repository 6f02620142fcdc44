"""A worker that dies before it begins a sample, or after it has ended one."""

from __future__ import annotations

import json

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.reports.verify.verify import verify

DIES_BETWEEN_SAMPLES = """
import os
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if "before" in item.name:
        os._exit(9)

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item):
    if "after" in item.name:
        os._exit(9)
"""


def test_a_worker_that_dies_between_samples_loses_none(audit_folder):
    audit_folder.samples("adam", "before", "after", "zoe")
    (audit_folder.path / "conftest.py").write_text(DIES_BETWEEN_SAMPLES)
    ran = audit_folder.audit("-n", "1", "--alluredir=allure")
    assert ran.counts() == {"passed": 3, "failed": 1}, ran.text
    assert {row["sample_id"]: row["status"] for row in audit_folder.combined()} == {
        "adam": "done", "before": "failed", "after": "done", "zoe": "done",
    }  # fmt: skip
    assert "was killed before its first step" in audit_folder.result("before")["reason"]
    tests = [json.loads(p.read_text()) for p in audit_folder.path.glob("allure/*-result.json")]
    assert sorted((test["name"], test["status"]) for test in tests) == [
        ("adam", "passed"), ("after", "passed"), ("before", "failed"), ("zoe", "passed"),
    ]  # fmt: skip
    assert verify(audit_folder.folder).faults == ()


def test_a_fanned_out_run_is_whole_after_a_kill_and_can_be_resumed(audit_folder):
    """Its samples' folders are no neighbours: whoever looks for one asks where it lies."""
    few = "from pytest_bwa.audit import audits\naudits.FAN_OUT_OVER = 3\n"
    audit_folder.samples("adam", "before", "after", "zoe")
    (audit_folder.path / "conftest.py").write_text(few + DIES_BETWEEN_SAMPLES)
    ran = audit_folder.audit("-n", "1", "--alluredir=allure", "--max-cost=1", "--policy=rules")
    assert ran.counts() == {"passed": 3, "failed": 1}, ran.text
    run = RunFolder(audit_folder.folder)
    assert run.record().fan_out
    places = {row["sample_id"]: row["evidence"] for row in audit_folder.combined()}
    assert places["zoe"].startswith("samples/")
    assert all((run.path / place / "index.html").is_file() for place in places.values())
    assert verify(run.path).faults == ()
    (audit_folder.path / "conftest.py").write_text("")  # the threshold of now says nothing
    began = {name: run.result(name).started_at for name in places}
    resumed = audit_folder.run("--resume", "latest")
    assert resumed.counts() == {"passed": 4}, resumed.text
    again = [name for name in places if run.result(name).started_at != began[name]]
    assert again == ["before"]
    assert [place.name for place in run.sample("before").parent.iterdir()] == ["before"]
    assert verify(run.path).faults == ()
