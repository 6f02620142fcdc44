"""Whatever ends a sample leaves the policy one decision, with done and fail only, and says why."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from unit.agent.stage import DONE, SAVED, Stage, click, save
from unit.agent.transitions import page

from pytest_bwa.agent.state import State
from pytest_bwa.errors import DecisionUnusable, ModelFailed, PageLost
from pytest_bwa.steps.step import Action, ActionResult

FINAL = ("done", "fail")
GAVE_UP = Action(action="fail", note="I could not go on")


@pytest.fixture
def stage(tmp_path: Path) -> Callable[..., Stage]:
    return lambda *decisions, **more: Stage(tmp_path, *decisions, **more)


def without_effect(sample: Stage) -> None:
    """No action changes the page, and each is another one: after nine of them it is stuck."""
    sample.observations = [page("name: Anna")]


def without_time(sample: Stage) -> None:
    """The time is up after the second step."""
    act = sample.act

    def slow(*arguments: Any) -> ActionResult:
        if len(sample.executed) >= 2:
            sample.loop.limits._started = time.monotonic() - 100
        return act(*arguments)

    sample.act = slow


def without_network(sample: Stage) -> None:
    fault = ActionResult(False, "refused", error="refused", infrastructure=True)
    sample.results = {"click": fault}


ENDS: dict[str, tuple[Callable[[Stage], None], str]] = {
    "stuck": (without_effect, "stuck at http://site.test/page"),
    "time": (without_time, "the time limit of 50 s was reached"),
    "faults": (without_network, "5 network or browser errors in a row"),
}


def decisions(last: Any) -> list[Any]:
    """Nine clicks on different elements, and then what is decided at the end."""
    return [[click(str(number))] for number in range(9)] + [last]


def play(stage: Callable[..., Stage], end: str, last: Any) -> Stage:
    """A sample that clicks until it reaches a limit, and then decides ``last``."""
    sample = stage(*decisions(last), max_steps=20, task={"max_time_seconds": 50})
    ENDS[end][0](sample)
    decide = sample.decide

    def decide_last(turn: Any) -> Any:
        if turn.allowed == FINAL:
            sample.decisions = [last]
        return decide(turn)

    sample.decide = decide_last
    return sample


@pytest.mark.parametrize("end", ENDS)
def test_a_limit_leaves_one_decision_with_done_and_fail_only_and_says_why(stage, end):
    sample = play(stage, end, [DONE])
    outcome = sample.run()
    last = sample.turns[-1]
    assert last.allowed == FINAL
    assert [turn.allowed for turn in sample.turns].count(FINAL) == 1
    assert f"This is the last decision of the sample: {ENDS[end][1]}" in last.notices[-1]
    assert last.notices[-1].endswith("Only done and fail are left.")
    assert last.seconds_left is not None
    assert last.seconds_left > 20
    assert (outcome.status, dict(outcome.extracted)) == ("done", SAVED)
    assert any(ENDS[end][1] in note for note in sample.loop.progress.notes)


@pytest.mark.parametrize("end", ENDS)
def test_what_is_not_done_has_the_limit_as_its_reason_too(stage, end):
    outcome = play(stage, end, [GAVE_UP]).run()
    assert outcome.status == "failed"
    assert "I could not go on" in outcome.reason
    assert ENDS[end][1] in outcome.reason
    assert outcome.broken is (end == "faults")


def test_saved_data_of_a_sample_that_gives_up_at_a_limit_is_a_partial_success(stage):
    sample = play(stage, "time", [GAVE_UP])
    sample.decisions.insert(0, [save(name="Anna")])
    outcome = sample.run()
    assert (outcome.status, dict(outcome.extracted)) == ("partial_success", SAVED)
    assert "I could not go on; the time limit" in outcome.reason


@pytest.mark.parametrize(
    "ignoring", [DecisionUnusable("no such tool"), [click("30")]], ids=["unusable", "executed"]
)
def test_a_last_decision_that_is_not_used_ends_the_sample(stage, ignoring):
    sample = play(stage, "stuck", ignoring)
    outcome = sample.run()
    assert outcome.status == "failed"
    assert outcome.reason.startswith("stuck at")
    assert len([turn for turn in sample.turns if turn.allowed == FINAL]) <= 2


@pytest.mark.parametrize("end", ["stuck", "time"])
def test_a_page_or_a_model_that_is_gone_at_the_last_decision_keeps_the_first_reason(stage, end):
    outcome = play(stage, end, ModelFailed("529")).run()
    assert outcome.reason.startswith(ENDS[end][1])
    sample = play(stage, end, [DONE])
    observe = sample.observe

    def lost() -> Any:
        if sample.loop.limits.end is not None:
            raise PageLost("gone")
        return observe()

    sample.observe = lost
    assert sample.run().reason.startswith(ENDS[end][1])


def test_no_step_is_left_over_at_a_limit_inside_of_a_batch(stage):
    sample = stage([click("0"), click("0"), click("0")], [DONE], task={"max_time_seconds": 50})
    without_time(sample)
    outcome = sample.run()
    assert outcome.status == "done"
    assert sample.executed == ["goto", "click", "click"]
    assert [step.step for step in sample.writer.steps] == [0, 1, 2, 3]
    assert sample.loop.states.state is State.COMPLETE


# -- pictures beside actions ---------------------------------------------------------------------


def labelled(action: str, **more: Any) -> Action:
    return Action(action=action, screenshot_label="record", **more)


RECORD = {"required_artifacts": ["record"]}


def test_a_picture_beside_an_action_is_its_evidence_and_costs_no_step(stage):
    sample = stage([labelled("click", selector="1")], [DONE], task=RECORD)
    assert sample.run().status == "done"
    click_step = next(step for step in sample.writer.steps if step.action == "click")
    assert click_step.artifact == "01_record.png"
    assert click_step.result.startswith("it worked; saved 01_record.png")
    assert "screenshot" not in sample.executed


def test_an_action_that_failed_has_no_picture(stage):
    sample = stage([labelled("click", selector="1")], [DONE])
    sample.results["click"] = ActionResult(False, "no such element", error="no such element")
    sample.run()
    assert not any(a.label == "record" for a in sample.writer.artifacts)


def test_a_picture_beside_done_is_there_when_done_is_checked_and_the_judgment_may_name_it(stage):
    judgment = {
        "answer": "yes", "confidence": 1.0, "reasoning": "it says so", "evidence_refs": ["record"],
    }  # fmt: skip
    done = labelled("done", extracted=SAVED, judgment=judgment)
    asked = {"judgment_required": True, "judgment_question": "q"}
    sample = stage([done], task={**RECORD, **asked})
    outcome = sample.run()
    assert (outcome.status, len(sample.turns)) == ("done", 1), outcome.reason
    assert outcome.judgment.evidence_refs == ["01_record.png"]
    assert [a.filename for a in sample.writer.artifacts] == ["01_record.png"]


def test_a_record_page_with_its_required_picture_is_one_decision(stage):
    sample = stage([DONE], task=RECORD)
    outcome = sample.run()
    assert (outcome.status, len(sample.turns)) == ("done", 1), outcome.reason
    assert [a.filename for a in sample.writer.artifacts] == ["01_record.png"]
