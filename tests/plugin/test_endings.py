"""However a run ends, the evidence of every sample is complete and every report shows it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import signal
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from audit_folder import FinishedRun, wait_until
from wire.messages_server import Answer, MessagesServer, Request, tool_use

from pytest_bwa.evidence.trajectory.reader import TrajectoryReader
from pytest_bwa.reports.verify.verify import verify

HANGING = """<h1>Hanging</h1><p>Text</p><script>
addEventListener("load", () => setTimeout(() => { while (true) {} }, 50))</script>"""


PIDS = """
import os
from pathlib import Path

def pytest_configure(config):
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker:
        Path(f"{worker}.pid").write_text(str(os.getpid()))
"""


def await_file(path: Path) -> None:
    wait_until(path.exists, f"{path} did not appear")


def await_requests(audit_folder: Any, *paths: str) -> None:
    wait_until(lambda: set(paths) <= set(audit_folder.site.requests), f"{paths} were not requested")


def allure_tests(folder: Path) -> dict[str, Any]:
    tests = [json.loads(p.read_text()) for p in folder.glob("*-result.json")]
    return {test["name"]: test for test in tests}


def test_a_killed_worker_fails_one_sample_and_is_named(audit_folder):
    """The worker that runs ``dies`` is killed after the page was requested."""
    audit_folder.samples("adam", "dies", "zoe", "mary")
    audit_folder.site.pages["/dies"] = HANGING
    (audit_folder.path / "conftest.py").write_text(PIDS)
    process = audit_folder.start(
        "--task=spec.json", "--samples=samples.csv", "-n", "2", "--alluredir=allure",
        BWA_ACTION_TIMEOUT="120",
    )  # fmt: skip
    try:
        killed = kill_worker_of(process, audit_folder, "dies")
        text, _ = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 1, text
    assert f"worker {killed} was killed" in text
    assert audit_folder.result("dies")["status"] == "failed"
    assert {row["sample_id"]: row["status"] for row in audit_folder.combined()} == {
        "adam": "done", "dies": "failed", "mary": "done", "zoe": "done",
    }  # fmt: skip
    tests = allure_tests(audit_folder.path / "allure")
    assert set(tests) == {"adam", "dies", "mary", "zoe"}
    assert tests["dies"]["status"] == "failed"
    assert "was killed" in tests["dies"]["statusDetails"]["message"]
    assert tests["dies"]["fullName"] == tests["adam"]["fullName"]
    assert verify(audit_folder.folder).faults == ()


def test_what_a_killed_worker_spent_is_in_its_result_and_in_the_totals(audit_folder):
    """The worker is killed while it waits for the second decision."""
    audit_folder.samples("dies")
    (audit_folder.path / "conftest.py").write_text(PIDS)
    is_killed = threading.Event()

    def script(request: Request) -> Answer:
        if len(server.requests) > 1:
            is_killed.wait(60)
        return tool_use("save_progress", extracted={"department": "Finance"})

    with MessagesServer(script) as server:
        process = audit_folder.start(
            "--task=spec.json", "--samples=samples.csv", "-n", "1", "--run-id=run_it",
            ANTHROPIC_BASE_URL=server.url,
        )  # fmt: skip
        try:
            wait_until(lambda: len(server.requests) == 2, "no second decision was asked for")
            kill_worker_of(process, audit_folder, "dies")
            is_killed.set()
            text, _ = process.communicate(timeout=300)
        finally:
            is_killed.set()
            process.kill()
    usage = audit_folder.result("dies")["usage"]
    assert (usage["calls"], usage["input_tokens"], usage["output_tokens"]) == (1, 1000, 200)
    assert usage["cost_usd"] > 0
    assert "model     1 calls of" in text
    # What the worker had written of its trajectory is kept, and says how the sample ended.
    reader = TrajectoryReader(audit_folder.folder, audit_folder.folder)
    sample = reader.sample("dies")
    assert (sample.status, sample.policy) == ("partial_success", "claude")
    last = reader.steps(sample)[-1]
    assert (last.record["action"], last.decision is None) == ("save_progress", False)


def kill_worker_of(process: Any, audit_folder: Any, sample_id: str) -> str:
    """Kill the worker that is running ``sample_id``; return its name."""
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline:
        for path in audit_folder.path.glob("evidence/run_*/.live/gw*.json"):
            try:
                live = json.loads(path.read_text())
            except FileNotFoundError:  # the worker has finished that sample since
                continue
            if live["sample_id"] == sample_id and f"/{sample_id}" in audit_folder.site.requests:
                psutil.Process(
                    int((audit_folder.path / f"{live['worker']}.pid").read_text())
                ).kill()
                return str(live["worker"])
        time.sleep(0.02)
    raise AssertionError("no worker ran the sample")


def test_after_ctrl_c_the_evidence_is_complete_and_the_run_can_be_resumed(audit_folder):
    audit_folder.samples("adam", "stuck", "zoe")
    audit_folder.site.pages["/stuck"] = HANGING
    process = audit_folder.start("--task=spec.json", "--samples=samples.csv", "--run-id=run_it")
    folder = audit_folder.path / "evidence/run_it"
    await_file(folder / "adam/result.json")
    await_requests(audit_folder, "/stuck")
    os.killpg(process.pid, signal.SIGINT)
    text, _ = process.communicate(timeout=300)
    assert process.returncode == 2, text
    assert (folder / "combined.csv").read_text().count("\n") >= 2
    assert "--resume=" in text
    for path in folder.glob("*/*.json"):
        json.loads(path.read_text())
    assert verify(folder).faults == ()
    # The page works again: only the sample that was not done is run.
    audit_folder.site.pages.pop("/stuck")
    audit_folder.samples("adam", "stuck", "zoe")
    audit_folder.site.requests.clear()
    ran = audit_folder.audit("--resume=run_it")
    assert ran.counts() == {"passed": 3}, ran.text
    assert "/adam" not in audit_folder.site.requests
    assert {r["status"] for r in audit_folder.combined()} == {"done"}
    assert verify(folder).faults == ()


def test_sigterm_ends_a_run_like_ctrl_c_and_leaves_no_browser(audit_folder):
    """Like a CI system or a container: only the controller gets the signal."""
    audit_folder.samples("adam", "stuck", "jammed")
    audit_folder.site.pages |= {"/stuck": HANGING, "/jammed": HANGING}
    process = audit_folder.start(
        "--task=spec.json", "--samples=samples.csv", "--run-id=run_it", "-n", "2"
    )
    folder = audit_folder.path / "evidence/run_it"
    await_file(folder / "adam/result.json")
    await_requests(audit_folder, "/stuck", "/jammed")
    family = psutil.Process(process.pid).children(recursive=True)
    process.terminate()
    text, _ = process.communicate(timeout=300)
    assert process.returncode == 2, text
    assert {row["sample_id"]: row["status"] for row in audit_folder.combined()} == {
        "adam": "done", "stuck": "failed", "jammed": "failed",
    }  # fmt: skip
    opening = "the run was interrupted while its page was being opened"
    assert audit_folder.result("stuck")["reason"] == opening
    _, alive = psutil.wait_procs(family, timeout=100)
    assert [p for p in alive if p.status() != psutil.STATUS_ZOMBIE] == []


def test_resume_checks_the_hashes_and_refuses_other_input(audit_folder):
    audit_folder.samples("adam", "zoe")
    assert audit_folder.audit("--alluredir=allure").status == 0
    picture = audit_folder.folder / "adam" / audit_folder.result("adam")["artifacts"][0]["filename"]
    recorded = audit_folder.result("adam")["artifacts"][0]["sha256"]
    assert hashlib.sha256(picture.read_bytes()).hexdigest() == recorded
    picture.write_bytes(picture.read_bytes() + b"x")
    audit_folder.site.requests.clear()
    ran = audit_folder.audit("--resume", "--alluredir=again")
    assert ran.counts() == {"passed": 2}
    assert "/zoe" not in audit_folder.site.requests
    assert "/adam" in audit_folder.site.requests
    assert (audit_folder.folder / "adam/attempts/1/result.json").exists()
    assert set(allure_tests(audit_folder.path / "again")) == {"adam", "zoe"}
    audit_folder.spec(goal="Something else")
    ran = audit_folder.audit("--resume")
    assert ran.status == 4
    assert "the spec changed in goal" in ran.text
    audit_folder.spec()
    audit_folder.samples("adam", "zoe", "new")
    ran = audit_folder.audit("--resume")
    assert ran.status == 4
    assert "1 added (new)" in ran.text


def test_a_resumed_session_has_its_own_steps_policy_and_model(audit_folder):
    audit_folder.samples("gone")
    audit_folder.audit("--max-steps=1")
    assert audit_folder.result("gone")["status"] == "failed"
    with MessagesServer([tool_use("fail", note="no script")]) as server:
        chosen = ["--policy=claude", "--model=model-x", "--max-steps=9"]
        ran = audit_folder.audit("--resume", "-n", "1", *chosen, ANTHROPIC_BASE_URL=server.url)
    assert "bwa: policy claude, model model-x" in ran.text
    assert "1 calls of model-x" in ran.text
    result = audit_folder.result("gone")
    assert (result["policy"], result["model"]) == ("claude", "model-x")
    checkpoint = json.loads((audit_folder.folder / "gone/checkpoint.json").read_text())
    assert checkpoint["max_steps"] == 9
    (session,) = audit_folder.record()["resumed"]
    assert (session["policy"], session["max_steps"]) == ("claude", 9)


def hung_for(result):
    """For how many seconds the page was waited for."""
    return float(re.search(r"did not answer for ([\d.]+) s", result["reason"])[1])


def test_a_page_that_hangs_fails_its_sample_and_the_next_gets_a_new_browser(audit_folder):
    """Nor is a browser that is broken the failure that is expected of a known-bad sample."""
    audit_folder.samples("adam", "hangs", "zoe", hangs="the record is wrong")
    audit_folder.site.pages["/hangs"] = HANGING
    ran = audit_folder.audit(BWA_ACTION_TIMEOUT="6")
    assert ran.counts() == {"passed": 2, "failed": 1}, ran.text  # and none is xfailed
    assert audit_folder.result("hangs")["broken"] is True
    assert "hangs: failed (broken): " in ran.text
    assert hung_for(audit_folder.result("hangs")) <= 6


def test_a_page_that_hangs_cannot_exceed_the_time_limit_of_the_sample(audit_folder):
    audit_folder.spec(max_time_seconds=6)
    audit_folder.samples("hangs")
    audit_folder.site.pages["/hangs"] = HANGING
    ran = audit_folder.audit()  # an action alone may take 60 s
    assert ran.counts() == {"failed": 1}, ran.text
    assert hung_for(audit_folder.result("hangs")) <= 6


LIMITS = {"BWA_ACTION_TIMEOUT": "24"}
RELOADING = "<meta http-equiv=refresh content=0><h1>Again</h1>"


def test_a_page_that_crashes_or_reloads_for_ever_fails_only_its_sample(audit_folder):
    audit_folder.samples("adam", "crashes", "mary", "reloads", "zoe")
    audit_folder.waits_at("crashes")
    audit_folder.site.pages["/reloads"] = RELOADING
    process = audit_folder.start(
        "--task=spec.json", "--samples=samples.csv", "--run-id=run_it", **LIMITS
    )
    audit_folder.await_waiting("crashes")
    for renderer in descendants(process, "--type=renderer"):
        with contextlib.suppress(psutil.Error):
            renderer.kill()
    text, _ = process.communicate(timeout=300)
    assert FinishedRun(process.returncode, text).counts() == {"passed": 3, "failed": 2}, text
    assert "the page crashed" in audit_folder.result("crashes")["reason"]
    assert audit_folder.result("crashes")["missing"]
    # It is read between two loads, or not at all.
    ends = "keeps reloading|not found|did not answer"
    assert re.search(ends, audit_folder.result("reloads")["reason"])


def descendants(process, argument):
    matching = []
    for child in psutil.Process(process.pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            matching += [child] if argument in " ".join(child.cmdline()) else []
    return matching


def test_a_driver_that_dies_or_hangs_fails_only_its_sample(audit_folder):
    audit_folder.samples("adam", "dies", "mary", "hangs", "zoe")
    audit_folder.waits_at("dies", "hangs")
    options = ["--task=spec.json", "--samples=samples.csv", "--run-id=run_it", "--tracing=on"]
    process = audit_folder.start(*options, **LIMITS)
    audit_folder.await_waiting("dies")
    (driver,) = descendants(process, "run-driver")
    driver.kill()
    audit_folder.await_waiting("hangs")
    (driver,) = descendants(process, "run-driver")
    driver.suspend()
    text, _ = process.communicate(timeout=300)
    assert FinishedRun(process.returncode, text).counts() == {"passed": 3, "failed": 2}, text
    assert "closed" in audit_folder.result("dies")["reason"]
    assert "did not answer for" in audit_folder.result("hangs")["reason"]
    assert audit_folder.result("zoe")["extracted"]["department"] == "Finance zoe"


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk_fails_the_sample_with_that_reason_and_keeps_earlier_evidence(audit_folder):
    disk = audit_folder.path / "evidence"
    disk.mkdir()
    if os.system(f"mount -t tmpfs -o size=400k tmpfs {disk} 2>/dev/null") != 0:
        pytest.skip("this machine does not allow mounting")
    try:
        audit_folder.samples(*[f"s{n}" for n in range(8)])
        ran = audit_folder.audit()
        assert "No space left on device" in ran.text
        assert ran.status == 1
        assert audit_folder.result("s0")["status"] == "done"
        for path in audit_folder.folder.glob("*/*.json"):
            json.loads(path.read_text())
    finally:
        os.system(f"umount {disk}")
