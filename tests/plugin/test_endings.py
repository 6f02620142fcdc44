"""However a run ends, the evidence of every sample is complete and every report shows it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from audit_folder import Ran, await_that

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
    await_that(path.exists, f"{path} did not appear")


def await_requests(desk: Any, *paths: str) -> None:
    await_that(lambda: set(paths) <= set(desk.site.requests), f"{paths} were not requested", 30)


def allure_tests(folder: Path) -> dict[str, Any]:
    tests = [json.loads(p.read_text()) for p in folder.glob("*-result.json")]
    return {test["name"]: test for test in tests}


def test_a_killed_worker_fails_one_sample_and_is_named(desk):
    """The worker that runs ``dies`` is killed after the page was requested."""
    desk.samples("adam", "dies", "zoe", "mary")
    desk.site.pages["/dies"] = HANGING
    (desk.path / "conftest.py").write_text(PIDS)
    process = desk.start(
        "--task=spec.json", "--samples=samples.csv", "-n", "2", "--alluredir=allure",
        BWA_OBSERVE_TIMEOUT="60",
    )  # fmt: skip
    try:
        killed = kill_worker_of(process, desk, "dies")
        text, _ = process.communicate(timeout=90)
    finally:
        process.kill()
    assert process.returncode == 1, text
    assert f"worker {killed} was killed" in text
    assert desk.result("dies")["status"] == "failed"
    assert {row["sample_id"]: row["status"] for row in desk.combined()} == {
        "adam": "done", "dies": "failed", "mary": "done", "zoe": "done",
    }  # fmt: skip
    tests = allure_tests(desk.path / "allure")
    assert set(tests) == {"adam", "dies", "mary", "zoe"}
    assert tests["dies"]["status"] == "failed"
    assert "was killed" in tests["dies"]["statusDetails"]["message"]
    assert tests["dies"]["fullName"] == tests["adam"]["fullName"]


def kill_worker_of(process: Any, desk: Any, sample_id: str) -> str:
    """Kill the worker that is running ``sample_id``; return its name."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for path in desk.path.glob("evidence/run_*/.live/gw*.json"):
            live = json.loads(path.read_text())
            if live["sample_id"] == sample_id and f"/{sample_id}" in desk.site.requests:
                psutil.Process(int((desk.path / f"{live['worker']}.pid").read_text())).kill()
                return str(live["worker"])
        time.sleep(0.02)
    raise AssertionError("no worker ran the sample")


def test_after_ctrl_c_the_evidence_is_complete_and_the_run_can_be_resumed(desk):
    desk.samples("adam", "stuck", "zoe")
    desk.site.pages["/stuck"] = HANGING
    process = desk.start("--task=spec.json", "--samples=samples.csv", "--run-id=run_it")
    folder = desk.path / "evidence/run_it"
    await_file(folder / "adam/result.json")
    await_requests(desk, "/stuck")
    os.killpg(process.pid, signal.SIGINT)
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 2, text
    assert (folder / "combined.csv").read_text().count("\n") >= 2
    assert "--resume=" in text
    for path in folder.glob("*/*.json"):
        json.loads(path.read_text())
    # The page works again: only the sample that was not done is run.
    desk.site.pages.pop("/stuck")
    desk.samples("adam", "stuck", "zoe")
    desk.site.requests.clear()
    ran = desk.audit("--resume=run_it")
    assert ran.counts() == {"passed": 3}, ran.text
    assert "/adam" not in desk.site.requests
    assert {r["status"] for r in desk.combined()} == {"done"}


def test_sigterm_ends_a_run_like_ctrl_c_and_leaves_no_browser(desk):
    """Like a CI system or a container: only the controller gets the signal."""
    desk.samples("adam", "stuck", "jammed")
    desk.site.pages |= {"/stuck": HANGING, "/jammed": HANGING}
    process = desk.start("--task=spec.json", "--samples=samples.csv", "--run-id=run_it", "-n", "2")
    folder = desk.path / "evidence/run_it"
    await_file(folder / "adam/result.json")
    await_requests(desk, "/stuck", "/jammed")
    family = psutil.Process(process.pid).children(recursive=True)
    process.terminate()
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 2, text
    assert {row["sample_id"]: row["status"] for row in desk.combined()} == {
        "adam": "done", "stuck": "failed", "jammed": "failed",
    }  # fmt: skip
    assert "the run was interrupted" in desk.result("stuck")["reason"]
    _, alive = psutil.wait_procs(family, timeout=20)
    assert [p for p in alive if p.status() != psutil.STATUS_ZOMBIE] == []


def test_resume_checks_the_hashes_and_refuses_other_input(desk):
    desk.samples("adam", "zoe")
    assert desk.audit("--alluredir=allure").status == 0
    picture = desk.folder / "adam" / desk.result("adam")["artifacts"][0]["filename"]
    recorded = desk.result("adam")["artifacts"][0]["sha256"]
    assert hashlib.sha256(picture.read_bytes()).hexdigest() == recorded
    picture.write_bytes(picture.read_bytes() + b"x")
    desk.site.requests.clear()
    ran = desk.audit("--resume", "--alluredir=again")
    assert ran.counts() == {"passed": 2}
    assert "/zoe" not in desk.site.requests
    assert "/adam" in desk.site.requests
    assert (desk.folder / "adam/attempts/1/result.json").exists()
    assert set(allure_tests(desk.path / "again")) == {"adam", "zoe"}
    desk.spec(goal="Something else")
    ran = desk.audit("--resume")
    assert ran.status == 4
    assert "the spec changed in goal" in ran.text
    desk.spec()
    desk.samples("adam", "zoe", "new")
    ran = desk.audit("--resume")
    assert ran.status == 4
    assert "1 added (new)" in ran.text


