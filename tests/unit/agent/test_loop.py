"""The loop with a scripted policy, page and executor: faults at any point, and its last step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from unit.agent.stage import DONE, SAVED, Stage, click, save
from unit.agent.transitions import page

from pytest_bwa.agent.state import State
from pytest_bwa.errors import DecisionUnusable, EvidenceError, ModelFailed, PageLost
from pytest_bwa.policy.base import Turn
from pytest_bwa.steps.step import Action, ActionResult, Decision, Element


@pytest.fixture
def stage(tmp_path: Path) -> Callable[..., Stage]:
    return lambda *decisions, **more: Stage(tmp_path, *decisions, **more)


# -- faults ------------------------------------------------------------------------------------

DISK_FULL = EvidenceError("cannot write: disk full")
GONE = PageLost("the page is gone")


@pytest.mark.parametrize("fault", [GONE, DISK_FULL], ids=["page", "disk"])
def test_a_fault_during_the_last_screenshot_keeps_the_saved_data(stage, fault):
    sample = stage([save()], [click()], max_steps=2, screenshot=fault)
    outcome = sample.run()
    assert (outcome.status, dict(outcome.extracted)) == ("partial_success", SAVED)
    assert "the limit of 2 steps" in outcome.reason
    assert sample.writer.steps[-1].intent == "last_answer"


def test_notices_survive_a_fault_during_the_last_screenshot(stage):
    sample = stage([save()], DecisionUnusable("no tool call"), screenshot=GONE)
    given: list[Turn] = []
    sample.finalize = lambda turn, why, model_failed: given.append(turn) or Decision((DONE,))
    sample.run()
    assert "no tool call" in given[0].notices


def test_the_last_answer_follows_a_fault_in_any_state(stage):
    for state in (State.PERCEIVING, State.PLANNING, State.EXECUTING, State.VERIFYING, State.STUCK):
        sample = stage([save()])
        sample.loop.progress.collected = dict(SAVED)
        sample.loop.states.state = state
        outcome = sample.loop.ending.break_off(ModelFailed("529"), None)
        assert (outcome.status, outcome.reason) == ("partial_success", "529")


@pytest.mark.parametrize("error", [ModelFailed("529"), PageLost("gone"), DecisionUnusable("?")])
def test_a_finalizer_that_fails_leaves_the_saved_data(stage, error):
    outcome = stage([save()], [click()], max_steps=2, finalize=error).run()
    assert (outcome.status, dict(outcome.extracted)) == ("partial_success", SAVED)
    assert "the limit of 2 steps" in outcome.reason


def test_a_full_disk_while_the_last_answer_is_recorded_is_the_reason(stage, monkeypatch):
    sample = stage([save()], [click()], max_steps=5)

    def full(*_: object) -> None:
        raise DISK_FULL

    answer = sample.finalize

    def finalize(*arguments: Any, **more: Any) -> Decision:
        monkeypatch.setattr(sample.writer, "log", full)
        return answer(*arguments, **more)

    sample.finalize = finalize
    outcome = sample.run()
    assert (outcome.status, outcome.reason) == ("failed", str(DISK_FULL))
    assert dict(outcome.extracted) == SAVED


def test_a_full_disk_while_done_is_recorded_keeps_what_done_brought(stage):
    sample = stage([DONE])
    sample.loop.step_log.record = lambda *_: (_ for _ in ()).throw(DISK_FULL)
    outcome = sample.loop.run(None)
    assert (outcome.status, outcome.reason) == ("failed", str(DISK_FULL))
    assert dict(outcome.extracted) == SAVED


@pytest.mark.parametrize("state", ["COMPLETE", "FAILED"])
def test_a_full_disk_while_the_end_is_announced_is_the_reason(stage, state):
    decision = DONE if state == "COMPLETE" else Action(action="fail", note="gone")
    outcome = stage([save()], [decision], **{state: DISK_FULL}).run()
    assert (outcome.status, outcome.reason) == ("failed", str(DISK_FULL))
    assert dict(outcome.extracted) == SAVED


@pytest.mark.parametrize("fault", [GONE, DISK_FULL], ids=["page", "disk"])
def test_a_fault_during_a_recovery_action_is_the_reason(stage, fault):
    sample = stage([save()], [click()], scroll=fault)
    sample.observations = [page()]  # nothing changes, so that recovery scrolls
    outcome = sample.run()
    assert outcome.reason == str(fault)
    assert dict(outcome.extracted) == SAVED


# -- the last step -----------------------------------------------------------------------------

LOOK = Action(action="screenshot", label="x")


def test_a_policy_is_given_the_files_with_their_own_labels(stage):
    sample = stage([Action(action="screenshot", label="Übersicht")], [DONE])
    sample.run()
    assert [[a.label for a in turn.artifacts] for turn in sample.turns] == [[], ["Übersicht"]]


def test_a_batch_leaves_the_last_step_for_done_or_fail(stage):
    sample = stage([click("0"), click("0"), click("0")], [DONE], max_steps=3)
    outcome = sample.run()
    assert (outcome.status, sample.loop.step_log.step) == ("done", 3)
    assert sample.executed == ["goto", "click", "click"]
    last = sample.turns[-1]
    assert (last.step, last.max_steps, last.allowed) == (3, 3, ("done", "fail"))
    assert last.notices[-2:] == [
        "click [0] was not executed, because only the last step is left, which is for done or "
        "fail.",
        "This is the last step. Only done and fail are left.",
    ]


def test_done_at_the_end_of_a_batch_may_take_the_last_step(stage):
    sample = stage([LOOK, LOOK, DONE], max_steps=3)
    sample.observations = [page("name: Anna")]
    assert sample.run().status == "done"
    assert len(sample.turns) == 1


def test_a_page_of_a_list_grants_steps_to_the_rest_of_its_batch(stage):
    sample = stage([click("Next"), click("0"), click("0")], [DONE], max_steps=2)
    sample.run()
    assert sample.executed == ["goto", "click", "click", "click"]


# -- fail --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("note", "reason"),
    [
        ("the record is locked", "the record is locked"),
        (None, "the agent called fail without giving a reason"),
    ],
)
def test_fail_keeps_the_saved_data_and_the_notes(stage, note, reason):
    saving = Action(action="save_progress", extracted={"other": 1}, note="one of two")
    sample = stage([saving], [Action(action="fail", note=note)])
    outcome = sample.run()
    assert (outcome.status, outcome.reason, outcome.broken) == ("failed", reason, False)
    assert dict(outcome.extracted) == {"other": 1}
    assert (outcome.missing, outcome.kind) == (("name",), "other")
    assert sample.loop.progress.collected == {"other": 1}
    assert sample.loop.progress.notes == ["one of two"]


GONE_FROM_SITE = Action(action="fail", note="the page says: no such record", kind="not_found")
REFUSED = ActionResult(
    False, "refused", error="the server refuses connections", infrastructure=True
)


def pictures(sample: Stage) -> list[str]:
    return [step.intent or step.action for step in sample.writer.steps if step.artifact]


def test_what_is_not_found_needs_no_fields_and_is_proven_by_a_picture(stage):
    sample = stage([GONE_FROM_SITE])
    outcome = sample.run()
    assert (outcome.status, outcome.kind, outcome.broken) == ("failed", "not_found", False)
    assert (outcome.reason, outcome.missing) == ("the page says: no such record", ())
    assert pictures(sample) == ["last_picture"]
    assert sample.loop.states.state is State.FAILED


def test_values_of_what_is_then_not_found_are_noted(stage):
    for saved, notes in (({"name": None}, 0), ({"name": "Ann"}, 1)):
        sample = stage([Action(action="save_progress", extracted=saved)], [GONE_FROM_SITE])
        assert sample.run().kind == "not_found"
        assert len(sample.loop.progress.notes) == notes


def test_a_picture_of_another_page_proves_nothing(stage):
    sample = stage([LOOK], [GONE_FROM_SITE])
    sample.run()
    assert pictures(sample) == ["screenshot"]
    sample = stage([LOOK], [click()], [GONE_FROM_SITE])
    assert sample.run().kind == "not_found"
    assert pictures(sample) == ["screenshot", "last_picture"]


@pytest.mark.parametrize("fault", [GONE, DISK_FULL, None], ids=["page", "disk", "failure"])
def test_without_a_picture_nothing_is_not_found(stage, fault):
    sample = stage([GONE_FROM_SITE], **({"screenshot": fault} if fault else {}))
    sample.results["screenshot"] = ActionResult(False, "no picture", error="no picture")
    outcome = sample.run()
    assert (outcome.status, outcome.kind, outcome.broken) == ("failed", "other", True)
    assert "no picture of the page could be taken to prove it" in outcome.reason


@pytest.mark.parametrize("kind", ["not_found", "access_denied", "blocked", "other", None])
@pytest.mark.parametrize("url", ["chrome-error://chromewebdata/", "about:blank"])
def test_a_server_that_is_down_is_never_not_found(stage, url, kind):
    sample = stage([Action(action="fail", note="it is gone", kind=kind)])
    sample.results["goto"] = REFUSED
    sample.observations = [page("This site can’t be reached", url=url)]
    outcome = sample.run()
    assert (outcome.status, outcome.kind, outcome.broken) == ("failed", "other", True)
    assert outcome.reason == (
        "its page could not be reached: the server refuses connections, so nothing is known about "
        "the sample; the agent's reason: it is gone"
    )


def test_a_page_that_did_not_come_while_another_is_shown_was_not_reached(stage):
    goto = Action(action="goto", url="http://site.test/2")
    sample = stage([LOOK], [goto], [GONE_FROM_SITE])
    sample.results["goto"] = REFUSED
    sample.observations = [page("the list")]
    assert (outcome := sample.run()).broken, outcome


def test_a_page_that_was_reached_after_a_fault_may_be_not_found(stage):
    goto, back = Action(action="goto", url="http://site.test/2"), Action(action="back")
    other = page("no such record", url="http://site.test/3")
    sample = stage([goto], [click()], [back], [GONE_FROM_SITE])
    sample.results["goto"] = REFUSED
    listing = page("the list")
    # Seen before goto, after it, before and after the click, before and after back, before fail.
    sample.observations = [listing, listing, listing, other, other, listing, listing]
    outcome = sample.run()
    assert (outcome.kind, outcome.broken) == ("not_found", False), outcome.reason


@pytest.mark.parametrize(
    ("kind", "status", "broken"),
    [
        ("not_found", 404, False),
        ("not_found", 503, True),
        ("not_found", 429, True),
        ("blocked", 503, True),
        ("blocked", 429, True),
        ("access_denied", 502, True),
        ("other", 500, True),
        ("other", 404, False),
        ("access_denied", 403, False),
    ],
)
def test_the_failure_of_a_server_says_nothing_of_the_sample(stage, kind, status, broken):
    sample = stage([Action(action="fail", note="no record", kind=kind)])
    sample.observations = [page(http_status=status)]
    outcome = sample.run()
    assert (outcome.broken, outcome.kind) == (broken, "other" if broken else kind)
    assert (f"answered HTTP {status}" in outcome.reason) is broken


def test_a_limit_on_a_page_that_was_not_reached_is_no_finding(stage):
    down, failed = page("gone", url="chrome-error://chromewebdata/"), page(http_status=503)
    for observation, why in ((down, "refuses connections"), (failed, "HTTP 503"), (page(), "")):
        sample = stage([LOOK], max_steps=2)
        sample.results["goto"] = REFUSED
        sample.observations = [observation]
        outcome = sample.run()
        assert "the limit of 2 steps" in outcome.reason
        assert (why in outcome.reason, outcome.broken) == (True, bool(why))


def test_done_without_a_value_from_a_page_that_was_not_reached_is_no_answer(stage):
    empty, full = Action(action="done", extracted={"name": None}), DONE
    down, failed = page(url="chrome-error://chromewebdata/"), page(http_status=503)
    for seen in (down, failed):
        for action, status in ((empty, "failed"), (full, "needs_review")):
            sample = stage([action], max_steps=1)
            sample.results["goto"] = REFUSED
            sample.observations = [seen]
            outcome = sample.run()
            assert (outcome.status, outcome.broken) == (status, status == "failed")


def test_a_message_that_is_gone_when_the_answer_comes_was_pictured(stage):
    """It has no word of a field: nothing but that it is a message speaks for a picture of it."""
    message = Element(1, (0, 1), "status", "Archived for Annabel Lee")
    empty = page("nothing")
    answer = Action(action="done", extracted={"name": "Archived for Annabel Lee"})
    sample = stage([click()], [answer])
    sample.observations = [empty, replace(empty, elements=(message,), state="message"), empty]
    result = sample.run()
    assert result.status == "done", result.reason


OVERLOADED = ModelFailed("529 after 3 tries", is_passing=True)


def test_failures_of_a_model_that_pass_are_asked_again_and_logged(stage):
    sample = stage(*[OVERLOADED] * 4, [save()], OVERLOADED, [DONE])
    outcome = sample.run()
    assert (outcome.status, dict(outcome.extracted)) == ("done", SAVED)
    saved, done = (sample.writer.steps[-2], sample.writer.steps[-1])
    assert saved.notices == ["a decision failed: 529 after 3 tries"] * 4
    assert done.notices == ["a decision failed: 529 after 3 tries"]
    assert [turn.failed_decisions for turn in sample.turns] == [0] * 7, "no reply was unusable"
    assert not any("529" in notice for turn in sample.turns for notice in turn.notices)


@pytest.mark.parametrize(
    ("decisions", "kind"),
    [
        ([OVERLOADED] * 5, "failed decisions"),
        ([OVERLOADED, DecisionUnusable("no call")] * 2 + [OVERLOADED], "failed decisions"),
        ([DecisionUnusable("no call")] * 5, "unusable replies"),
    ],
)
def test_five_failed_decisions_in_a_row_end_the_sample(stage, decisions, kind):
    sample = stage([save()], *decisions, max_steps=20, finalize=OVERLOADED)
    outcome = sample.run()
    assert (outcome.status, outcome.broken, outcome.extracted) == ("partial_success", True, SAVED)
    assert outcome.reason.startswith(f"5 {kind} in a row, the last: ")
    assert len(sample.turns) == 6


def test_a_failure_that_does_not_pass_ends_the_sample_at_once(stage):
    sample = stage([save()], ModelFailed("404"), finalize=OVERLOADED)
    assert sample.run().reason == "404"
    assert len(sample.turns) == 2
