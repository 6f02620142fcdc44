"""Relative addresses: what completes them, and a refusal before any browser where nothing does."""

from __future__ import annotations

import json

import pytest
from audit_folder import AuditFolder
from test_bad_input import error_line

ADVICE = (
    'the address of adam, "/adam", is relative: pass --base-url, set base_url in the ini file, or '
    "override the fixture base_url in a conftest.py"
)
FIXTURE = """
import pytest

@pytest.fixture(scope="session")
def base_url():
    return "{url}"
"""
ARGUMENTS = """
import pytest

@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    return {{**browser_context_args, "base_url": "{url}"}}
"""
BOUND = """
import pytest
pytestmark = pytest.mark.bwa(task="spec.json", samples="samples.csv")
def test_sample(browser_agent, sample):
    browser_agent.run(sample)
"""


@pytest.fixture
def relative(audit_folder: AuditFolder) -> AuditFolder:
    """An audit whose list has relative addresses."""
    audit_folder.samples("adam", "zoe")
    listed = audit_folder.path / "samples.csv"
    listed.write_text(listed.read_text().replace(audit_folder.site.url, ""))
    return audit_folder


def test_without_a_site_nothing_starts(relative: AuditFolder) -> None:
    for options in (["--plan-only"], ["--dry-run"]):
        line = error_line(relative.audit(*options))
        assert "the address of adam" in line
        assert "--base-url" in line
    assert ADVICE in error_line(relative.audit())
    assert "has no scheme" in error_line(relative.audit("--base-url=localhost:8000"))
    text = relative.audit("-n2").text
    assert ADVICE in text
    assert "hosts *" not in text
    assert relative.audit("--collect-only").status == 0, "it opens no page"
    (relative.path / "test_audit.py").write_text(BOUND)
    assert ADVICE in error_line(relative.run())
    assert (relative.folders, relative.site.requests) == ([], [])


@pytest.mark.parametrize("named", [FIXTURE, ARGUMENTS])
def test_a_fixture_names_the_site_and_wins(relative: AuditFolder, named: str) -> None:
    (relative.path / "conftest.py").write_text(named.format(url=relative.site.url))
    assert "belong to the site that a fixture names" in relative.audit("--plan-only").text
    run = relative.audit("--base-url=http://127.0.0.1:9")
    assert run.counts() == {"passed": 2}, run.text
    assert json.loads((relative.folder / "run.json").read_text())["base_url"] == relative.site.url


def test_a_fixture_that_names_nothing_ends_the_run_before_a_browser(relative: AuditFolder) -> None:
    (relative.path / "conftest.py").write_text(FIXTURE.format(url=""))
    run = relative.audit()
    assert run.counts() == {"failed": 1}, run.text
    assert ADVICE in run.text
    assert "hosts *" not in run.text
    assert relative.record()["browsers"] == []


def test_the_ini_file_names_the_site(relative: AuditFolder) -> None:
    (relative.path / "pytest.ini").write_text(f"[pytest]\nbase_url = {relative.site.url}\n")
    run = relative.audit("-k", "adam")
    assert run.counts() == {"passed": 1, "deselected": 1}, run.text
    assert f"hosts {relative.site.url.removeprefix('http://')}" in run.text
