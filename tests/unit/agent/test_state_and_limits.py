"""States, the verifier, and the limits that end a sample (F-47, F-58, F-61)."""

from __future__ import annotations

import itertools

import pytest

from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.state import ENDS, TRANSITIONS, State, StateMachine
from pytest_bwa.agent.verify import verify
from pytest_bwa.errors import LimitReached, ModelFailed, PageLost
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import ActionResult, Observation


def limits(**keys: object) -> Limits:
    fields = {"task_id": "t", "goal": "g", "output_schema": {"a": "string"}, **keys}
    return Limits(TaskSpec.model_validate(fields))


def test_only_the_tables_transitions_are_allowed():
    for state, following in itertools.product(State, State):
        machine = StateMachine()
        machine.state = state
        allowed = following in TRANSITIONS[state] or (
            following is State.FAILED and state not in ENDS
        )
        if allowed:
            machine.to(following)
            assert machine.state is following
        else:
            with pytest.raises(ValueError, match="is not followed by"):
                machine.to(following)


def test_the_verifier_compares_url_tree_and_text():
    before = Observation(url="a", title="", dom_hash="1", text="x")
    assert not verify(before, before).changed
    assert verify(before, Observation(url="b", title="", dom_hash="1", text="x")).url_changed
    assert verify(before, Observation(url="a", title="", dom_hash="2", text="x")).dom_changed
    assert verify(before, Observation(url="a", title="", dom_hash="1", text="y")).text_changed


def test_steps_and_seconds_end():
    made = limits(max_steps=2)
    made.check(2)
    with pytest.raises(LimitReached, match="2 steps"):
        made.check(3)
    with pytest.raises(LimitReached, match="time limit"):
        limits(max_time_seconds=1e-9).check(1)


def test_only_infrastructure_errors_in_a_row_break_the_circuit():
    made = limits(max_consecutive_network_errors=2)
    fault = ActionResult(False, "x", error="no network", infrastructure=True)
    wrong = ActionResult(False, "x", error="no such element")
    for result in (fault, wrong, fault):
        made.count(result)
    made.check(1)
    made.count(fault)
    with pytest.raises(PageLost, match="no network"):
        made.check(1)


def test_five_failed_decisions_in_a_row_end_the_sample():
    made = limits()
    for _ in range(4):
        made.decision_failed("text only")
    made.decision_taken()
    for _ in range(4):
        made.decision_failed("text only")
    with pytest.raises(ModelFailed, match="text only"):
        made.decision_failed("text only")
