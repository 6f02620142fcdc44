"""A record that does not exist is an answer with proof; a server that is down is none."""

from __future__ import annotations

import json
import re
import socket
from typing import Any

import pytest
from audit_folder import AuditFolder, FinishedRun
from wire.messages_server import MessagesServer, tool_use

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.reports.allure_report.build import write_results
from pytest_bwa.reports.allure_report.status import categories

NOT_FOUND = tool_use("fail", kind="not_found", note="the page says: no such record")


def audit_with(
    audit_folder: AuditFolder, answer: Any, *arguments: str
) -> tuple[FinishedRun, MessagesServer]:
    with MessagesServer([answer]) as server:
        return audit_folder.audit(*arguments, ANTHROPIC_BASE_URL=server.url), server


def allure_tests(audit_folder: AuditFolder, name: str = "allure") -> dict[str, Any]:
    paths = (audit_folder.path / name).glob("*-result.json")
    return {test["name"]: test for test in (json.loads(p.read_text()) for p in paths)}


def rewrite_results(audit_folder: AuditFolder) -> None:
    """Make Allure results in ``again`` from the evidence alone."""
    (audit_folder.path / "again").mkdir()
    write_results([RunFolder(audit_folder.folder)], audit_folder.path / "again")


def category(test: dict[str, Any]) -> list[str]:
    message = test["statusDetails"]["message"]
    return [c["name"] for c in categories() if re.fullmatch(c["messageRegex"], message)]


@pytest.fixture
def closed_port() -> int:
    """A port where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.parametrize("policy", ["rules", "claude"])
def test_a_server_that_is_down_excuses_no_known_bad_sample(audit_folder, closed_port, policy):
    """Neither as an expected failure, nor as not found, whatever the model says."""
    (audit_folder.path / "samples.csv").write_text(
        f"sample_id,url,xfail\ndown,http://127.0.0.1:{closed_port}/1,deleted last year\n"
        f"plain,http://127.0.0.1:{closed_port}/2,\n"
    )
    options = [f"--policy={policy}", "--not-found=pass", "--alluredir=allure"]
    ran, _ = audit_with(audit_folder, NOT_FOUND, *options)
    assert ran.status == 1, ran.text
    assert ran.counts() == {"failed": 2}, ran.text
    for name in ("down", "plain"):
        result = audit_folder.result(name)
        assert (result["status"], result["outcome"], result["broken"]) == ("failed", "other", True)
        assert "could not be reached: the server refuses connections" in result["reason"]
        assert f"{name}: failed (broken): " in ran.text
    live = allure_tests(audit_folder)
    rewrite_results(audit_folder)
    for tests in (live, allure_tests(audit_folder, "again")):
        assert {test["status"] for test in tests.values()} == {"failed"}
        assert [category(test) for test in tests.values()] == [
            ["Broken: the browser, the model, the disk or the server failed"]
        ] * 2


def test_neither_a_server_that_failed_nor_a_login_excuses_a_known_bad_sample(audit_folder):
    html = {"Content-Type": "text/html"}
    login = "<title>Log in</title><form><input type=password name=p><button>Go</button></form>"
    audit_folder.site.pages |= {
        "/failed": (500, html, b"<h1>Internal Server Error</h1>"),
        "/led": (302, {**html, "Location": "/login"}, b""),
        "/login": login,
    }
    audit_folder.samples("failed", "led", failed="deleted last year", led="deleted last year")
    ran = audit_folder.audit("--policy=rules", "--not-found=pass")
    assert ran.counts() == {"failed": 2}, ran.text
    for name, why in (("failed", "answered HTTP 500"), ("led", "led to a login (")):
        result = audit_folder.result(name)
        assert (result["outcome"], result["broken"]) == ("other", True)
        assert why in result["reason"]


def test_what_does_not_exist_fails_as_not_found_with_a_picture(audit_folder):
    audit_folder.samples("adam", "gone")
    ran, _ = audit_with(audit_folder, NOT_FOUND, "--alluredir=allure", "--junitxml=out.xml")
    assert ran.counts() == {"failed": 2}, ran.text
    result = audit_folder.result("gone")
    assert (result["status"], result["outcome"], result["broken"]) == ("failed", "not_found", False)
    assert (result["missing"], result["flagged"]) == ([], True)
    (picture,) = result["artifacts"]
    assert picture["source_url"].endswith("/gone")
    assert "gone: failed (not_found): the page says: no such record" in ran.text
    assert category(allure_tests(audit_folder)["gone"]) == ["Not found: the record does not exist"]
    assert 'name="bwa_outcome" value="not_found"' in (audit_folder.path / "out.xml").read_text()
    (row,) = (row for row in audit_folder.combined() if row["sample_id"] == "gone")
    assert list(row)[:3] == ["sample_id", "status", "outcome"]
    assert row["outcome"] == "not_found"


def test_what_does_not_exist_can_be_taken_as_a_pass_and_is_not_run_again(audit_folder):
    """A known-bad sample is expected to fail, and not to be found is what was expected of it."""
    audit_folder.samples("gone1", "gone2", gone2="deleted last year")
    options = ["--not-found=pass", "-n2", "--alluredir=allure"]
    ran, _ = audit_with(audit_folder, NOT_FOUND, *options)
    assert ran.status == 0, ran.text
    assert ran.counts() == {"passed": 1, "xfailed": 1}, ran.text
    result = audit_folder.result("gone1")
    assert (result["status"], result["outcome"]) == ("failed", "not_found")
    assert (result["missing"], result["flagged"]) == ([], False)
    assert "samples   2: 1 not found, 1 known bad" in ran.text
    assert "not found gone1 (taken as a pass)" in ran.text
    assert audit_folder.record()["exit_reason"] == "all passed, but those known to be bad"
    rewrite_results(audit_folder)
    for tests in (allure_tests(audit_folder), allure_tests(audit_folder, "again")):
        statuses = {name: test["status"] for name, test in tests.items()}
        assert statuses == {"gone1": "passed", "gone2": "failed"}
    audit_folder.site.requests.clear()
    ran, _ = audit_with(audit_folder, NOT_FOUND, "--resume", *options[:3])
    assert ran.counts() == {"passed": 1, "xfailed": 1}, ran.text
    assert "/gone1" not in audit_folder.site.requests


def test_the_ini_setting_takes_not_found_as_a_pass_and_the_option_wins(audit_folder):
    (audit_folder.path / "pytest.ini").write_text("[pytest]\nbwa_not_found = pass\n")
    audit_folder.spec(not_found="fail")
    audit_folder.samples("gone")
    assert audit_with(audit_folder, NOT_FOUND, "--run-id=run_1")[0].counts() == {"passed": 1}
    ran, _ = audit_with(audit_folder, NOT_FOUND, "--resume=run_1", "--not-found=fail")
    assert ran.counts() == {"failed": 1}, ran.text
