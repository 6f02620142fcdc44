"""The state table, the comparison of pages, and the limits that end a sample."""

from __future__ import annotations

import itertools

import pytest
from unit.agent.transitions import page

from pytest_bwa.agent.limits import Limits, turns_page
from pytest_bwa.agent.state import FINAL_STATES, TRANSITIONS, State, StateMachine
from pytest_bwa.agent.verification import verify
from pytest_bwa.errors import LimitReached, SiteUnreachable
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, ActionResult, Observation


def limits_for(**keys: object) -> Limits:
    fields = {"task_id": "t", "goal": "g", "output_schema": {"a": "string"}, **keys}
    return Limits(TaskSpec.model_validate(fields))


def test_only_transitions_in_the_table_are_allowed():
    for state, next_state in itertools.product(State, State):
        machine = StateMachine()
        machine.state = state
        is_allowed = next_state in TRANSITIONS[state] or (
            next_state is State.FAILED and state not in FINAL_STATES
        )
        if is_allowed:
            machine.to(next_state)
            assert machine.state is next_state
        else:
            with pytest.raises(ValueError, match="must not follow"):
                machine.to(next_state)


def test_every_change_of_state_is_announced():
    states: list[State] = []
    machine = StateMachine(states.append)
    machine.to(State.PERCEIVING)
    machine.to(State.PLANNING)
    with pytest.raises(ValueError, match="must not follow"):
        machine.to(State.RECORDING)
    assert states == [State.PERCEIVING, State.PLANNING]


def test_an_interruption_lets_another_action_begin_in_every_state_that_is_not_final():
    for state in State:
        machine = StateMachine()
        machine.state = state
        if state in FINAL_STATES:
            with pytest.raises(ValueError, match="nothing follows"):
                machine.interrupt()
        else:
            machine.interrupt()
            machine.to(State.EXECUTING)


def test_the_time_in_each_state_is_counted_once(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("pytest_bwa.agent.state.time.monotonic", lambda: now[0])
    machine = StateMachine()
    for state, seconds in ((State.PERCEIVING, 0.25), (State.PLANNING, 3), (State.EXECUTING, 0.5)):
        machine.to(state)
        now[0] += seconds
    assert machine.take_seconds() == {
        "IDLE": 0, "PERCEIVING": 0.25, "PLANNING": 3, "EXECUTING": 0.5,
    }  # fmt: skip
    now[0] += 1
    machine.to(State.VERIFYING)
    assert machine.take_seconds() == {"EXECUTING": 1, "VERIFYING": 0}


def test_the_verifier_compares_url_tree_and_text():
    before = Observation(url="a", title="", dom_hash="1", text="x")
    assert not verify(before, before).changed
    assert verify(before, Observation(url="b", title="", dom_hash="1", text="x")).url_changed
    assert verify(before, Observation(url="a", title="", dom_hash="2", text="x")).dom_changed
    assert verify(before, Observation(url="a", title="", dom_hash="1", text="y")).text_changed


def test_steps_and_seconds_are_limited():
    limits = limits_for(max_steps=2)
    limits.check(2)
    with pytest.raises(LimitReached, match="2 steps"):
        limits.check(3)
    with pytest.raises(LimitReached, match="time limit"):
        limits_for(max_time_seconds=1e-9).check(1)


def test_only_infrastructure_errors_in_a_row_end_the_sample():
    limits = limits_for(max_consecutive_network_errors=2)
    fault = ActionResult(False, "x", error="no network", infrastructure=True)
    wrong_selector = ActionResult(False, "x", error="no such element")
    for result in (fault, wrong_selector, fault):
        limits.count_faults(result)
    limits.check(1)
    limits.count_faults(fault)
    with pytest.raises(SiteUnreachable, match="no network"):
        limits.check(1)


@pytest.mark.parametrize(
    "name", ["Next", "next page", "Load more", "Show more", "Older", "Newer", "»", "›", "Page 2",
             "Next ›", "→"]
)  # fmt: skip
def test_a_click_on_a_paging_control_turns_a_page(name):
    assert turns_page(Action(action="click", selector="0"), page(names=(name,)))
    assert turns_page(Action(action="click", selector=name), page())


@pytest.mark.parametrize("name", ["Next steps for the team", "Save", "Older brother", "12"])
def test_a_click_on_another_control_does_not_turn_a_page(name):
    assert not turns_page(Action(action="click", selector="0"), page(names=(name,)))
