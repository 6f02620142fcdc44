"""When the remaining actions of a decision are dropped."""

from __future__ import annotations

import pytest
from unit.agent.transitions import page, transition

from pytest_bwa.agent.batch import reason_to_stop

FIVE = ("a", "b", "c", "d", "e")


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
