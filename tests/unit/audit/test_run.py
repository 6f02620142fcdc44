"""A sample whose page cannot even be opened: no browser is needed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from unit.evidence.trajectory.recorded import recorder, result, step

from pytest_bwa.agent.outcome import Outcome
from pytest_bwa.audit import audits, run
from pytest_bwa.audit.composition import WorkerContext, find_similar
from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.run import SampleRun, run_sample
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.evidence.trajectory.merge import merge_parts
from pytest_bwa.evidence.trajectory.reader import TrajectoryReader
from pytest_bwa.settings import read_settings
from pytest_bwa.steps.step import Observation, Usage

SPEC = {"task_id": "hr", "goal": "Read it.", "output_schema": {"a": "string"}}


@pytest.fixture
def worker(tmp_path: Path) -> WorkerContext:
    (tmp_path / "spec.json").write_text(json.dumps(SPEC))
    plan = Plan(
        evidence=tmp_path, run_id="run_1", policy="rules", model="", task=tmp_path / "spec.json",
        url="https://x.org/",
    )  # fmt: skip
    audit = audits.open_option_audit(plan, collect_only=False, ready=lambda task: None)
    assert audit is not None
    policy: Any = SimpleNamespace(name="rules", model="")
    watchdog = Watchdog(lambda: False, lambda: False)
    return WorkerContext(audit, policy, read_settings(), watchdog, "main")


def failed_sample(worker: WorkerContext, *, blocked: bool) -> tuple[str, Path]:
    """The reason of a sample whose page raises an error, and its folder."""
    sample_id = worker.audit.samples.samples[0].sample_id
    folder = worker.folder.sample(sample_id)

    def open_page() -> NoReturn:
        if blocked:
            (folder / "error.txt").mkdir()
        raise ValueError("the real reason \ud800")

    result = run_sample(worker, sample_id, "t", open_page)
    assert result.status == "failed"
    assert worker.folder.result(sample_id) is not None
    return result.reason, folder


def test_the_traceback_of_an_unexpected_error_is_kept(worker):
    reason, folder = failed_sample(worker, blocked=False)
    assert reason.startswith("ValueError: the real reason")
    assert "ValueError: the real reason" in (folder / "error.txt").read_text()


def test_a_traceback_that_cannot_be_written_does_not_hide_the_reason(worker):
    reason, folder = failed_sample(worker, blocked=True)
    assert reason.startswith("ValueError: the real reason")
    names = {path.name for path in folder.iterdir()}
    assert names == {"error.txt", "result.json"}, "no temporary file is left"


def test_a_live_file_that_cannot_be_written_fails_the_sample_with_that_reason(worker):
    sample_id = worker.audit.samples.samples[0].sample_id
    (worker.folder.path / ".live").write_text("in the way")
    result = run_sample(worker, sample_id, "t", lambda: pytest.fail("no page is opened"))
    assert result.reason.startswith("cannot write")


@pytest.mark.parametrize("is_wanted", [True, False])
def test_a_trajectory_is_kept_but_for_checks(worker, is_wanted):
    worker = replace(worker, keeps_trajectory=is_wanted)
    failed_sample(worker, blocked=False)
    assert (worker.folder.path / ".live/trajectory-main.db").exists() is is_wanted
    assert merge_parts(worker.folder.path, worker.folder.path / ".live", []) == []
    if is_wanted:
        (sample,) = TrajectoryReader(worker.folder.path, worker.folder.path / ".live").samples()
        assert (sample.task_id, sample.status) == ("hr", "failed")
        assert sample.reason.startswith("ValueError: the real reason")


def test_similar_samples_are_looked_for_only_if_the_settings_want_them(worker):
    earlier = worker.folder.path.parent / "run_0"
    earlier.mkdir()
    task, sample = worker.audit.task, worker.audit.samples.samples[0]
    done = recorder(earlier / ".live", sample.sample_id, task=task)
    here = Observation(url="https://x.org/", title="Staff")
    done.add_step(step(0, "goto", intent="open_sample", params={"url": here.url}), here, here, None)
    done.finish(result(sample.sample_id))
    assert merge_parts(earlier, earlier / ".live", []) == []
    wanted = replace(worker, settings=worker.settings.model_copy(update={"exemplars": 2}))
    model: Any = SimpleNamespace(name="claude", model="claude-test")
    assert find_similar(replace(worker, policy=model), task, sample) == ()
    assert find_similar(wanted, task, sample) == (), "rules decide without a prompt"
    assert find_similar(replace(wanted, policy=model), task, sample) == (
        "- goto url=https://x.org/",
    )


def test_an_interrupt_while_memory_learns_costs_no_result(worker, monkeypatch):
    log = SimpleNamespace(
        checkpoint=lambda status: None,
        usage=Usage(),
        step=1,
        picture_texts=[],
        tried_forbidden=False,
    )
    loop = SimpleNamespace(
        decider=SimpleNamespace(policy=None),
        run=lambda url: Outcome("failed", "it is not there"),
        step_log=log,
        progress=SimpleNamespace(collected={}, notes=[]),
        pictures=SimpleNamespace(ground=lambda extracted: {}),
    )

    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "make_loop", lambda *_, **__: loop)
    monkeypatch.setattr(SampleRun, "_learn", interrupt)
    sample_id = worker.audit.samples.samples[0].sample_id
    with pytest.raises(KeyboardInterrupt):
        run_sample(worker, sample_id, "t", lambda: None)
    assert worker.folder.result(sample_id).reason == "it is not there"
