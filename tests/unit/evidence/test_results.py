"""What a sample turned out to be, and whether it passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.errors import AuditFinding, SampleBroken
from pytest_bwa.evidence.record import SampleResult, outcome_kind
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec


def result(**values: Any) -> SampleResult:
    return SampleResult.model_validate(
        {"sample_id": "a", "task_id": "t", "status": "failed", "reason": "r", **values}
    )


@pytest.mark.parametrize(
    ("status", "extracted", "fail_kind", "expected"),
    [
        ("done", {}, None, "found"),
        ("needs_review", {"name": "Ann"}, None, "found"),
        ("needs_review", {"name": None}, None, "other"),
        ("partial_success", {"count": 0}, None, "found"),
        ("failed", {}, None, "other"),
        ("failed", {"name": "Ann"}, None, "other"),
        ("failed", {"name": "Ann"}, "not_found", "not_found"),
        ("failed", {}, "access_denied", "access_denied"),
    ],
)
def test_only_a_sample_with_an_answer_is_found(status, extracted, fail_kind, expected):
    assert outcome_kind(status, extracted, fail_kind) == expected


def test_each_field_without_a_value_has_a_line_and_the_first_line_is_short():
    reason = "title: not found; the page has “Name”; due: not found; the last page is “T-1”"
    failed = result(reason=reason, missing=["title", "due"])
    failed.with_location(Path("run/a"), ["step 0 goto: opened /a", f"step 1 fail: {reason}"])
    assert failed.failure_message().splitlines() == [
        "a: failed: title: not found; the page has “Name” (and 1 more)",
        "  why:      title: not found; the page has “Name”",
        "            due: not found",
        "            the last page is “T-1”",
        "  missing:  title, due",
        "  last:     step 0 goto: opened /a",
        "            step 1 fail",
        f"  evidence: {Path('run/a')}",
    ]


def test_not_found_passes_only_if_the_run_takes_it_as_a_pass():
    missing = result(outcome="not_found")
    with pytest.raises(AuditFinding, match=r"^a: failed \(not_found\): r$"):
        missing.assert_done()
    missing.take_not_found_as("pass").assert_done()
    assert missing.passed


@pytest.mark.parametrize("outcome", ["access_denied", "blocked", "other", "found"])
def test_no_other_failure_passes(outcome):
    with pytest.raises(AuditFinding):
        result(outcome=outcome).take_not_found_as("pass").assert_done()


def test_a_broken_sample_is_no_finding_and_says_so():
    broken = result(broken=True, status="partial_success").take_not_found_as("pass")
    with pytest.raises(SampleBroken, match=r"^a: partial_success \(broken\): r$"):
        broken.assert_done()


def test_a_known_bad_sample_is_expected_to_fail_and_never_passes_as_not_found():
    task = TaskSpec(task_id="t", goal="g", not_found="pass", xfail={"b": "gone"})
    listed = Sample("c", {"sample_id": "c", "xfail": "gone"})
    rules = [task.not_found_rule(s) for s in (Sample("a"), Sample("b"), listed)]
    assert rules == ["pass", "fail", "fail"]