def test_a_page_that_hangs_fails_its_sample_and_the_next_gets_a_new_browser(desk):
    desk.samples("adam", "hangs", "zoe")
    desk.site.pages["/hangs"] = HANGING
    started = time.monotonic()
    ran = desk.audit(BWA_OBSERVE_TIMEOUT="4", BWA_ACTION_TIMEOUT="6")
    assert time.monotonic() - started < 60
    assert ran.counts() == {"passed": 2, "failed": 1}, ran.text
    assert "did not answer" in desk.result("hangs")["reason"]


def test_a_page_that_hangs_cannot_exceed_the_time_limit_of_the_sample(desk):
    desk.spec(max_time_seconds=6)
    desk.samples("hangs")
    desk.site.pages["/hangs"] = HANGING
    started = time.monotonic()
    ran = desk.audit()  # an action alone may take 60 s
    assert time.monotonic() - started < 40
    assert ran.counts() == {"failed": 1}, ran.text
    assert "did not answer for" in desk.result("hangs")["reason"]


LOADING = "<h1>Soon</h1><main aria-busy=true></main>"
RELOADING = "<meta http-equiv=refresh content=0><h1>Again</h1>"


def test_a_page_that_crashes_or_reloads_for_ever_fails_only_its_sample(desk):
    desk.samples("adam", "crashes", "mary", "reloads", "zoe")
    desk.site.pages |= {"/crashes": LOADING, "/reloads": RELOADING}
    limits = {"BWA_OBSERVE_TIMEOUT": "6", "BWA_ACTION_TIMEOUT": "10"}
    process = desk.start("--task=spec.json", "--samples=samples.csv", "--run-id=run_it", **limits)
    await_file(desk.path / "evidence/run_it/crashes/action_log.json")
    for renderer in descendants(process, "--type=renderer"):
        with contextlib.suppress(psutil.Error):
            renderer.kill()
    text, _ = process.communicate(timeout=90)
    assert Ran(process.returncode, text).counts() == {"passed": 3, "failed": 2}, text
    assert "the page crashed" in desk.result("crashes")["reason"]
    assert desk.result("crashes")["missing"]
    assert "loads itself again and again" in desk.result("reloads")["reason"]


def descendants(process, argument):
    matching = []
    for child in psutil.Process(process.pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            matching += [child] if argument in " ".join(child.cmdline()) else []
    return matching


def test_a_driver_that_dies_or_hangs_fails_only_its_sample(desk):
    desk.samples("adam", "dies", "mary", "hangs", "zoe")
    desk.site.pages |= {"/dies": LOADING, "/hangs": LOADING}
    limits = {"BWA_OBSERVE_TIMEOUT": "6", "BWA_ACTION_TIMEOUT": "10"}
    options = ["--task=spec.json", "--samples=samples.csv", "--run-id=run_it", "--tracing=on"]
    process = desk.start(*options, **limits)
    await_file(desk.path / "evidence/run_it/dies/action_log.json")
    (driver,) = descendants(process, "run-driver")
    driver.kill()
    await_file(desk.path / "evidence/run_it/hangs/action_log.json")
    (driver,) = descendants(process, "run-driver")
    driver.suspend()
    text, _ = process.communicate(timeout=90)
    assert Ran(process.returncode, text).counts() == {"passed": 3, "failed": 2}, text
    assert "closed" in desk.result("dies")["reason"]
    assert "did not answer for" in desk.result("hangs")["reason"]
    assert desk.result("zoe")["extracted"]["department"] == "Finance zoe"


def test_a_broken_browser_is_no_expected_failure_of_a_known_bad_sample(desk):
    desk.samples("hangs", hangs="the record is wrong")
    desk.site.pages["/hangs"] = HANGING
    ran = desk.audit(BWA_OBSERVE_TIMEOUT="3", BWA_ACTION_TIMEOUT="4")
    assert ran.counts() == {"failed": 1}, ran.text


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk_fails_the_sample_with_that_reason_and_keeps_earlier_evidence(desk):
    disk = desk.path / "evidence"
    disk.mkdir()
    if os.system(f"mount -t tmpfs -o size=150k tmpfs {disk} 2>/dev/null") != 0:
        pytest.skip("this machine does not allow mounting")
    try:
        desk.samples(*[f"s{n}" for n in range(8)])
        ran = desk.audit()
        assert "No space left on device" in ran.text
        assert ran.status == 1
        assert desk.result("s0")["status"] == "done"
        for path in desk.folder.glob("*/*.json"):
            json.loads(path.read_text())
    finally:
        os.system(f"umount {disk}")
