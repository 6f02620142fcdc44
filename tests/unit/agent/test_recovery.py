"""Recovery of a stuck sample: which actions are tried, and the diagnosis if none helps."""

from __future__ import annotations

import dataclasses

import pytest
from unit.agent.transitions import PAGE, page, transition

from pytest_bwa.agent.recovery import Recovery
from pytest_bwa.errors import Stuck
from pytest_bwa.steps import Element, Step


def step(selector: str, error: str | None = None) -> Step:
    return Step(
        step=1, action="click", params={"selector": selector}, result="", success=error is None,
        error=error, url=PAGE, changed=False, started_at="", timestamp="",
    )  # fmt: skip


def test_three_steps_without_effect_mean_stuck_and_a_change_restarts_the_count():
    recovery = Recovery()
    assert [recovery.is_stuck_after(transition()) for _ in range(3)] == [False, False, True]
    recovery = Recovery()
    recovery.is_stuck_after(transition())
    recovery.is_stuck_after(transition())
    recovery.is_stuck_after(transition(after=page("changed")))
    assert [recovery.is_stuck_after(transition()) for _ in range(3)] == [False, False, True]


def test_steps_that_cannot_change_a_page_do_not_count():
    recovery = Recovery()
    assert not any(recovery.is_stuck_after(transition("extract", selector="0")) for _ in range(9))


def test_scrolling_then_reloading_then_a_diagnosis():
    recovery, observation = Recovery(), page(busy=True)
    assert recovery.next_action(observation, []).action == "scroll"
    second = recovery.next_action(observation, [])
    assert (second.action, second.url) == ("goto", PAGE)
    steps = [step("3"), step("3"), step("Save", error="it is disabled")]
    with pytest.raises(Stuck) as caught:
        recovery.next_action(observation, steps)
    diagnosis = str(caught.value)
    for part in (
        f"stuck at {PAGE}", "the last 3 actions had no effect", "click 3 ×2", "click Save",
        "scrolling and reloading the page did not help", "the last error: it is disabled",
        "still loading",
    ):  # fmt: skip
        assert part in diagnosis


def test_a_page_with_a_filled_form_is_never_reloaded():
    recovery = Recovery()
    field = Element(1, (0, 1), "textbox", "Name", value="Ann")
    observation = dataclasses.replace(page(), elements=(field,))
    recovery.next_action(observation, [])
    with pytest.raises(Stuck, match="scrolling did not help"):
        recovery.next_action(observation, [step("1")])


def test_recovery_actions_may_be_tried_again_after_the_page_changed():
    recovery = Recovery()
    assert recovery.next_action(page(), []).action == "scroll"
    recovery.reset()
    assert recovery.next_action(page(), []).action == "scroll"
