"""A worker that dies before it begins a sample, or after it has ended one."""

from __future__ import annotations

import json

from pytest_bwa.verify.verify import verify

DIES_BETWEEN_SAMPLES = """
import os
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if "before" in item.name:
        os._exit(9)

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item):
    if "after" in item.name:
        os._exit(9)
"""


def test_a_worker_that_dies_between_samples_loses_none(audit_folder):
    audit_folder.samples("adam", "before", "after", "zoe")
    (audit_folder.path / "conftest.py").write_text(DIES_BETWEEN_SAMPLES)
    ran = audit_folder.audit("-n", "1", "--alluredir=allure")
    assert ran.counts() == {"passed": 3, "failed": 1}, ran.text
    assert {row["sample_id"]: row["status"] for row in audit_folder.combined()} == {
        "adam": "done", "before": "failed", "after": "done", "zoe": "done",
    }  # fmt: skip
    assert "was killed before its first step" in audit_folder.result("before")["reason"]
    tests = [json.loads(p.read_text()) for p in audit_folder.path.glob("allure/*-result.json")]
    assert sorted((test["name"], test["status"]) for test in tests) == [
        ("adam", "passed"), ("after", "passed"), ("before", "failed"), ("zoe", "passed"),
    ]  # fmt: skip
    assert verify(audit_folder.folder).faults == ()
