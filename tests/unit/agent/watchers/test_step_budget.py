"""Notices when most of the steps are used up."""

from __future__ import annotations

import pytest
from unit.agent.transitions import transition

from pytest_bwa.agent.watchers import StepBudgetWatcher


@pytest.mark.parametrize(
    ("max_steps", "steps_with_notice"), [(40, {30, 36}), (20, {15, 18}), (4, {3})]
)
def test_one_notice_at_three_quarters_and_one_at_nine_tenths(max_steps, steps_with_notice):
    watcher = StepBudgetWatcher()
    notices = {
        step: watcher.notices_after(transition(step=step, max_steps=max_steps))
        for step in range(1, max_steps + 1)
    }
    assert {step for step, texts in notices.items() if texts} == steps_with_notice
    for step in steps_with_notice:
        left = max_steps - step
        expected = "1 step is left; it" if left == 1 else f"{left} steps are left; the last one"
        assert notices[step] == [f"{expected} is only for done or fail."]
