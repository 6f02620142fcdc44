"""When the remaining actions of a decision are dropped."""

from __future__ import annotations

import pytest
from unit.agent.transitions import page, transition

from pytest_bwa.agent import batch
from pytest_bwa.agent.transition import Transition
from pytest_bwa.steps import Action

FIVE = ("a", "b", "c", "d", "e")


def reason_to_stop(after: Transition, action: str = "click", max_steps: int = 100) -> str:
    return batch.reason_to_stop(after, Action(action=action), max_steps)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (FIVE, ""),
        ((*FIVE, "f"), ""),  # exactly 20 % is allowed
        ((*FIVE, "f", "g"), "7 interactive elements instead of 5"),
        (FIVE[:3], "3 interactive elements instead of 5"),
    ],
)
def test_more_than_a_fifth_of_the_elements_changed_stops_the_batch(after, expected):
    reason = reason_to_stop(transition(before=page(names=FIVE), after=page("x", names=after)))
    assert (expected in reason) if expected else reason == ""


def test_a_failure_and_another_url_stop_the_batch():
    assert "failed" in reason_to_stop(transition(success=False, description="x"))
    other = page(url="http://site.test/other")
    assert "another URL" in reason_to_stop(transition(before=page(), after=other))
    assert reason_to_stop(transition("screenshot", label="x")) == ""


def test_the_last_step_is_left_for_done_or_fail():
    second = transition(step=2)
    assert reason_to_stop(second, max_steps=4) == ""
    assert "only the last step is left" in reason_to_stop(second, max_steps=3)
    assert reason_to_stop(second, "done", max_steps=3) == ""
    assert reason_to_stop(second, "fail", max_steps=3) == ""
