"""What the controller writes and reports for an item whose worker was killed."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.plan import Plan
from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.folder import LiveSample
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.plugin import xdist
from pytest_bwa.plugin.activation import SESSION
from pytest_bwa.plugin.lost_samples import of_killed_worker

SPEC = {"task_id": "hr", "goal": "Read it.", "output_schema": {"a": "string"}}
WHY = "its worker gw0 was killed"


@pytest.fixture
def audit(tmp_path: Path) -> Audit:
    (tmp_path / "spec.json").write_text(json.dumps(SPEC))
    (tmp_path / "samples.csv").write_text(
        "sample_id,url\nadam,https://x.org/\nzoe,https://x.org/\n"
    )
    plan = Plan(
        evidence=tmp_path, run_id="run_1", policy="rules", model="", task=tmp_path / "spec.json",
        samples=tmp_path / "samples.csv",
    )  # fmt: skip
    opened = audits.open_option_audit(plan, collect_only=False, ready=lambda task: None)
    assert opened is not None
    return opened


def lost(audit: Audit, item: str) -> SampleResult | None:
    assert audit.folder is not None
    return of_killed_worker([audit.folder], audit, f"test_audit.py::test_sample[{item}]", WHY)


def write_done(audit: Audit) -> None:
    assert audit.folder is not None
    audit.folder.sample("adam").mkdir()
    result = SampleResult(sample_id="adam", task_id="hr", status="done")
    write_json(audit.folder.sample("adam") / "result.json", result)


def test_a_sample_that_its_worker_never_began_has_a_result(audit):
    result = lost(audit, "adam")
    assert (result.status, result.broken) == ("failed", True)
    assert result.reason == f"{WHY} before its first step"
    assert audit.folder.result("adam").reason == result.reason


def test_a_sample_that_was_finished_before_keeps_its_result(audit):
    write_done(audit)
    assert lost(audit, "adam").status == "done"
    assert audit.folder.result("adam").status == "done"


def test_the_live_file_of_another_item_is_left_alone(audit):
    other = LiveSample(worker="gw1", sample_id="zoe", nodeid="test_audit.py::test_sample[zoe]")
    audit.folder.write_live(other)
    assert lost(audit, "adam").sample_id == "adam"
    assert [live.sample_id for live in audit.folder.live_samples()] == ["zoe"]
    assert audit.folder.result("zoe") is None


def test_nothing_is_written_for_an_item_that_is_no_sample(audit):
    assert lost(audit, "chromium-adam") is None
    assert lost(audit, "bob") is None
    assert list(audit.folder.results()) == []


@pytest.mark.parametrize("is_reported", [True, False])
@pytest.mark.parametrize("is_done", [True, False])
def test_pytest_counts_the_item_once_and_as_its_result_says(audit, is_done, is_reported):
    if is_done:
        write_done(audit)
    reported = []
    session = SimpleNamespace(
        audit=audit,
        recover_lost_sample=lambda item, why: of_killed_worker([audit.folder], audit, item, why),
        report_lost_sample=lambda item, result: reported.append(result.sample_id),
    )
    option = SimpleNamespace(dist="load", maxschedchunk=None)
    controller = xdist.Controller(SimpleNamespace(stash={SESSION: session}, option=option))
    node = SimpleNamespace(gateway=SimpleNamespace(id="gw0"))
    report = SimpleNamespace(node=node, outcome="failed", when="???", longrepr="crashed")
    item = "t.py::test_sample[adam]"
    if is_reported:
        controller.pytest_runtest_logreport(SimpleNamespace(nodeid=item, when="call"))
    controller.pytest_handlecrashitem(item, report)
    if is_reported:  # pytest counts only failures of a teardown
        assert (report.outcome, report.when) == ("passed", "teardown")
    elif is_done:
        assert (report.outcome, report.when) == ("passed", "call")
    else:
        assert (report.outcome, report.when) == ("failed", "???")
        assert "its worker gw0 was killed before its first step" in report.longrepr
    assert reported == ["adam"]


@pytest.mark.parametrize(
    ("given", "task", "expected"),
    [(None, "spec.json", "100"), ("3", "spec.json", "3"), (None, None, None)],
)
def test_many_killed_workers_are_replaced_in_an_audit(given, task, expected):
    config = SimpleNamespace(
        option=SimpleNamespace(maxworkerrestart=given),
        getoption=lambda name: task if name == "bwa_task" else None,
        getini=lambda name: None,
    )
    xdist.replace_killed_workers(config)
    assert config.option.maxworkerrestart == expected
