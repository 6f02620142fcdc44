"""Audits that markers bind: several in one file, named before they run, with a live page."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable

import pytest
from audit_folder import SPEC, TEST, AuditFolder, FinishedRun

TWO_AUDITS = """
import pytest


@pytest.fixture
def name(sample):
    return sample.upper()


@pytest.mark.bwa(task="spec.json", samples="samples.csv")
def test_first(browser_agent, sample, name):
    page = browser_agent.page
    page.goto(browser_agent.sample.columns["url"])  # a step before the run
    assert page.title() == f"Record {sample}"
    result = browser_agent.run(sample)
    assert browser_agent.page is page
    assert page.title() == f"Record {sample}"  # a check after the run, on the same page
    assert name == sample.upper()
    result.assert_done()


class TestMore:
    @pytest.mark.bwa("other.json", "samples.csv")
    def test_second(self, browser_agent, sample):
        browser_agent.run(sample).assert_done()
        page = browser_agent.page
        assert page.locator("h1").inner_text() == f"Record {sample}"
        with pytest.raises(Exception, match="ERR_"):
            page.goto("http://localhost:1/")  # the limits of the task stay
"""


ONE_AUDIT_TWICE = """
import pytest

pytestmark = pytest.mark.bwa(task="spec.json", samples="samples.csv")

def test_again(browser_agent, sample):
    pass

def test_twice(browser_agent, sample):
    pass
"""


ONE_AUDIT = """
import pytest

@pytest.mark.bwa(task="spec.json", samples="samples.csv")
def test_bound(browser_agent, sample):
    browser_agent.run(sample).assert_done()
"""


@pytest.fixture(scope="module")
def two(
    new_audit_folder: Callable[[], AuditFolder],
) -> tuple[AuditFolder, FinishedRun]:
    folder = new_audit_folder()
    folder.samples("adam", "zoe")
    folder.spec(task_id="second")
    (folder.path / "spec.json").rename(folder.path / "other.json")
    folder.spec(**SPEC)
    (folder.path / "test_audit.py").write_text(TWO_AUDITS)
    return folder, folder.run()


def test_several_audits_in_one_file_run_on_pages_that_tests_can_use(two) -> None:
    folder, run = two
    assert run.counts() == {"passed": 4}, run.text
    assert [path.name.rpartition("_")[2] for path in folder.folders] == ["hr", "second"]


def test_every_audit_is_named_before_it_runs(two) -> None:
    _, run = two
    before = run.text.partition("test_audit.py ")[0]
    assert before.count("bwa: task ") == 2
    assert "bwa: task second, 2 samples from samples.csv" in before
    assert before.count("bwa: evidence evidence/run_") == 2
    assert before.count("bwa: policy rules") == 1, "what they have in common is said once"


def test_two_tests_cannot_write_the_same_evidence(audit_folder: AuditFolder) -> None:
    audit_folder.samples("adam")
    (audit_folder.path / "test_audit.py").write_text(ONE_AUDIT_TWICE)
    run = audit_folder.run()
    assert run.status == 4, run.text
    assert 'test_twice: test_audit.py::test_again binds the task "hr", too' in run.text
    assert audit_folder.folders == []


def test_the_line_that_resumes_a_bound_audit_can_be_pasted(audit_folder: AuditFolder) -> None:
    audit_folder.samples("gone", "zoe")
    (audit_folder.path / "test_bound.py").write_text(ONE_AUDIT)
    run = audit_folder.run("-x", "--evidence=my evidence")
    assert run.counts()["failed"] == 1, run.text
    (folder,) = (audit_folder.path / "my evidence").iterdir()
    assert json.loads((folder / "run.json").read_text())["exit_reason"].startswith("stopping after")
    (line,) = re.findall(r"^resume +(.+)$", run.text, re.M)
    assert not line.startswith("pytest …")
    again = subprocess.run(line, shell=True, cwd=audit_folder.path, capture_output=True, text=True)
    assert "1 failed, 1 passed" in again.stdout, again.stdout + again.stderr
    record = json.loads((folder / "run.json").read_text())
    assert (record["not_run"], record["exit_reason"]) == (0, "some failed")
    assert "\nresume " not in again.stdout, "it would change nothing"


@pytest.mark.parametrize(
    ("plugin", "marks"),
    [
        ("anyio", '@pytest.mark.anyio\n@pytest.mark.parametrize("anyio_backend", ["asyncio"])'),
        ("pytest_asyncio", "@pytest.mark.asyncio"),  # installed by nox
    ],
)
def test_coroutines_run_beside_audits(audit_folder: AuditFolder, plugin: str, marks: str) -> None:
    """Both plugins need an event loop of their own."""
    pytest.importorskip(plugin)
    audit_folder.samples("adam")
    arguments = "anyio_backend" if plugin == "anyio" else ""
    coroutine = f"{marks}\nasync def test_coroutine({arguments}):\n    pass\n"
    (audit_folder.path / "test_audit.py").write_text(f"import pytest\n{TEST}\n{coroutine}")
    run = audit_folder.audit("-v", PYTEST_ADDOPTS="")
    assert run.counts() == {"passed": 2}, run.text
    assert run.text.index("::test_coroutine") < run.text.index("::test_sample")
