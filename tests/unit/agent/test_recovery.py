"""Recovery of a stuck sample: which actions are tried, and the diagnosis if none helps."""

from __future__ import annotations

from dataclasses import replace

import pytest
from unit.agent.transitions import PAGE, page, transition

from pytest_bwa.agent.recovery import Recovery, diagnosis
from pytest_bwa.errors import Stuck
from pytest_bwa.steps.step import Step


def step(selector: str, error: str | None = None, action: str = "click") -> Step:
    return Step(
        step=1, action=action, params={"selector": selector}, result="", success=error is None,
        error=error, url=PAGE, changed=False, started_at="", timestamp="",
    )  # fmt: skip


def recovery(rounds: int = 0, *, may_reload: bool = True) -> Recovery:
    """A recovery after that many rounds of three steps without effect."""
    made = Recovery(may_reload=may_reload)
    for _ in range(rounds):
        stuck = [made.is_stuck_after(transition()) for _ in range(3)]
        assert stuck == [False, False, True]
    return made


def test_three_steps_without_effect_mean_stuck_and_a_change_restarts_the_count():
    recovery(1)
    changed = recovery()
    changed.is_stuck_after(transition())
    changed.is_stuck_after(transition())
    changed.is_stuck_after(transition(after=page("changed")))
    assert [changed.is_stuck_after(transition()) for _ in range(3)] == [False, False, True]


def test_steps_that_cannot_change_a_page_do_not_count():
    reading = recovery()
    assert not any(reading.is_stuck_after(transition("extract", selector="0")) for _ in range(9))


def test_faults_of_the_network_do_not_count():
    """The browser's own page for them may be empty, and the same after each of them."""
    unplugged, failed = recovery(), transition("goto", url="http://127.0.0.1:9/", success=False)
    fault = replace(failed, result=replace(failed.result, infrastructure=True))
    assert not any(unplugged.is_stuck_after(fault) for _ in range(9))
    assert any(unplugged.is_stuck_after(failed) for _ in range(9))


def test_a_page_that_is_scrolled_further_and_further_is_not_stuck():
    reading = recovery()
    scrolled = transition("scroll", direction="down", description="scrolled to 600 of 9000")
    assert not any(reading.is_stuck_after(scrolled) for _ in range(30))
    at_the_end = transition("scroll", direction="down", success=False, description="at the end")
    assert [reading.is_stuck_after(at_the_end) for _ in range(3)] == [False, False, True]


OPENED = step("", action="goto")


def test_scrolling_then_opening_the_page_anew_then_a_diagnosis():
    observation = page(busy=True)
    stuck = recovery(1)
    first = stuck.next_action(observation, [OPENED])
    assert (first.action, first.direction) == ("scroll", "down")
    for _ in range(3):
        stuck.is_stuck_after(transition())
    second = stuck.next_action(observation, [OPENED, step("", action="wait")])
    assert (second.action, second.url) == ("goto", PAGE)
    for _ in range(3):
        stuck.is_stuck_after(transition())
    steps = [step("3"), step("3"), step("Save", error="it is disabled")]
    with pytest.raises(Stuck) as caught:
        stuck.next_action(observation, steps)
    diagnosis = str(caught.value)
    for part in (
        f"stuck at {PAGE}", "the last 3 actions had no effect", "click 3 ×2", "click Save",
        "scrolling and reloading the page did not help", "the last error: it is disabled",
        "still loading",
    ):  # fmt: skip
        assert part in diagnosis


@pytest.mark.parametrize(
    ("steps", "looks", "may_reload"),
    [
        ([OPENED, step("3")], {"busy": True}, True),  # something was pressed
        ([OPENED, step("3", action="type")], {"busy": True}, True),
        ([step("3"), step("", action="wait")], {"busy": True}, True),  # a click opened it
        ([OPENED], {}, True),  # the page is whole
        ([OPENED], {"busy": True}, False),  # the task may forbid it
    ],
)
def test_a_page_is_opened_anew_only_if_nothing_was_done_on_it_and_it_did_not_come_whole(
    steps, looks, may_reload
):
    assert recovery(2, may_reload=may_reload).next_action(page(**looks), steps) is None
    assert recovery(2).next_action(page(busy=True), [OPENED]) is not None


def test_the_notice_says_what_happened_and_what_can_be_tried_and_recommends_nothing():
    stuck = recovery(1)
    stuck.next_action(page(), [])
    assert stuck.notice(page(), [step("3"), step("3"), step("Save")]) == (
        "The last 3 actions changed nothing on the page (click 3 ×2, click Save). It was scrolled "
        "down once. You can try another element, find, scroll, press, wait, back; goto with "
        "the same address reloads the page and loses what was entered."
    )


def test_everything_may_be_tried_again_after_the_page_changed():
    stuck = recovery(2)
    stuck.reset()
    for _ in range(3):
        stuck.is_stuck_after(transition())
    assert stuck.next_action(page(), []).action == "scroll"


def test_steps_that_kept_the_same_again_are_not_called_actions_without_effect():
    kept = step("", action="save_progress").model_copy(update={"changed": None})
    told = diagnosis(page(), [OPENED.model_copy(update={"changed": True}), kept])
    assert told == f"stuck at {PAGE}: the last steps brought nothing new"
