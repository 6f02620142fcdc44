"""What the loop and a recorded policy hand to the trajectory of a sample."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from unit.agent.stage import DONE, Stage
from unit.agent.transitions import page

from pytest_bwa.agent.recorded_policy import RecordedPolicy
from pytest_bwa.errors import DecisionUnusable, ModelFailed
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.policy.claude.prompt import user_message
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.exchange import Exchange
from pytest_bwa.steps.step import Action, ActionResult, Decision, ModelAnswer, Usage

TURN = Turn(
    observation=page(), task=TaskSpec(task_id="t", goal="g"), sample=Sample("s"), step=3,
    max_steps=9,
)  # fmt: skip
EXCHANGE = Exchange("decision", "claude-test", ("rules",), ())
USAGE = Usage(calls=1, input_tokens=7)


class Notes:
    """A trajectory that remembers what it was given."""

    def __init__(self) -> None:
        self.calls: list[tuple[Exchange | None, Usage, dict[str, Any]]] = []
        self.steps: list[tuple[Any, ...]] = []

    def add_call(self, exchange: Exchange | None, usage: Usage, **more: Any) -> None:
        self.calls.append((exchange, usage, more))

    def add_step(self, step: Any, before: Any, after: Any, verdict: Any, *, secret: str = ""):
        self.steps.append((step, before, after, verdict, secret))


class Scripted:
    """A policy with all helpers; each raises ``problem`` if there is one."""

    name, model, reads_labelled_values = "claude", "claude-test", False

    def __init__(self, problem: DecisionUnusable | ModelFailed | None = None) -> None:
        self._problem = problem
        self.helpers = ModelHelpers(summarizer=self, finalizer=self, vision_model=self)

    def _answer(self, answer: Any) -> Any:
        if self._problem is None:
            return answer
        self._problem.exchange = EXCHANGE
        raise self._problem

    def decide(self, turn: Turn) -> Decision:
        return self._answer(Decision((DONE,), USAGE, exchange=EXCHANGE))

    def is_needed(self, turn: Turn) -> bool:
        return True

    def summarize(self, turn: Turn, steps: Any) -> ModelAnswer:
        return self._answer(ModelAnswer("FOUND", USAGE, exchange=EXCHANGE))

    def finalize(self, turn: Turn, why: str, *, model_failed: bool) -> Decision:
        return self._answer(Decision((DONE,), USAGE, exchange=EXCHANGE))

    def read_picture(self, png: bytes, question: str, seconds_left: float | None) -> ModelAnswer:
        return self._answer(ModelAnswer("a chart", USAGE, exchange=EXCHANGE))

    def close(self) -> None: ...


def ask_everything(policy: RecordedPolicy) -> None:
    helpers = policy.helpers
    assert helpers.summarizer is not None
    assert helpers.finalizer is not None
    assert helpers.vision_model is not None
    assert helpers.summarizer.is_needed(TURN)
    for ask in (
        lambda: policy.decide(TURN),
        lambda: helpers.summarizer.summarize(TURN, []),
        lambda: helpers.finalizer.finalize(TURN, "over", model_failed=False),
        lambda: helpers.vision_model.read_picture(b"", "?", None),
    ):
        try:
            ask()
        except ModelFailed:
            continue


@pytest.mark.parametrize("problem", [None, ModelFailed("no answer", USAGE)])
def test_every_call_of_a_model_is_recorded(problem):
    notes = Notes()
    ask_everything(RecordedPolicy(Scripted(problem), notes))
    assert [(exchange, usage) for exchange, usage, _ in notes.calls] == [(EXCHANGE, USAGE)] * 4
    assert [more.get("step") for *_, more in notes.calls] == [3, 3, 3, None]
    assert notes.calls[0][2]["page"] is TURN.observation
    errors = {more.get("error", "") for *_, more in notes.calls}
    assert errors == ({"no answer"} if problem else {""})


def test_an_unusable_decision_is_recorded_and_raised():
    notes = Notes()
    policy = RecordedPolicy(Scripted(DecisionUnusable("no tool call", USAGE)), notes)
    with pytest.raises(DecisionUnusable):
        policy.decide(TURN)
    assert notes.calls[0][2]["error"] == "no tool call"


def test_the_loop_hands_over_every_step_and_what_was_typed_into_a_password_field(tmp_path):
    typing = Action(action="type", selector="0", text="hunter2")
    notes = Notes()
    stage = Stage(tmp_path, [typing], [DONE], trajectory=notes)
    stage.results["type"] = ActionResult(True, "typed 7 characters", is_secret=True)
    stage.run()
    log = stage.writer.steps
    assert [step for step, *_ in notes.steps] == log
    assert [step.action for step in log] == ["goto", "type", "done"]
    typed = notes.steps[1]
    assert (typed[0].params["text"], typed[4]) == ("***", "hunter2")
    assert typed[3] is not None
    assert typed[1] != typed[2], "the observations before and after"
    assert [secret for *_, secret in notes.steps] == ["", "hunter2", ""]


@pytest.mark.parametrize("says", ["Enter the password hunter2", "Enter your password"])
def test_a_password_that_the_page_itself_shows_is_masked_on_the_disk_and_not_for_the_model(
    tmp_path, says
):
    stage = Stage(tmp_path, [Action(action="type", selector="0", text="hunter2")], [DONE])
    stage.observations = [page(says)]
    stage.results["type"] = ActionResult(True, "typed 7 characters", is_secret=True)
    stage.run()
    read = user_message(replace(stage.turns[-1], observation=page(names=("hunter2",))))
    assert ('"hunter2"' in read) == ("hunter2" in says)
    assert "hunter2" not in (stage.writer.folder / "action_log.json").read_text()


def test_every_decision_is_given_the_exemplars(tmp_path):
    stage = Stage(tmp_path, [Action(action="click", selector="0")], [DONE], exemplars=("- done",))
    stage.run()
    assert [turn.exemplars for turn in stage.turns] == [("- done",)] * 2
