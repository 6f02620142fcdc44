"""How done, fail and the end of the steps become an ending (F-50, F-59)."""

from __future__ import annotations

import dataclasses

import pytest
from unit.agent.transitions import page

from pytest_bwa.agent.outcome import OutcomeBuilder
from pytest_bwa.agent.progress import Progress
from pytest_bwa.errors import EvidenceError, LimitReached, ModelFailed, PageLost, Stuck
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, Element, Observation

TASK = TaskSpec(
    task_id="t",
    goal="g",
    output_schema={"author": "string | null", "checks_failed": "number | null"},
    required_fields=["author"],
)


@pytest.fixture
def termination(tmp_path) -> OutcomeBuilder:
    return OutcomeBuilder(TASK, Progress(), SampleWriter(tmp_path / "s", "s", 9))


def heading(name: str) -> Observation:
    return dataclasses.replace(page(), elements=(Element(0, (0, 0), "heading", name),))


def done(termination: OutcomeBuilder, unread, **extracted):
    return termination.done(Action(action="done", extracted=extracted), unread, False)


def test_a_null_beside_pictures_that_nobody_read_is_left_to_a_person(termination):
    unread = {"http://x/checks": ("pictures stand beside “build”", heading("Checks of #4"))}
    result, ending = done(termination, unread, author="ann", checks_failed=None)
    assert ending.status == "needs_review"
    assert "checks_failed was not found, and on http://x/checks pictures stand" in ending.reason
    assert ending.extracted == {"author": "ann", "checks_failed": None}
    assert result.success


def test_a_value_or_a_page_about_something_else_needs_nobody(termination):
    unread = {"http://x/checks": ("pictures", heading("Checks"))}
    assert done(termination, unread, author="ann", checks_failed=2)[1].status == "done"
    other = {"http://x/people": ("pictures", heading("People"))}
    assert done(termination, other, author="ann")[1].status == "done"


def test_what_done_says_of_open_fields_is_noted_once_it_is_accepted(tmp_path):
    progress = Progress()
    termination = OutcomeBuilder(TASK, progress, SampleWriter(tmp_path / "s", "s", 9))
    said = "not seen on any page: checks_failed"
    termination.done(Action(action="done", extracted={}, note=said), {}, False)
    assert progress.notes == []
    termination.done(Action(action="done", extracted={"author": "ann"}, note=said), {}, False)
    assert progress.notes == [said]


def test_what_is_missing_is_bounced_and_on_the_last_step_reviewed(termination):
    action = Action(action="done", extracted={"checks_failed": 1})
    result, ending = termination.done(action, {}, False)
    assert (result.success, ending) == (False, None)
    _, ending = termination.done(action, {}, True)
    assert ending.status == "needs_review"


@pytest.mark.parametrize(
    ("end", "broken"),
    [
        (LimitReached("steps"), False),
        (Stuck("nowhere"), False),
        (ModelFailed("529"), True),
        (PageLost("gone"), True),
        (EvidenceError("disk full"), True),
    ],
)
def test_only_faults_that_are_not_the_samples_are_marked_as_broken(termination, end, broken):
    ending = termination.cut_short(end)
    assert (ending.status, ending.broken) == ("failed", broken)
    termination._progress.collected = {"author": "ann"}
    ending = termination.cut_short(end)
    proven = not isinstance(end, EvidenceError)
    assert ending.status == ("partial_success" if proven else "failed")
    assert ending.extracted == {"author": "ann"}
