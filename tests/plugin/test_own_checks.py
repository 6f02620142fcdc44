"""A test may check more than the record: what pytest says of it is in evidence and reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.reports.allure_report.build import write_results
from pytest_bwa.reports.verify.verify import verify

SECRET = "s3cr3t-of-the-test"
CHECKS = f"""
import pytest

def test_sample(browser_agent, sample):
    result = browser_agent.run(sample)
    if sample == "lenient-gone":
        return
    result.assert_done()
    if sample.startswith("more"):
        assert result.extracted["department"] == "Sales {SECRET}"
    if sample == "raises":
        raise ValueError("no such column")
    if sample == "skips":
        pytest.skip("not on Sundays")
    if sample == "gives-up":
        pytest.xfail("the ticket {SECRET} is open")
"""
MARKS = """
import pytest

def pytest_collection_modifyitems(items):
    for item in items:
        if "strict" in item.name:
            item.add_marker(pytest.mark.xfail(strict=True, reason="should fail"))

@pytest.fixture(autouse=True)
def failing_teardown(sample, browser_agent):
    yield
    assert sample != "late", "found only when the test was torn down"
"""
NAMES = (
    "adam", "gone", "gone-known", "lenient-gone", "more", "more-strict", "strict", "raises",
    "skips", "gives-up", "late",
)  # fmt: skip
STATUSES = {
    "adam": "passed", "gone": "failed", "gone-known": "failed", "lenient-gone": "passed",
    "more": "failed", "more-strict": "failed", "strict": "failed", "raises": "broken",
    "skips": "skipped", "gives-up": "failed", "late": "failed",
}  # fmt: skip


@pytest.fixture(scope="module")
def checked(new_audit_folder: Any) -> Any:
    audit = new_audit_folder()
    audit.spec(secrets={"token": "OWN_CHECKS_TOKEN"})
    audit.samples(*NAMES, **{"gone-known": "deleted last year"})
    del audit.site.pages["/lenient-gone"]
    (audit.path / "test_audit.py").write_text(CHECKS)
    (audit.path / "conftest.py").write_text(MARKS)
    ran = audit.audit("-n", "2", "--alluredir=allure", "-rA", OWN_CHECKS_TOKEN=SECRET)
    assert ran.counts() == {"passed": 3, "failed": 4, "skipped": 1, "xfailed": 3, "error": 1}, (
        ran.text
    )
    assert SECRET not in ran.text
    return audit


def allure_tests(folder: Path) -> dict[str, Any]:
    return {t["name"]: t for p in folder.glob("*-result.json") for t in [json.loads(p.read_text())]}


def messages(tests: dict[str, Any]) -> dict[str, str]:
    """The first lines, without the name of the exception's class."""
    found = {name: (test.get("statusDetails") or {}).get("message") for name, test in tests.items()}
    lines = {name: (text or "").splitlines()[:1] for name, text in found.items()}
    return {
        name: "".join(line).removeprefix("pytest_bwa.errors.AuditFinding: ")
        for name, line in lines.items()
    }


def test_the_same_samples_are_green_and_red_live_and_from_the_evidence(checked, tmp_path):
    live = allure_tests(checked.path / "allure")
    write_results([RunFolder(checked.folder)], tmp_path)
    later = allure_tests(tmp_path)
    assert {name: test["status"] for name, test in live.items()} == STATUSES
    assert {name: test["status"] for name, test in later.items()} == STATUSES
    del live["skips"], later["skips"]  # pytest says "Skipped: …" itself
    assert messages(later) == messages(live)


def test_the_record_is_not_changed_and_the_run_verifies(checked):
    assert {checked.result(n)["status"] for n in ("more", "late", "raises", "skips")} == {"done"}
    assert verify(checked.folder).faults == ()
    late = json.loads((checked.folder / "late" / "pytest.json").read_text())
    assert (late["outcome"], late["phase"]) == ("failed", "teardown")
    assert "  pytest.json\n" in (checked.folder / "late" / "manifest-sha256.txt").read_text()


def test_the_pages_and_the_table_say_what_became_of_the_tests(checked):
    page = (checked.folder / "more" / "index.html").read_text()
    assert "The test failed: AssertionError: assert" in page
    assert "when it was torn down" in (checked.folder / "late" / "index.html").read_text()
    assert "The test" not in (checked.folder / "gone" / "index.html").read_text()
    run = (checked.folder / "index.html").read_text()
    assert ">4 test failed</a>" in run
    cells = {row["sample_id"]: row["test"] for row in checked.combined()}
    assert cells["adam"] == "passed"
    assert cells["gone"] == "failed"
    assert cells["skips"] == "skipped: not on Sundays"
    assert cells["gives-up"] == "xfailed: the ticket <secret:token> is open"


def test_no_secret_of_a_message_is_in_any_file(checked):
    files = [p for p in checked.folder.rglob("*") if p.is_file()]
    files += (checked.path / "allure").iterdir()
    assert [str(path) for path in files if SECRET.encode() in path.read_bytes()] == []
    assert "<secret:token>" in (checked.folder / "more" / "pytest.json").read_text()


def test_a_resumed_run_says_what_the_last_session_said(checked):
    """The results are kept, and their tests run again: they are mended now."""
    (checked.path / "test_audit.py").write_text(CHECKS.replace('startswith("more")', "islower()"))
    (checked.path / "conftest.py").unlink()
    more, adam, late = (checked.folder / name / "pytest.json" for name in ("more", "adam", "late"))
    before = more.read_bytes()
    checked.audit(
        f"--resume={checked.folder}", "-k", "adam or late", OWN_CHECKS_TOKEN=SECRET
    )  # fmt: skip
    assert json.loads(adam.read_text())["outcome"] == "failed"
    assert json.loads(late.read_text())["phase"] == "call"
    assert more.read_bytes() == before
    assert verify(checked.folder).faults == ()
