"""STUCK: what is tried, and what is said when it does not help (F-61)."""

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


def test_three_steps_without_effect_are_stuck_and_an_effect_begins_anew():
    recovery = Recovery()
    assert [recovery.after(transition()) for _ in range(3)] == [False, False, True]
    recovery = Recovery()
    recovery.after(transition())
    recovery.after(transition())
    recovery.after(transition(after=page("moved")))
    assert [recovery.after(transition()) for _ in range(3)] == [False, False, True]


def test_steps_that_cannot_change_a_page_do_not_count():
    recovery = Recovery()
    assert not any(recovery.after(transition("extract", selector="0")) for _ in range(9))


def test_scrolling_then_loading_anew_then_a_diagnosis():
    recovery, seen = Recovery(), page(busy=True)
    assert recovery.action(seen, []).action == "scroll"
    again = recovery.action(seen, [])
    assert (again.action, again.url) == ("goto", PAGE)
    steps = [step("3"), step("3"), step("Save", error="it is disabled")]
    with pytest.raises(Stuck) as caught:
        recovery.action(seen, steps)
    said = str(caught.value)
    for words in (
        f"stuck at {PAGE}", "the last 3 actions led nowhere", "click 3 ×2", "click Save",
        "scrolling and loading the page anew did not help", "the last error: it is disabled",
        "still loading",
    ):  # fmt: skip
        assert words in said


def test_a_filled_form_is_never_loaded_anew():
    recovery = Recovery()
    field = Element(1, (0, 1), "textbox", "Name", value="Ann")
    seen = dataclasses.replace(page(), elements=(field,))
    recovery.action(seen, [])
    with pytest.raises(Stuck, match="scrolling did not help"):
        recovery.action(seen, [step("1")])


def test_a_page_that_moved_again_may_be_helped_anew():
    recovery = Recovery()
    assert recovery.action(page(), []).action == "scroll"
    recovery.recovered()
    assert recovery.action(page(), []).action == "scroll"
