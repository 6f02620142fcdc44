"""A place that is right in three known samples or more, and wrong in none, is doubted no more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from unit.reports.test_run_summary import TASK, a_run, stands
from unit.reports.verify.test_reviews import review

from pytest_bwa.evidence.folder import SPEC
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.proof.flagging import flag
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.terminal import summary_lines
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt

FORM = TaskSpec(**{**TASK, "output_schema": {"phone": "string"}})
ABOUT = "doubt about phone under “Phone” (the page says something else there, too)"


def found(
    right: bool | None,
    detail: str = "Phone | 8",
    code: Doubt = Doubt.OTHER_VALUE,
    heading: str = "Work",
    **more: Any,
) -> dict[str, Any]:
    """A result that is flagged for a doubt; ``right``: whether its value is as expected."""
    record: Grounding = stands(heading).with_doubts({code: detail})
    known = {"phone": {"expected": "7" if right else "9", "found": "7", "equal": right}}
    given = {
        "status": "done", "outcome": "found", "extracted": {"phone": "7"},
        "grounding": {"phone": record}, "expected": known if right is not None else {}, **more,
    }  # fmt: skip
    result = SampleResult(sample_id="s", task_id="hr", **given)
    flag(result, tried_forbidden=False)
    result.notes[:0] = result.differences
    return {**given, "flagged": result.flagged, "notes": result.notes}


def ended(folder: Path, results: list[dict[str, Any]]) -> FinishedRun:
    run = a_run(folder, results, len(results))
    (run.path / SPEC).write_text(FORM.model_dump_json())
    rows = [f"s{n},\n" for n in range(len(results))]
    (run.path / "samples.csv").write_text("".join(["sample_id,expected.phone\n", *rows]))
    return finish_run(run, 0, "")


def flagged(run: FinishedRun) -> list[str]:
    return [result.sample_id for result in run.results if result.flagged]


def test_a_place_that_is_right_in_three_known_samples_clears_its_doubt_in_all(tmp_path):
    unlike = found(None, heading="Emergency contact")
    other = found(None, code=Doubt.HIDDEN)
    noted, remarked = found(None), found(None, "Phone | 5")
    noted["notes"].append("no heading above its values names it")
    remarked["notes"].append("read on the page “Record”")
    run = ended(tmp_path, [*[found(True)] * 3, remarked, unlike, other, noted])
    assert flagged(run) == ["s4", "s5", "s6"]
    assert sorted(run.cleared_late) == ["s0", "s1", "s2", "s3", "s6"]
    assert list(run.flagged_late) == ["s4"], "where it stands is odd, too"
    kept = run.folder.result("s3")
    assert kept is not None
    assert kept.notes[1:] == [f"{ABOUT} cleared: right in 3 known samples"]
    seen = kept.grounding["phone"]
    assert (seen.doubts, seen.against) == (("other_value",), {"other_value": "Phone | 5"})
    assert seen.cleared == {"other_value": "right in 3 known samples"}
    line = f"{ABOUT} cleared in 5 samples: right in 3 known samples"
    assert run.record.expected.cleared == [line]
    lines = summary_lines(run)
    assert f"expected  {line}" in lines
    assert "review    3 flagged: s4, s5, s6" in lines
    text = review(run.folder.path, "", "--reviewer", "ada")
    assert "s4 (1 of 3)" in text
    assert "s3" not in text


@pytest.mark.parametrize(
    "results",
    [
        pytest.param([*[found(True)] * 2, found(None)], id="right in two"),
        pytest.param([*[found(True)] * 9, found(False), found(None)], id="wrong in one"),
        pytest.param(
            [*[found(True)] * 9, found(False, code=Doubt.HIDDEN), found(None)],
            id="wrong for another reason",
        ),
        pytest.param(
            [found(True, f"note {n}", Doubt.NOTE_BESIDE) for n in range(4)], id="unread texts"
        ),
    ],
)
def test_what_is_known_of_too_few_or_was_wrong_once_clears_nothing(tmp_path, results):
    run = ended(tmp_path, results)
    assert len(flagged(run)) == len(results)
    assert run.cleared_late == {}
    assert run.record.expected.cleared == []


def test_a_sample_that_needs_a_review_for_cleared_doubts_alone_is_not_asked_for(tmp_path):
    said = 'phone ("7"): the page also says “Phone | 8”'
    unweighed = found(True, status="needs_review", reason=said)
    unweighed["expected"]["phone"]["equal"] = None  # not done: a policy without a model
    run = ended(tmp_path, [unweighed] * 4)
    kept = run.folder.result("s0")
    assert kept is not None
    assert (kept.status, kept.notes) == (
        "needs_review", [f"{ABOUT} cleared: right in 4 known samples"],
    )  # fmt: skip
    assert "decisions by ada written: 0" in review(run.folder.path, "", "--reviewer", "ada")


def test_what_a_resumed_run_finds_to_be_wrong_is_doubted_again(tmp_path):
    run = ended(tmp_path, [*[found(True)] * 4, found(None)])
    assert flagged(run) == []
    assert finish_run(run.folder, 0, "").changed_late == {}, "it is said once"
    wrong = SampleResult(sample_id="s3", task_id="hr", **found(False))
    (run.folder.sample("s3") / "result.json").write_text(wrong.model_dump_json())
    again = finish_run(run.folder, 0, "")
    assert flagged(again) == ["s0", "s1", "s2", "s3", "s4"]
    assert again.flagged_late["s4"] == 'phone ("7"): the page also says “Phone | 8”'
    assert again.record.expected.cleared == []
