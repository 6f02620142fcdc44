"""When the rest of a decision's actions is dropped (F-46)."""

from __future__ import annotations

import pytest
from unit.agent.transitions import page, transition

from pytest_bwa.agent.batch import broken_off

FIVE = ("a", "b", "c", "d", "e")


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (FIVE, ""),
        ((*FIVE, "f"), ""),  # 20 % is not over 20 %
        ((*FIVE, "f", "g"), "7 interactive elements instead of 5"),
        (FIVE[:3], "3 interactive elements instead of 5"),
    ],
)
def test_over_a_fifth_of_the_elements_come_or_gone_is_another_page(after, why):
    said = broken_off(transition(before=page(names=FIVE), after=page("x", names=after)))
    assert (why in said) if why else said == ""


def test_a_failure_and_another_address_break_it_off():
    assert "failed" in broken_off(transition(success=False, said="x"))
    there = page(url="http://site.test/other")
    assert "another one" in broken_off(transition(before=page(), after=there))
    assert broken_off(transition("screenshot", label="x")) == ""
