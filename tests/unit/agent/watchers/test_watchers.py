"""All watchers of a sample together: their notices, and the actions they allow."""

from __future__ import annotations

from unit.agent.transitions import transition

from pytest_bwa.agent.watchers.watchers import FINAL_ACTIONS, Watchers
from pytest_bwa.spec.task import TaskSpec

TASK = TaskSpec.model_validate({"task_id": "t", "goal": "g", "output_schema": {"a": "string"}})


def test_three_stagnant_steps_suggest_five_demand_eight_leave_only_done_and_fail():
    watchers = Watchers(TASK)
    watchers.notices_after(transition(step=0))  # the page is seen for the first time
    notices = {}
    for step in range(1, 9):
        # A different element each time, so that only the stagnation watcher gives notices.
        notices[step] = watchers.notices_after(transition(selector=str(step), step=step))
        assert watchers.stagnation.needs_checkpoint == (step == 5)
        expected = FINAL_ACTIONS if step == 8 else None
        assert watchers.allowed_actions(step, 100) == expected
    assert [bool(notices[step]) for step in range(1, 9)] == [
        False, False, True, False, True, False, False, True,
    ]  # fmt: skip
    assert "try a different approach" in notices[3][0]
    assert "change your strategy" in notices[5][0]
    assert "only done and fail are left" in notices[8][0]


def test_the_last_step_allows_only_done_and_fail():
    watchers = Watchers(TASK)
    assert watchers.allowed_actions(9, 10) is None
    assert watchers.allowed_actions(10, 10) == FINAL_ACTIONS
