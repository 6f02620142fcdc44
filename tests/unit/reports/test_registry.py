"""Every registered report is called, whatever the others do. No browser is needed."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from unit.evidence.trajectory.recorded import record_sample

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.files import sha256_of, write_json
from pytest_bwa.evidence.folder import PAGE, LiveSample, RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import FileRecord, ResumedSession, RunRecord
from pytest_bwa.reports import registry
from pytest_bwa.reports.base import FinishedRun, FinishedSample, Report, ReportContext, Terminal
from pytest_bwa.reports.registry import Reports
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Usage, utc_now

TASK = TaskSpec.model_validate(
    {"task_id": "hr", "goal": "Read the record.", "output_schema": {"department": "string"}}
)
SAMPLES = "sample_id,team\nadam,red\ngone,blue\nlater,red\n"


class Recorder(Report):
    """A made-up report that notes its calls."""

    name = "recorder"

    def __init__(self, context: ReportContext) -> None:
        super().__init__(context)
        self.calls: list[str] = []
        self.runs: tuple[FinishedRun, ...] = ()

    def sample_finished(self, finished: FinishedSample) -> None:
        self.calls.append(f"finished {finished.result.sample_id}")

    def sample_lost(self, finished: FinishedSample) -> None:
        self.calls.append(f"lost {finished.result.sample_id}")

    def run_finished(self, runs: tuple[FinishedRun, ...]) -> None:
        self.calls.append("run finished")
        self.runs = runs


class Failing(Report):
    """A made-up report whose disk is full."""

    name = "failing"

    def sample_finished(self, finished: FinishedSample) -> None:
        raise EvidenceError("cannot write x: No space left on device")

    sample_lost = sample_finished

    def run_finished(self, runs: tuple[FinishedRun, ...]) -> None:
        raise ValueError("a defect")

    def write_terminal_summary(self, terminal: Terminal) -> None:
        raise ValueError("another defect")


class FakeTerminal:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.red: list[str] = []

    def write_sep(self, sep: str, title: str) -> None:
        self.lines.append(title)

    def write_line(self, line: str, **markup: bool) -> None:
        (self.red if markup.get("red") else self.lines).append(line)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """A run of three samples, two of which have a result."""
    folder = RunFolder.create(tmp_path, "run_x")
    source = tmp_path / "samples.csv"
    source.write_text(SAMPLES)
    file = FileRecord(path=str(source), sha256=sha256_of(source))
    record = RunRecord(
        run_id="run_x", task_id="hr", policy="rules", spec=file, samples=file,
        started_at=utc_now(), samples_in=3,
    )  # fmt: skip
    folder.write_inputs(record, TASK.model_dump(mode="json"), SAMPLES)
    for result in (a_result("gone", "failed", steps=2), a_result("adam", "done", steps=3)):
        folder.sample(result.sample_id).mkdir()
        write_json(folder.sample(result.sample_id) / "result.json", result)
    return folder


def a_result(sample_id: str, status: Any, steps: int = 1, **values: Any) -> SampleResult:
    return SampleResult(
        sample_id=sample_id, task_id="hr", status=status, steps=steps, **values,
        reason="" if status == "done" else "no such page",
        usage=Usage(calls=1, cost_usd=0.5), started_at=utc_now(), finished_at=utc_now(),
    )  # fmt: skip


def finished(run: RunFolder, sample_id: str = "adam") -> FinishedSample:
    result = run.result(sample_id)
    assert result is not None
    return FinishedSample(
        TASK, Sample(sample_id, {"sample_id": sample_id}), result, run, f"test_a.py::t[{sample_id}]"
    )


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """A recorder that is registered last, after a report that fails."""
    report = Recorder(ReportContext())
    reports = [Failing, *registry.REPORTS, lambda context: report]
    monkeypatch.setattr(registry, "REPORTS", reports)
    return report


def test_a_registered_report_is_called_although_another_one_fails(
    run: RunFolder, recorder: Recorder
) -> None:
    reports = Reports(ReportContext())
    sample = finished(run)
    with pytest.raises(EvidenceError, match="No space left"):
        reports.sample_finished(sample)
    reports.tell(lambda report: report.sample_lost(finished(run, "gone")))
    reports.run_finished((finish_run(run, 1, ""),))
    assert recorder.calls == ["finished adam", "lost gone", "run finished"]
    assert ("bwa_status", "done") in sample.properties
    terminal = FakeTerminal()
    reports.write_terminal_summary(terminal)
    assert terminal.red == [
        "bwa: failing: cannot write x: No space left on device",
        "bwa: failing: ValueError: a defect",
        "bwa: failing: ValueError: another defect",
    ]
    assert terminal.lines[0] == "audit hr"


def test_a_shell_takes_the_path_to_resume_as_one_word(run: RunFolder) -> None:
    run.path.rename(moved := run.path.with_name("run; rm -r $HOME"))
    reports, terminal = Reports(ReportContext()), FakeTerminal()
    reports.run_finished((finish_run(RunFolder(moved), 2, ""),))
    reports.write_terminal_summary(terminal)
    (line,) = [line for line in terminal.lines if "--resume=" in line]
    (path,) = [w[9:] for w in shlex.split(line) if w.startswith("--resume=")]
    assert path.endswith("run; rm -r $HOME")


def test_the_end_of_a_run_is_counted_and_shown(run: RunFolder) -> None:
    run.write_live(LiveSample(worker="gw0", sample_id="later", nodeid="t"))
    ended = finish_run(run, 2, "")
    assert ended.record == run.record()
    assert ended.record.results_out == {"done": 1, "failed": 1}
    assert (ended.record.not_run, ended.record.exit_reason) == (1, "interrupted")
    assert (ended.totals.steps, ended.usage.calls, ended.usage.cost_usd) == (5, 2, 1.0)
    assert run.live_samples() == []
    reports, terminal = Reports(ReportContext()), FakeTerminal()
    reports.run_finished((ended,))
    reports.write_terminal_summary(terminal)
    assert terminal.red == []
    text = "\n".join(terminal.lines)
    assert "samples   3: 1 done, 1 failed, 1 not run" in text
    assert "gone: no such page" in text
    assert "--resume=" in text
    rows = list(csv.DictReader((run.path / "combined.csv").read_text("utf-8-sig").splitlines()))
    assert [(row["sample_id"], row["team"]) for row in rows] == [("adam", "red"), ("gone", "blue")]


def test_a_trajectory_that_cannot_be_joined_is_one_red_line(run: RunFolder) -> None:
    (run.path / "trajectory.db").write_bytes(b"no database " * 500)
    record_sample(run.path / ".live", "adam")
    ended = finish_run(run, 0, "")
    assert ended.record.exit_reason == "some failed", "whatever pytest's exit status is"
    reports, terminal = Reports(ReportContext()), FakeTerminal()
    reports.run_finished((ended,))
    reports.write_terminal_summary(terminal)
    (line,) = terminal.red
    assert line.startswith("bwa: trajectory.db could not be written (file is not a database)")
    assert (run.path / "trajectory-gw0.db").exists(), "nothing is lost"


def summary(run: RunFolder) -> str:
    reports, terminal = Reports(ReportContext()), FakeTerminal()
    reports.run_finished((finish_run(run, 0, ""),))
    reports.write_terminal_summary(terminal)
    return "\n".join(terminal.lines)


def test_what_is_not_found_is_named_and_counts_as_the_latest_session_takes_it(
    run: RunFolder,
) -> None:
    missing = a_result("gone", "failed", outcome="not_found")
    write_json(run.sample("gone") / "result.json", missing)
    failed = summary(run)
    assert "samples   3: 1 done, 1 failed, 1 not run" in failed
    assert '<span class="failed">not found</span>' in (run.path / PAGE).read_text()
    assert re.search(r"not found +gone: no such page", failed)
    resumed = ResumedSession(time=utc_now(), policy="rules", max_steps=9, not_found="pass")
    run.update(resumed=[resumed])
    passed = summary(run)
    assert "samples   3: 1 done, 1 not found, 1 not run" in passed
    assert "not found gone (taken as a pass)" in passed
    assert "no such page" not in passed
    assert '<span class="done">not found, accepted</span>' in (run.path / PAGE).read_text()
    assert run.record().results_out == {"done": 1, "failed": 1}
    rows = list(csv.DictReader((run.path / "combined.csv").read_text("utf-8-sig").splitlines()))
    assert [row["outcome"] for row in rows] == ["other", "not_found"]


def test_a_known_bad_sample_that_is_not_found_stays_an_expected_failure(run: RunFolder) -> None:
    write_json(run.path / "task_spec.json", TASK.model_copy(update={"xfail": {"gone": "old"}}))
    write_json(run.sample("gone") / "result.json", a_result("gone", "failed", outcome="not_found"))
    run.update(not_found="pass")
    assert "1 done, 1 known bad, 1 not run" in summary(run)


def test_text_of_a_page_is_shown_in_the_terminal_and_not_obeyed(run: RunFolder) -> None:
    result = a_result("gone", "failed").model_copy(update={"reason": "says\n\x1b[2J\u202eend"})
    write_json(run.sample("gone") / "result.json", result)
    ended = finish_run(run, 2, "")
    reports, terminal = Reports(ReportContext()), FakeTerminal()
    reports.run_finished((ended,))
    reports.problems.append("allure: \x1b[31mfailed")
    reports.write_terminal_summary(terminal)
    assert any(line.endswith(r"gone: says \x1b[2J\u202eend") for line in terminal.lines)
    assert terminal.red == [r"bwa: allure: \x1b[31mfailed"]
    assert result.failure_message() == "gone: failed: says\n" + r"\x1b[2J\u202eend"


def test_a_run_json_that_cannot_be_written_keeps_no_report_from_being_made(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: RunFolder, **__: object) -> RunRecord:
        raise EvidenceError("cannot write run.json: No space left on device")

    monkeypatch.setattr(RunFolder, "update", full)
    reports, terminal = Reports(ReportContext()), FakeTerminal()
    reports.run_finished((finish_run(run, 0, ""),))
    reports.write_terminal_summary(terminal)
    assert terminal.red == ["bwa: cannot write run.json: No space left on device"]
    assert (run.path / "combined.csv").exists()
    assert "samples   3: 1 done, 1 failed, 1 not run" in terminal.lines


def test_a_lost_sample_is_written_to_the_allure_results(run: RunFolder, tmp_path: Path) -> None:
    folder = tmp_path / "allure"
    folder.mkdir()
    reports = Reports(ReportContext(allure_folder=folder))
    reports.tell(lambda report: report.sample_lost(finished(run, "gone")))
    reports.run_finished((finish_run(run, 1, ""),))
    reports.seal((finish_run(run, 1, ""),))
    (path,) = folder.glob("*-result.json")
    test = json.loads(path.read_text())
    assert (test["name"], test["status"]) == ("gone", "failed")
    assert "policy=rules" in (folder / "environment.properties").read_text()
    assert reports.problems == []
