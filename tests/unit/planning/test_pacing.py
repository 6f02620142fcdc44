"""A walk waits between pages, and as long as a busy site asks for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

from pytest_bwa.planning.pacing import MAX_WAIT, PacedPolicy
from pytest_bwa.spec.network.responses import parse_retry_after
from pytest_bwa.steps import Action, Decision, Observation


def paced(action: str, pause: float = 5.0) -> tuple[PacedPolicy, list[float]]:
    inner: Any = SimpleNamespace(
        name="rules", model="", reads_labelled_values=True, helpers=None,
        decide=lambda turn: Decision((Action(action=action),)),
    )  # fmt: skip
    slept: list[float] = []
    return PacedPolicy(inner, pause, slept.append), slept


def turn(status: int | None = 200) -> Any:
    return SimpleNamespace(observation=Observation(url="/", title="", http_status=status))


def test_two_moves_are_a_pause_apart_and_other_actions_wait_for_nothing():
    policy, slept = paced("goto")
    policy.decide(turn())
    assert 4 < slept[0] <= 5
    policy, slept = paced("save_progress")
    policy.decide(turn())
    assert slept == []


def test_a_busy_site_gets_the_time_that_it_asks_for_within_limits():
    for asked, seconds in (("7", 7.0), ("86400", MAX_WAIT), (None, 5.0), ("soon", 5.0)):
        policy, slept = paced("save_progress")
        policy.add_response(429, asked)
        policy.decide(turn(429))
        assert slept == [seconds]


def test_a_time_to_wait_may_be_a_date():
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 27 < (parse_retry_after(date) or 0) <= 30
