"""The replay policy: what it performs, where it stops, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.recorded import MAX_WAITS, RecordedRun, RecordedSample, performed_again
from pytest_bwa.policy.replay.policy import ReplayPolicy
from pytest_bwa.spec.redaction import MASK
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.place_identity import PlaceIdentity, Target
from pytest_bwa.steps.step import Action, Decision, Element, Observation, Step

PAGE = "http://old.test/tickets/7"
BUTTON = Element(4, (0, 4), "button", "Approve")
SHOWN = Observation(PAGE.replace("old", "new"), "Ticket", (BUTTON,), dom_hash="h")
TASK = TaskSpec(task_id="t", goal="g", output_schema={"team": "string | null"})
CELL = Target(role="cell", name="8", identity=PlaceIdentity(role="cell", name="8"))
TARGET = Target(
    role="button", name="Approve", identity=PlaceIdentity(role="button", name="Approve")
)


def step(action: str, **more: Any) -> Step:
    common = {"step": 1, "result": "", "success": True, "started_at": "", "timestamp": ""}
    return Step(**{**common, "url": PAGE, "action": action, **more})


MASKED = step("type", params={"selector": "4", "text": f"my {MASK}"}, target=TARGET)
OPENED = step("goto", step=0, params={"url": PAGE}, intent="open_sample")
CLICK = step("click", params={"selector": "9"}, target=TARGET)


@dataclass
class Values:
    """Reads the team, as it is told."""

    reading: Any
    without_place: Sequence[str] = ()
    without_value: Sequence[str] = ()
    steps_done: int = 1

    def is_due(self, first: int, last: int) -> bool:
        return first <= self.steps_done < last

    def read(self, page: Any, first: int, last: int, collected: Mapping[str, Any]) -> Any:
        return self.reading


@dataclass
class Reading:
    values: Mapping[str, Any]
    missing: Sequence[str] = field(default_factory=list)
    sources: Mapping[str, Any] = field(default_factory=dict)


class Walk:
    """One sample, decided by the policy and performed on pages that never change."""

    def __init__(self, *log: Step, page: Observation = SHOWN, **sample: Any) -> None:
        recorded = RecordedSample(performed_again(log), **sample)
        run = RecordedRun("run_1", {"ada": recorded}, True, "http://old.test", "http://new.test")
        self.policy, self.page, self.history = ReplayPolicy(run), page, [OPENED]
        self.collected: dict[str, Any] = {}
        self.allowed: tuple[str, ...] | None = None

    def decide(self, sample_id: str = "ada") -> Decision:
        sample = Sample(sample_id, {"sample_id": sample_id}, 2)
        return self.policy.decide(
            Turn(self.page, TASK, sample, 1, 50, self.history, self.collected, allowed=self.allowed)
        )

    def perform(self, decision: Decision, error: str | None = None) -> Action:
        (action,) = decision.actions
        more = {"intent": decision.intent, "mode": decision.mode, "error": error}
        params = action.params()
        self.history.append(step(action.action, params=params, success=error is None, **more))
        self.collected |= action.extracted or {}
        return action

    def go(self) -> list[Action]:
        """All actions to the end, without those that only wait."""
        actions = []
        while not actions or actions[-1].action not in ("done", "fail"):
            actions.append(self.perform(self.decide()))
            assert len(self.history) < 40
        return [action for action in actions if action.action != "wait"]


def test_recorded_actions_are_performed_on_the_present_site_and_page():
    follow = step("goto", params={"url": "http://old.test/next"})
    type_ = step("type", params={"selector": "3", "text": "x", "enter": True}, target=TARGET)
    actions = Walk(OPENED, CLICK, follow, type_).go()
    assert [action.action for action in actions] == ["click", "goto", "type", "done"]
    assert actions[0].selector == "4"
    assert actions[1].url == "http://new.test/next"
    assert actions[2].params() == {"selector": "4", "text": "x", "enter": True}
    assert actions[3].review is None


@pytest.mark.parametrize(
    ("recorded", "present"),
    [
        ("http://127.0.0.1:4000/a", "http://127.0.0.1:5000/a"),
        ("http://localhost:4000/a?b#c", "http://localhost:5000/a?b#c"),  # its other name
        ("http://localhost:4001/a", "http://localhost:4001/a"),
        ("https://other.test/a", "https://other.test/a"),
    ],
)
def test_a_local_site_is_found_again_on_its_new_port_under_each_of_its_names(recorded, present):
    run = RecordedRun("run_1", {}, True, "http://127.0.0.1:4000", "http://127.0.0.1:5000")
    assert run.present_address(recorded) == present


def test_what_nobody_chose_or_what_failed_is_not_performed():
    log = [
        OPENED, step("scroll", intent="recovery"), step("screenshot", intent="last_picture"),
        step("click", success=False), step("save_progress"), step("look"), step("wait"),
        step("evaluate"), step("done", success=False), step("done"),
    ]  # fmt: skip
    assert [action.action for action in Walk(*log).go()] == ["done"]


@pytest.mark.parametrize(
    ("log", "page", "why"),
    [
        ([CLICK], Observation(SHOWN.url, ""), "the button “Approve” is not on the page"),
        (
            [CLICK],
            replace(SHOWN, elements=(BUTTON, replace(BUTTON, index=5, ref=(0, 5)))),
            "is on the page 2 times",
        ),
        ([CLICK], replace(SHOWN, elements=(), unlisted=(replace(BUTTON, index=-1),)), "its list"),
        ([CLICK], replace(SHOWN, url="http://new.test/login"), "the page is http://new.test/login"),
        ([step("press", params={"key": "Enter"})], replace(SHOWN, url="http://new.test/x"), "was"),
        ([step("click", params={"selector": "9"})], SHOWN, "does not say which element"),
        ([MASKED], SHOWN, "a secret was typed"),
        (
            [step("drag", params={"selector": "1", "target": "2"}, target=TARGET,
                  destination=CELL)],
            SHOWN,
            "the cell “8” is not on the page",
        ),
    ],
)  # fmt: skip
def test_it_waits_a_little_and_stops_at_the_first_step_that_does_not_fit(log, page, why):
    walk = Walk(OPENED, *log, step("goto", params={"url": "/"}), page=page)
    (end,) = walk.go()
    assert len(walk.history) == 2 + MAX_WAITS
    assert end.action == "fail"
    assert (end.note or "").startswith(f"step 1 ({log[0].action}) no longer fits: ")
    assert why in (end.note or "")


def test_a_step_that_fails_ends_the_walk():
    walk = Walk(OPENED, CLICK, CLICK)
    walk.perform(walk.decide(), error="the button is covered")
    assert walk.go()[0].note == "step 1 (click) no longer fits: the button is covered"


def test_values_are_read_where_they_stood_in_the_walk_and_only_once():
    values = Values(Reading({"team": "Legal"}), steps_done=2)
    actions = Walk(OPENED, CLICK, CLICK, values=values).go()
    assert [action.action for action in actions] == ["click", "save_progress", "click", "done"]
    assert (actions[1].extracted, actions[1].replace) == ({"team": "Legal"}, True)
    assert (actions[3].extracted, actions[3].review) == ({"team": "Legal"}, None)


def test_what_is_not_found_again_is_null_and_a_person_looks():
    values = Values(Reading({"team": None}, ["team: it is gone"]), ["count: it was derived"])
    actions = Walk(OPENED, CLICK, values=values).go()
    assert [action.action for action in actions] == ["save_progress", "click", "done"]
    assert actions[-1].extracted == {"team": None}
    assert actions[-1].review == "team: it is gone; count: it was derived"


def test_a_field_that_was_null_is_named_because_nobody_looked_for_it():
    values = Values(Reading({}), without_value=["team"], steps_done=-1)
    (end,) = Walk(OPENED, values=values).go()
    assert (end.note, end.review) == ("not looked for, as run_1 has no value: team", None)


def test_an_item_of_which_nothing_was_found_is_no_item():
    checks = [{"name": None, "by": [None]}, {"name": "lint", "by": None}]
    values = Values(Reading({"team": checks}, ["team[0]: it is gone"]))
    assert Walk(OPENED, values=values).go()[-1].extracted == {"team": checks[1:]}
    values = Values(Reading({"team": checks[:1]}, ["team[0]: it is gone"]))
    assert Walk(OPENED, values=values).go()[-1].extracted == {"team": None}


def test_a_refused_answer_goes_to_a_person():
    walk = Walk(OPENED)
    walk.perform(walk.decide(), error="no picture shows it")
    assert walk.go()[0].review == "no picture shows it"


def test_an_answer_of_too_few_steps_is_not_whole():
    walk = Walk(OPENED, CLICK)
    walk.allowed = ("done", "fail")
    assert walk.go()[0].review == "the walk was not finished"


def test_a_sample_that_the_run_does_not_have_says_so():
    (action,) = Walk(OPENED).decide("bob").actions
    assert (action.action, action.note) == ("fail", "run_1 has no result of the sample bob")


def test_a_sample_that_was_not_done_there_is_never_done_here():
    assert Walk(OPENED, not_done="run_1 has it as needs_review").go()[0].review is not None


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"dom_hash": "h"}, "not_found"),
        ({"dom_hash": "other"}, "other"),
        ({"dom_hash": "other", "http_status": 404}, "not_found"),
        ({"dom_hash": "other", "http_status": 403}, "other"),
        ({"dom_hash": ""}, "other"),
    ],
)
def test_that_it_does_not_exist_is_said_again_only_if_the_page_says_it_again(change, kind):
    page = replace(SHOWN, **change)
    walk = Walk(OPENED, page=page, failed_as="not_found", page_hash="h", not_done="gone: no")
    (end,) = walk.go()
    assert (end.action, end.kind) == ("fail", kind)
