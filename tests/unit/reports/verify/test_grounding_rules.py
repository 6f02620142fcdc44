"""A value that was counted, put together or read off a state has a rule that fits it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.reports.verify.grounding import check_grounding

SEEN = {"text": "Regale | 3", "cited": True, "step": 1}


def faults(value: Any, **record: Any) -> list[str]:
    result = SampleResult.model_validate(
        {
            **{"sample_id": "s", "task_id": "t", "status": "done", "schema_version": 2},
            "extracted": {"field": value},
            "grounding": {"field": {**SEEN, **record}},
        }
    )
    return [str(fault) for fault in check_grounding(Path(), result)]


@pytest.mark.parametrize(
    ("value", "how", "rule"),
    [
        (0, "counted", "none"),
        (1, "counted", "1 line"),
        (12, "counted", "12 lines"),
        ("Ann Lee", "joined", "joined"),
        (True, "state", "yes or no"),
        ("open", "state", "choice"),
        (None, "verbatim", "null"),
        (3, "normalised", "number"),
        ("a picture has it", "vision", None),
        ("nobody has it", "unseen", None),
        ("a person decides", "derived", "the spec lists it"),
    ],
)
def test_what_a_run_writes_verifies(value, how, rule):
    assert faults(value, how=how, rule=rule) == []


@pytest.mark.parametrize(
    ("value", "how", "rule", "problem"),
    [
        (3, "counted", "2 lines", '"2 lines" is not known of a value that is counted'),
        ("two", "counted", "2 lines", '"2 lines" is not known of a value that is counted'),
        ([], "counted", "1 line", '"1 line" is not known of a value that is counted'),
        ("Ann Lee", "joined", None, '"None" is not known of a value that is joined'),
        (True, "state", "magic", '"magic" is not known of a value that is state'),
        (4, "normalised", "number", "does not stand in the text"),
        ("Kettle", "verbatim", None, "does not stand in the text"),
    ],
)
def test_what_does_not_fit_is_named(value, how, rule, problem):
    (fault,) = faults(value, how=how, rule=rule)
    assert problem in fault


def test_a_null_may_cite_an_empty_line():
    assert faults(None, how="verbatim", rule="null", text=None) == []


@pytest.mark.parametrize(
    "finding",
    [
        {"contested": ["Regale | 4"], "hidden": False, "beside": None},
        {"contested": None, "hidden": True, "unrelated": True, "other_reading": "4"},
    ],
)
def test_the_result_of_the_version_before_verifies(finding):
    """It had other findings in place of doubts, and put texts together as another form."""
    assert faults(3, how="verbatim", rule=None, **finding) == []
    assert faults("Regale 3", how="normalised", rule="joined", **finding) == []
    assert faults(True, how="derived", rule="boolean", **finding) == []
