"""Pages, browsers and a clock that misbehave: each sample has one ending with a plain reason, and
the next sample is not harmed."""

from __future__ import annotations

import contextlib
import json

import psutil
import pytest
from audit_folder import RECORD, AuditFolder, FinishedRun

from pytest_bwa.reports.verify.verify import verify

JUMPING_CLOCK_AND_LITTLE_MEMORY = """
import datetime, itertools, time
import pytest
import pytest_bwa.steps.step

true_time, jumps = time.time, itertools.cycle([0, 3600, -3600])
time.time = lambda: true_time() + next(jumps)

class Clock(datetime.datetime):
    @classmethod
    def now(cls, zone=None):
        return datetime.datetime.fromtimestamp(time.time(), zone)

pytest_bwa.steps.step.datetime = Clock

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    given = browser_type_launch_args.get("args", [])
    return {**browser_type_launch_args, "args": [*given, "--js-flags=--max-old-space-size=32"]}
"""
EATS_MEMORY = """<h1>Hungry</h1><script>
setTimeout(() => { const all = []; for (;;) all.push(new Array(10000).fill(Math.random())) }, 50)
</script>"""
OPENS_POPUPS = "<script>for (let i = 0; i < 30; i++) open('/popup' + i)</script>"
ASKS_TO_STAY = "<script>onbeforeunload = e => { e.preventDefault(); return 'Stay' }</script>"
REASONS = {
    "loops": "ERR_TOO_MANY_REDIRECTS",
    "hungry": "the page crashed",
    "endless": "did not answer for",
    "killed": "closed",
}


@pytest.fixture(scope="module")
def faulty(new_audit_folder) -> tuple[AuditFolder, FinishedRun]:
    """A run in which nearly every sample meets another fault."""
    audit = new_audit_folder()
    audit.samples(
        "adam", "loops", "mary", "hungry", "popups", "endless", "stays", "killed", "zoe"
    )  # fmt: skip
    site = audit.site
    for name, script in {"popups": OPENS_POPUPS, "stays": ASKS_TO_STAY}.items():
        site.pages[f"/{name}"] = RECORD.format(name=name, department=f"Finance {name}") + script
    endless = {"Content-Type": "application/zip", "Content-Disposition": "attachment"}
    site.pages |= {
        "/loops": (302, {"Location": "/loops"}, b""),
        "/hungry": EATS_MEMORY,
        "/endless": (200, endless, b"x" * 2000),
    }
    audit.waits_at("killed")
    site.pauses["/endless"] = 120
    (audit.path / "conftest.py").write_text(JUMPING_CLOCK_AND_LITTLE_MEMORY)
    process = audit.start(
        "--task=spec.json", "--samples=samples.csv", "--alluredir=allure",
        BWA_ACTION_TIMEOUT="24",
    )  # fmt: skip
    try:
        audit.await_waiting("killed")
        _kill_browser(process.pid)
        text, _ = process.communicate(timeout=300)
    finally:
        process.kill()
    return audit, FinishedRun(process.returncode, text)


def _kill_browser(pid: int) -> None:
    for child in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "chrom" in child.name() and "--type=" not in " ".join(child.cmdline()):
                child.kill()


def test_each_fault_is_one_result_with_a_plain_reason(faulty):
    audit, ran = faulty
    reasons = {name: audit.result(name)["reason"] for name in REASONS}
    for name, reason in REASONS.items():
        assert reason in reasons[name], ran.text
        assert "\n" not in reasons[name]
        assert "Call log" not in reasons[name]
    assert {name: audit.result(name)["status"] for name in REASONS} == dict.fromkeys(
        REASONS, "failed"
    )
    assert [name for name in REASONS if not audit.result(name)["broken"]] == []


def test_no_fault_harms_another_sample(faulty):
    audit, ran = faulty
    assert ran.counts() == {"passed": 5, "failed": 4}, ran.text
    for name in ("adam", "mary", "popups", "stays", "zoe"):
        assert audit.result(name)["extracted"]["department"] == f"Finance {name}"


def test_all_records_of_a_faulty_run_agree(faulty):
    audit, _ = faulty
    assert verify(audit.folder).faults == ()
    statuses = {row["sample_id"]: row["status"] for row in audit.combined()}
    tests = [json.loads(p.read_text()) for p in (audit.path / "allure").glob("*-result.json")]
    assert len(tests) == len(statuses) == 9
    for test in tests:
        assert (test["status"] == "passed") == (statuses[test["name"]] == "done")
