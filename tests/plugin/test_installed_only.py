"""A project that merely has the plugin installed notices nothing of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from audit_folder import AuditFolder

from pytest_bwa.browser.find import find_browser

SLOW_TO_LOAD = (
    *("playwright", "anthropic", "allure", "allure_commons", "pydantic", "pydantic_settings"),
    *("PIL", "jinja2", "jsonschema", "openpyxl", "babel", "psutil", "rich", "tenacity", "yaml"),
)

OF_NO_WORKER = (
    *("pytest_bwa.policy.recipe", "pytest_bwa.audit.prepare", "pytest_bwa.audit.recipes"),
    *("pytest_bwa.audit.planner", "pytest_bwa.audit.discovery"),
    *("pytest_bwa.plugin.display.progress", "pytest_bwa.reports.recipe_summary"),
    *("PIL", "anthropic", "jinja2", "jsonschema", "openpyxl", "regex", "rich"),
)
"""What a worker does not need to begin with a sample of an audit without a recipe."""
START_OF_A_WORKER = """
import sys
import pytest_bwa.plugin.hooks
from pytest_bwa.plugin import allure_items, browser_agent, item_reports, session
from pathlib import Path
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.redaction import Redactor
load_task(Path(sys.argv[1]))
Redactor()
print(*(name for name in sys.argv[2:] if name in sys.modules))
"""

OWN_TESTS = """
import sys

import pytest


@pytest.fixture
def sample():
    return 3


def test_its_own_fixture(sample):
    assert sample == 3


@pytest.mark.parametrize(("other", "sample"), [(1, 1), (2, 2)])
def test_its_own_list(other, sample):
    assert sample == other


def test_its_own_browser(browser, browser_type, request):
    assert type(browser).__module__.startswith("playwright")
    assert type(browser_type).__module__.startswith("playwright")


def test_what_is_loaded():
    loaded = {name for name in sys.modules if name.split(".")[0] == "pytest_bwa"}
    assert not loaded & {"pytest_bwa.settings", "pytest_bwa.plugin.session"}
"""
OWN_CONFTEST = """
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": PATH, "args": ["--no-sandbox"]}
"""


def test_a_project_without_an_audit_runs_as_without_the_plugin(audit_folder: AuditFolder) -> None:
    path = str(find_browser().path)
    (audit_folder.path / "test_audit.py").unlink()
    (audit_folder.path / "conftest.py").write_text(OWN_CONFTEST.replace("PATH", repr(path)))
    (audit_folder.path / "test_own.py").write_text(OWN_TESTS)
    run = audit_folder.run_anew(
        "-p", "no:xdist", "--strict-markers", BWA_MAX_ACTIONS_PER_STEP="wrong"
    )
    assert run.counts() == {"passed": 5}, run.text
    assert "bwa:" not in run.text
    assert audit_folder.folders == []


def test_the_plugin_loads_nothing_that_takes_long() -> None:
    code = (
        "import sys; import pytest_bwa.plugin.hooks; "
        f"print(*(name for name in {SLOW_TO_LOAD!r} if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_worker_loads_what_its_samples_need(tmp_path: Path) -> None:
    spec = {"task_id": "t", "goal": "g", "output_schema": {"total": "number | null"}}
    path = tmp_path / "spec.json"
    path.write_text(json.dumps(spec))
    command = [sys.executable, "-c", START_OF_A_WORKER, str(path), *OF_NO_WORKER]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_there_is_no_fixture_called_sample(audit_folder: AuditFolder) -> None:
    (audit_folder.path / "test_audit.py").write_text("def test_other(sample): pass\n")
    run = audit_folder.run("-p", "no:playwright")
    assert run.counts() == {"error": 1}
    assert "fixture 'sample' not found" in run.text
