"""A walk waits between pages, and as long as a busy site asks for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

from pytest_bwa.audit.discovery import MAX_WAIT, PacedPolicy
from pytest_bwa.spec.network.responses import parse_retry_after
from pytest_bwa.steps.step import Action, Decision, Observation


def paced(*actions: str, pause: float = 5.0) -> tuple[PacedPolicy, list[float]]:
    inner: Any = SimpleNamespace(
        name="rules", model="", reads_labelled_values=True, helpers=None,
        decide=lambda turn: Decision(tuple(Action(action=a) for a in actions)),
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


def test_a_move_comes_a_pause_after_its_page_however_long_that_took(monkeypatch):
    """The first page takes four seconds to load, the second six; a click then loads no page."""
    clock = [100.0]
    monkeypatch.setattr("pytest_bwa.audit.discovery.time.monotonic", lambda: clock[0])
    policy, slept = paced("click")
    policy._sleep = lambda seconds: (
        slept.append(seconds),
        clock.__setitem__(0, clock[0] + seconds),
    )
    for seconds, came, expected in ((4, False, 5.0), (6, True, 5.0), (2, False, 3.0)):
        clock[0] += seconds
        if came:
            policy.add_response(200, None)
        policy.decide(turn())
        assert slept[-1] == expected


def test_of_several_moves_in_one_decision_the_first_is_made():
    policy, slept = paced("save_progress", "click", "screenshot", "click", "done")
    actions = [action.action for action in policy.decide(turn()).actions]
    assert actions == ["save_progress", "click", "screenshot"]
    assert len(slept) == 1


def test_a_busy_site_gets_the_time_that_it_asks_for_within_limits():
    for asked, seconds in (("7", 7.0), ("86400", MAX_WAIT), (None, 5.0), ("soon", 5.0)):
        policy, slept = paced("save_progress")
        policy.add_response(429, asked)
        policy.decide(turn(429))
        assert slept == [seconds]


def test_a_time_to_wait_may_be_a_date():
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 27 < (parse_retry_after(date) or 0) <= 30
