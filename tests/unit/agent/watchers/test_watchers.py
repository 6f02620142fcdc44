"""All watchers of a sample together: their notices."""

from __future__ import annotations

from unit.agent.transitions import transition

from pytest_bwa.agent.watchers import Watchers
from pytest_bwa.spec.task import TaskSpec

TASK = TaskSpec.model_validate({"task_id": "t", "goal": "g", "output_schema": {"a": "string"}})


def test_three_stagnant_steps_give_a_notice_five_a_warning_eight_leave_only_done_and_fail():
    watchers = Watchers(TASK)
    watchers.notices_after(transition(step=0))  # the page is seen for the first time
    notices = {}
    for step in range(1, 9):
        # A different element each time, so that only the stagnation watcher gives notices.
        notices[step] = watchers.notices_after(transition(selector=str(step), step=step))
        assert watchers.stagnation.needs_checkpoint == (step == 5)
        assert watchers.stagnation.is_exhausted == (step == 8)
    assert [bool(notices[step]) for step in range(1, 9)] == [
        False, False, True, False, True, False, False, True,
    ]  # fmt: skip
    assert notices[3] == ["The last 3 steps brought nothing new from this page."]
    assert "After 8 such steps in a row the sample has to end" in notices[5][0]
    assert "only done and fail are left" in notices[8][0]
