"""A run that was killed at any write can be resumed, and then verifies."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from plans import opened, plan_in
from unit.reports.verify.conftest import SPEC, write_sample

from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.salvage import intact_result
from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.folder import LiveSample
from pytest_bwa.plugin.lost_samples import write_results
from pytest_bwa.reports.base import ReportContext
from pytest_bwa.reports.registry import Reports
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.steps.step import utc_now

KILLED, ENDED = 9, 0
MAX_WRITES = 400
CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"}
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is killed by a fork")


def run_session(folder: Path, *, resume: bool) -> Audit:
    """A whole session over one sample, with the functions that a real one calls."""
    audit = opened(plan_in(folder, resume="run_1" if resume else None))
    run = audit.folder
    assert run is not None
    write_results(run, "the run was killed")
    if intact_result(run, "adam", "fail") is None:
        live = LiveSample(worker="main", sample_id="adam", nodeid="t", started_at=utc_now())
        run.write_live(live)
        write_sample(run, "adam", folder / "download")
        run.remove_live("main")
    reports = Reports(ReportContext())
    ended = (finish_run(run, 0, ""),)
    reports.run_finished(ended)
    reports.seal(ended)
    assert reports.problems == []
    return audit


def is_killed_at(write: int, folder: Path) -> bool:
    """Run a session in a process that dies right before its n-th change of its
    evidence; whether it got that far."""
    child = os.fork()
    if not child:
        try:
            _die_before(write, str(folder / "evidence"))
            run_session(folder, resume=False)
            os._exit(ENDED)
        except BaseException:  # noqa: BLE001 - the child must never return into pytest
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (KILLED, ENDED)
    return status == KILLED


def _die_before(write: int, folder: str) -> None:
    count = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal count
        if event != "open" and event not in CHANGES:
            return
        if event == "open" and not int(arguments[2]) & (os.O_WRONLY | os.O_RDWR):  # type: ignore[call-overload]
            return
        if isinstance(arguments[0], str | Path) and str(arguments[0]).startswith(folder):
            count += 1
            if count == write:
                os._exit(KILLED)  # like SIGKILL: nothing is flushed and nothing is cleaned up

    sys.addaudithook(hook)


def killed_runs(folder: Path) -> Iterator[tuple[int, Path]]:
    """A folder for each write of a session, killed there."""
    for write in range(1, MAX_WRITES):
        place = folder / str(write)
        place.mkdir()
        (place / "spec.json").write_text(json.dumps(SPEC))
        (place / "samples.csv").write_text("sample_id,url\nadam,https://x.org/\n")
        if not is_killed_at(write, place):
            return
        yield write, place
    raise AssertionError("the session never ended")


def test_a_run_that_was_killed_at_any_write_is_resumed_and_verifies(tmp_path):
    unstarted, resumed = [], 0
    for write, folder in killed_runs(tmp_path):
        try:
            audit = run_session(folder, resume=True)
        except (EvidenceError, InputError):
            unstarted.append(write)
            continue
        resumed += 1
        run = audit.folder
        assert run is not None
        found = verify(run.path)
        assert found.faults == (), f"killed at write {write}"
        result = run.result("adam")
        assert result is not None
        assert result.status == "done", f"killed at write {write}"
        half = [p for p in run.path.rglob("*") if p.name.endswith(".tmp")]
        assert half == [], f"killed at write {write}"
    # Before run.json there is no run that could be resumed, and no evidence that could be lost.
    assert unstarted == list(range(1, len(unstarted) + 1))
    assert len(unstarted) < 15
    assert resumed > 40
