"""A sample that runs again, and a run whose name was taken."""

from __future__ import annotations

import html
import json
import xml.etree.ElementTree as ElementTree

from audit_folder import AuditFolder, FinishedRun
from test_bad_input import BOUND, error_line

from pytest_bwa.evidence.files import sha256_of

RERUNS = """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):  # as plugins do that run a failed test again
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for left in (2, 1, 0):
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        is_failed = any(report.failed for report in reports)
        for report in reports:
            report.rerun = 2 - left
            if is_failed and left and report.failed:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        if not is_failed:
            break
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True

def pytest_report_teststatus(report, config):
    if report.outcome == "rerun":
        return "rerun", "R", ("RERUN", {"yellow": True})
"""


def test_each_attempt_has_its_own_picture_and_link(audit_folder: AuditFolder) -> None:
    audit_folder.samples("adam")
    audit_folder.spec(required_fields=["nowhere"], output_schema={"nowhere": "string | null"})
    (audit_folder.path / "conftest.py").write_text(RERUNS)
    run = audit_folder.audit("--html=report.html", "--junitxml=junit.xml", PYTEST_ADDOPTS="")
    assert run.counts() == {"failed": 1}, run.text
    adam = audit_folder.folder / "adam"
    text = html.unescape((audit_folder.path / "report.html").read_text())
    data = json.loads(text.partition('data-jsonblob="')[2].partition('"></div>')[0])
    # pytest-html shows at each attempt those of the ones before it, too.
    last = [test for tests in data["tests"].values() for test in tests][-1]["extras"]
    found = [audit_folder.path / extra["content"] for extra in last]
    pictures, links = found[::2], found[1::2]
    folders = [adam / "attempts/1", adam / "attempts/2", adam]
    assert links == [folder / "index.html" for folder in folders]
    framed = [next(folder.glob("*.framed.png")) for folder in folders]
    assert list(map(sha256_of, pictures)) == list(map(sha256_of, framed))
    cases = ElementTree.parse(audit_folder.path / "junit.xml").iter("testcase")
    names = [[p.get("name") for p in case.iter("property")] for case in cases]
    assert {listed.count("bwa_status") for listed in names} == {1}


def test_a_name_that_is_taken_is_refused(audit_folder: AuditFolder) -> None:
    def audit(*options: str) -> FinishedRun:
        return audit_folder.audit("--run-id=nightly", *options)

    audit_folder.samples("adam")
    folder = audit_folder.path / "evidence/nightly"
    assert audit().status == 0
    before = sha256_of(folder / "run.json")
    line = error_line(audit())
    assert "evidence/nightly already exists: continue it with --resume nightly" in line
    assert "or take another --run-id" in line
    assert audit("--collect-only").status == 0
    assert [path.name for path in folder.parent.iterdir()] == ["nightly"]
    assert sha256_of(folder / "run.json") == before
    assert audit("--resume=nightly").status == 0


def test_a_bound_audit_writes_into_no_run_of_another_session(audit_folder: AuditFolder) -> None:
    audit_folder.samples("adam")
    (audit_folder.path / "test_audit.py").write_text(BOUND)
    evidence = audit_folder.path / "evidence"
    assert audit_folder.run("--run-id=nightly_b").status == 0
    assert audit_folder.run("--run-id=nightly", "-n", "2").status == 0
    names = ["nightly_b_hr", "nightly_hr"]
    assert sorted(path.name for path in evidence.iterdir()) == names
    before = [sha256_of(evidence / name / "run.json") for name in names]
    for workers in ("0", "2"):
        again = audit_folder.run("--run-id=nightly", "-n", workers)
        assert again.status == 4, again.text
        assert "evidence/nightly_hr already exists" in again.text
    assert [sha256_of(evidence / name / "run.json") for name in names] == before
