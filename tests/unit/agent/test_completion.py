"""What ``done`` must bring before it may stand (F-50, F-51, F-60)."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.agent.completion import check
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Artifact


def task(**keys: Any) -> TaskSpec:
    fields = {
        "name": "string | null",
        "count": "number | null",
        "open": "boolean",
        "items": "array",
    }
    return TaskSpec.model_validate({"task_id": "t", "goal": "g", "output_schema": fields, **keys})


def picture(label: str, number: int = 1) -> Artifact:
    return Artifact(
        filename=f"{number:02d}_{label}.png",
        sha256="0",
        source_url="u",
        timestamp="t",
        label=label,
        step=1,
    )


@pytest.mark.parametrize("value", [0, False, "", []])
def test_falsy_values_are_values(value):
    required = task(required_fields=["items"], output_schema={"items": {}})
    assert check(required, {"items": value}, None, []).missing == ()


@pytest.mark.parametrize("extracted", [{}, {"name": None}])
def test_an_absent_field_and_null_are_missing(extracted):
    found = check(task(required_fields=["name"]), extracted, None, [])
    assert found.missing == ("name",)
    assert not found.accepted
    assert "these are missing: name" in found.notice()


@pytest.mark.parametrize(
    ("label", "met"),
    [("checks", True), ("Checks", True), ("check", False), ("screenshot", True), ("pr_page", True)],
)
def test_required_artifacts_match_saved_screenshots_by_label(label, met):
    saved = [picture("ci_checks"), picture("pr-page", 2)]
    found = check(task(required_artifacts=[label]), {}, None, saved)
    assert (found.missing == ()) is met


def test_types_must_hold():
    found = check(task(), {"count": "many", "open": "yes"}, None, [])
    assert len(found.problems) == 2
    assert "count" in found.notice()
    assert not found.accepted


def test_a_short_array_is_accepted_as_incomplete():
    found = check(task(expected_items=3), {"items": [1, 2]}, None, [])
    assert found.accepted
    assert found.short == ("items has 2 of 3 items",)


def test_a_judgment_is_required_typed_and_names_saved_pictures():
    judged = task(judgment_required=True, judgment_question="?")
    good = {"answer": "no", "confidence": 0.5, "reasoning": "r", "evidence_refs": ["01_page.png"]}
    saved = [picture("page")]
    assert check(judged, {}, good, saved).judgment is not None
    assert not check(judged, {}, None, saved).accepted
    for wrong in ({"answer": "maybe"}, {"confidence": 2}, {"evidence_refs": ["02_no.png"]}):
        found = check(judged, {}, {**good, **wrong}, saved)
        assert not found.accepted, wrong
        assert "judgment" in found.notice()
