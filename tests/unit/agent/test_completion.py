"""What ``done`` needs to be accepted."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.agent.completion import check
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Artifact


def task(**keys: Any) -> TaskSpec:
    fields = {
        "name": "string | null",
        "count": "number | null",
        "open": "boolean",
        "items": "array",
    }
    return TaskSpec.model_validate({"task_id": "t", "goal": "g", "output_schema": fields, **keys})


def screenshot(label: str, number: int = 1) -> Artifact:
    return Artifact(
        filename=f"{number:02d}_{label}.png",
        sha256="0",
        source_url="u",
        timestamp="t",
        label=label,
        step=1,
    )


def downloaded(name: str, fault: str = "") -> Artifact:
    file = screenshot(name).model_copy(update={"filename": f"downloads/{name}"})
    return file.model_copy(update={"fault": fault})


@pytest.mark.parametrize("value", [0, False, "", []])
def test_falsy_values_are_values(value):
    required = task(required_fields=["items"], output_schema={"items": {}})
    assert check(required, {"items": value}, None, []).missing == ()


@pytest.mark.parametrize("extracted", [{}, {"name": None}])
def test_an_absent_field_and_null_are_missing(extracted):
    completion = check(task(required_fields=["name"]), extracted, None, [])
    assert completion.missing == ("name",)
    assert not completion.accepted
    assert "these are missing: name" in completion.notice()


@pytest.mark.parametrize(
    ("label", "is_met"),
    [("checks", True), ("Checks", True), ("check", False), ("screenshot", True), ("pr_page", True)],
)
def test_required_artifacts_match_saved_screenshots_by_label(label, is_met):
    saved = [screenshot("ci_checks"), screenshot("pr-page", 2)]
    completion = check(task(required_artifacts=[label]), {}, None, saved)
    assert (completion.missing == ()) is is_met


@pytest.mark.parametrize(
    ("label", "saved", "is_met"),
    [
        ("invoice-B-2.pdf", downloaded("invoice-B-2.pdf"), True),
        ("invoice-B-2.pdf", downloaded("Old_invoice-B-2.PDF"), True),
        ("Rechnung für B.pdf", downloaded("Rechnung für B.pdf"), True),
        ("plan.xlsx", downloaded("plan.xlsx"), True),
        ("chart.png", downloaded("chart.png"), True),
        ("chart", downloaded("chart.png"), True),
        ("invoice.pdf", screenshot("invoice.pdf"), False),
        ("chart.png", screenshot("chart.png"), False),
        ("invoice.pdf", downloaded("invoice.pdf", "it is empty"), False),
        ("invoice", downloaded("invoice.pdf", "it is empty"), False),
        ("invoice.pdf", downloaded("invoice.pdf.html"), False),
        ("invoice.pdf", downloaded("invoice_pdf.csv"), False),
        ("invoice-B-2.pdf", downloaded("invoice-B-22.pdf"), False),
        ("screenshot", downloaded("chart.png"), False),
        ("step 1.5", screenshot("step 1.5"), True),
        ("page of example.com", screenshot("page of example.com"), True),
    ],
)
def test_a_label_that_ends_like_a_file_needs_a_sound_file_of_the_sample(label, saved, is_met):
    completion = check(task(required_artifacts=[label]), {}, None, [saved])
    assert (completion.missing == ()) is is_met, completion.missing


def test_what_is_wrong_with_a_file_is_said_where_it_is_missing():
    required = task(required_artifacts=["invoice.pdf"])
    saved = [screenshot("a"), downloaded("invoice.pdf", "the site sent a page: “Log in”")]
    assert check(required, {}, None, saved[:1]).missing == ("file invoice.pdf, downloaded",)
    fault = "downloads/invoice.pdf does not count: the site sent a page: “Log in”"
    assert check(required, {}, None, saved).missing == (f"file invoice.pdf, downloaded ({fault})",)


def test_a_picture_that_was_downloaded_is_no_evidence_of_a_judgment():
    judgment = {"answer": "yes", "confidence": 1, "reasoning": "r"}
    judged = task(judgment_required=True, judgment_question="?")
    saved = [screenshot("a"), downloaded("chart.png")]
    for name, accepted in (("01_a.png", True), ("downloads/chart.png", False)):
        answer = {**judgment, "evidence_refs": [name]}
        assert check(judged, {}, answer, saved).accepted is accepted


def test_labels_of_any_script_are_told_apart():
    required = task(required_artifacts=["отчёт"])
    assert check(required, {}, None, [screenshot("проверка")]).missing == ("screenshot отчёт",)
    assert check(required, {}, None, [screenshot("Отчёт 2024")]).missing == ()
    called_page = task(required_artifacts=["page"])  # as the files of such labels are
    other = screenshot("проверка").model_copy(update={"filename": "01_page.png"})
    assert check(called_page, {}, None, [other]).missing == ("screenshot page",)
    assert check(called_page, {}, None, [screenshot("page 2")]).missing == ()


def test_values_of_the_wrong_type_are_refused():
    completion = check(task(), {"count": "many", "open": "yes"}, None, [])
    assert len(completion.problems) == 2
    assert "count" in completion.notice()
    assert not completion.accepted


@pytest.mark.parametrize(
    ("extracted", "count"), [({"items": [1, 2]}, 2), ({"items": None}, 0), ({}, 0)]
)
def test_a_short_array_is_accepted_as_incomplete_and_a_null_is_the_shortest(extracted, count):
    for expected in (3, {"items": 3}):
        completion = check(task(expected_items=expected), extracted, None, [])
        assert completion.accepted
        assert completion.short == (f"items has {count} of 3 items",)


@pytest.mark.parametrize("nothing", [None, "", {}, {"name": None, "tags": [""]}])
def test_an_entry_without_a_value_is_no_item(nothing):
    for items, count in (([1, nothing, nothing], 1), ([{"name": "a"}, [0], nothing], 2)):
        completion = check(task(expected_items=3), {"items": items}, None, [])
        assert completion.short == (f"items has {count} of 3 items",)


def test_each_array_has_its_own_number_of_items_and_others_have_any():
    fields = {"prs": "array", "tags": "array | null", "labels": "array"}
    counted = task(output_schema=fields, expected_items={"prs": 2, "tags": 1})
    completion = check(counted, {"prs": [1, 2], "tags": [], "labels": []}, None, [])
    assert completion.short == ("tags has 0 of 1 items",)


def test_a_judgment_is_required_validated_and_must_name_saved_screenshots():
    with_judgment = task(judgment_required=True, judgment_question="?")
    good = {"answer": "no", "confidence": 0.5, "reasoning": "r", "evidence_refs": ["01_page.png"]}
    saved = [screenshot("page")]
    assert check(with_judgment, {}, good, saved).judgment is not None
    assert not check(with_judgment, {}, None, saved).accepted
    for changes in (
        {"answer": "maybe"},
        {"confidence": 2},
        {"evidence_refs": ["02_no.png"]},
        {"evidence_refs": []},
        {"reasoning": " "},
    ):
        completion = check(with_judgment, {}, {**good, **changes}, saved)
        assert not completion.accepted, changes
        assert "judgment" in completion.notice()


def test_a_judgment_keeps_the_extra_keys_that_the_task_names_and_no_others():
    saved = [screenshot("page")]
    given = {
        "answer": "no", "confidence": 0.5, "reasoning": "r", "evidence_refs": ["01_page.png"],
        "severity": "high", "mood": "good",
    }  # fmt: skip
    for form in ({"severity": "low | high"}, {"properties": {"severity": {}, "answer": {}}}):
        asked = task(
            judgment_required=True, judgment_question="?", judgment_output_schema=form
        )  # fmt: skip
        judgment = check(asked, {}, given, saved).judgment
        assert judgment is not None
        assert judgment.model_dump(mode="json") == {k: v for k, v in given.items() if k != "mood"}
