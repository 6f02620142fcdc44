"""How done, limits and errors become the outcome of a sample."""

from __future__ import annotations

import dataclasses

import pytest
from unit.agent.transitions import page

from pytest_bwa.agent.outcome import OutcomeBuilder
from pytest_bwa.agent.progress import Progress
from pytest_bwa.errors import EvidenceError, LimitReached, ModelFailed, PageLost, Stuck
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.proof.objections import Objection
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, Decision, Element, Observation, Picture

TASK = TaskSpec(
    task_id="t",
    goal="g",
    output_schema={"author": "string | null", "checks_failed": "number | null"},
    required_fields=["author"],
)

UNSEEN = Objection("nobody saw it. Look again.", "nobody saw it", ("author",))


@pytest.fixture
def builder(tmp_path) -> OutcomeBuilder:
    return OutcomeBuilder(TASK, Progress(), SampleWriter(tmp_path / "s", "s", 9))


def heading(name: str) -> Observation:
    return dataclasses.replace(page(), elements=(Element(0, (0, 0), "heading", name),))


def done(builder: OutcomeBuilder, unread_pictures, **extracted):
    action = Action(action="done", extracted=extracted)
    return builder.from_done(action, unread_pictures, is_last_step=False)


def test_a_null_with_unread_pictures_on_the_page_needs_review(builder):
    unread = {"http://x/checks": ("pictures stand beside “build”", heading("Checks of #4"))}
    result, outcome = done(builder, unread, author="ann", checks_failed=None)
    assert outcome.status == "needs_review"
    assert "checks_failed was not found, and on http://x/checks pictures stand" in outcome.reason
    assert outcome.extracted == {"author": "ann", "checks_failed": None}
    assert result.success


def test_unread_pictures_need_no_review_if_they_cannot_show_a_missing_value(builder):
    unread = {"http://x/checks": ("pictures", heading("Checks"))}
    assert done(builder, unread, author="ann", checks_failed=2)[1].status == "done"
    other = {"http://x/people": ("pictures", heading("People"))}
    assert done(builder, other, author="ann")[1].status == "done"


def test_the_note_of_done_is_kept_only_if_done_is_accepted(tmp_path):
    progress = Progress()
    builder = OutcomeBuilder(TASK, progress, SampleWriter(tmp_path / "s", "s", 9))
    note = "not seen on any page: checks_failed"
    builder.from_done(Action(action="done", extracted={}, note=note), {}, False)
    assert progress.notes == []
    builder.from_done(Action(action="done", extracted={"author": "ann"}, note=note), {}, False)
    assert progress.notes == [note]


def objecting(folder, *objections: Objection | None, progress: Progress | None = None, **more):
    """A builder that has these objections, one after the other; the last one stays."""
    left = list(objections)
    return OutcomeBuilder(
        TASK,
        progress or Progress(),
        SampleWriter(folder / "s", "s", 9),
        objection=lambda values: left.pop(0) if len(left) > 1 else left[0],
        **more,
    )


def test_a_value_that_is_corrected_is_done(tmp_path):
    builder = objecting(tmp_path, UNSEEN, None)
    done(builder, {}, author="ann")
    _, outcome = done(builder, {}, author="bob")
    assert (outcome.status, outcome.extracted) == ("done", {"author": "bob"})


def test_what_was_right_need_not_be_sent_again_and_what_was_not_is_not_saved(tmp_path):
    progress = Progress(TASK.output_schema)
    builder = objecting(tmp_path, UNSEEN, None, progress=progress)
    done(builder, {}, author="ann", checks_failed=2)
    assert progress.collected == {"checks_failed": 2}
    _, outcome = done(builder, {}, author="bob")
    assert (outcome.status, outcome.extracted) == ("done", {"author": "bob", "checks_failed": 2})


def test_a_value_that_is_not_proven_stays_if_nothing_else_comes(tmp_path):
    builder = objecting(tmp_path, UNSEEN)
    done(builder, {}, author="ann", checks_failed=2)
    _, outcome = done(builder, {})
    assert outcome.status == "needs_review"
    assert outcome.extracted == {"author": "ann", "checks_failed": 2}


def test_what_is_missing_and_what_is_not_proven_is_said_in_one_notice(tmp_path):
    builder = objecting(tmp_path, Objection("no line has it.", "nowhere", ("checks_failed",)))
    result, _ = done(builder, {}, checks_failed=2)
    assert "these are missing: author" in result.description
    assert result.description.endswith("done was not accepted yet. no line has it.")


def test_each_field_is_sent_back_once(tmp_path):
    other = Objection("no line has it.", "nowhere", ("checks_failed",))
    both = Objection("neither.", "neither", ("author", "checks_failed"))
    builder = objecting(tmp_path, UNSEEN, other, both)
    assert done(builder, {}, author="ann")[1] is None
    assert done(builder, {}, author="bob", checks_failed=2)[1] is None
    assert done(builder, {}, author="cy", checks_failed=3)[1].status == "needs_review"


def test_a_doubt_that_the_policy_cannot_settle_is_for_a_person(tmp_path):
    for found, status in ((["the page also says “bob”"], "needs_review"), ([], "done")):
        builder = objecting(tmp_path / status, None, open_doubts=lambda values, f=found: f)
        _, outcome = done(builder, {}, author="ann")
        assert (outcome.status, outcome.reason) == (status, "; ".join(found))


@pytest.mark.parametrize("second", [b"one", b"two"])
def test_a_required_picture_that_shows_what_another_one_shows_is_asked_for_once(tmp_path, second):
    task = TASK.model_copy(update={"required_artifacts": ["record", "history"]})
    writer, progress = SampleWriter(tmp_path / "s", "s", 9), Progress()
    builder = OutcomeBuilder(task, progress, writer)
    for label, png in (("record", b"one"), ("history", second)):
        writer.save_screenshot(Picture(png, "http://x/", "state"), label, 1)
    twins = "the picture history shows the same as record"
    if second == b"one":
        result, outcome = done(builder, {}, author="ann")
        assert outcome is None
        assert result.description.startswith(f"{twins}: take each picture where the page shows")
    _, outcome = done(builder, {}, author="ann")
    assert outcome.status == "done"
    assert progress.notes == ([twins] if second == b"one" else [])


def test_on_the_last_step_what_is_not_proven_is_reviewed_at_once(tmp_path):
    writer = SampleWriter(tmp_path / "s", "s", 9)
    builder = OutcomeBuilder(TASK, Progress(), writer, objection=lambda values: UNSEEN)
    action = Action(action="done", extracted={"author": "ann"})
    assert builder.from_done(action, {}, is_last_step=True)[1].status == "needs_review"


@pytest.mark.parametrize(
    ("extracted", "labels", "is_last", "taken"),
    [
        ({"author": "ann"}, [], False, 1),
        ({"author": "ann"}, ["screenshot"], False, 1),  # the picture itself is what is required
        ({"author": 7}, [], False, 0),
        ({"checks_failed": 2}, [], False, 0),
        ({"author": "ann"}, ["record"], False, 1),
        ({"author": 7}, [], True, 1),
    ],
)
def test_pictures_are_taken_only_for_an_answer_that_is_not_refused_anyway(
    tmp_path, extracted, labels, is_last, taken
):
    task, answers = TASK.model_copy(update={"required_artifacts": labels}), []
    builder = OutcomeBuilder(task, Progress(), SampleWriter(tmp_path / "s", "s", 9))
    action = Action(action="done", extracted=extracted)
    builder.from_done(action, {}, is_last, take_pictures=answers.append)
    assert answers == [extracted] * taken


@pytest.mark.parametrize(
    ("error", "broken"),
    [
        (LimitReached("steps"), False),
        (Stuck("nowhere"), False),
        (ModelFailed("529"), True),
        (PageLost("gone"), True),
        (EvidenceError("disk full"), True),
    ],
)
def test_only_faults_outside_the_sample_are_marked_as_broken(builder, error, broken):
    outcome = builder.from_error(error)
    assert (outcome.status, outcome.broken) == ("failed", broken)
    builder._progress.collected = {"author": "ann"}
    outcome = builder.from_error(error)
    is_proven = not isinstance(error, EvidenceError)
    assert outcome.status == ("partial_success" if is_proven else "failed")
    assert outcome.extracted == {"author": "ann"}


def test_saved_nulls_are_no_partial_success(builder):
    builder._progress.collected = {"author": None}
    assert builder.from_error(LimitReached("steps")).status == "failed"


def last(builder: OutcomeBuilder, **extracted):
    return builder.from_done(Action(action="done", extracted=extracted), {}, is_last_step=True)


def test_a_null_for_a_saved_value_is_sent_back_once_and_then_taken(builder):
    builder._progress.collected = {"author": "ann", "checks_failed": 2}
    result, outcome = done(builder, {}, checks_failed=None)
    assert (result.success, outcome) == (False, None)
    assert "null for checks_failed, for which a value was saved" in result.description
    assert done(builder, {}, author="ann")[1].extracted == {"author": "ann", "checks_failed": 2}
    _, outcome = done(builder, {}, checks_failed=None)
    assert (outcome.status, outcome.extracted["checks_failed"]) == ("done", None)
    assert builder._progress.notes == ["done took back checks_failed"]


def test_a_null_for_a_required_value_that_was_saved_is_missing(builder):
    builder._progress.collected = {"author": "ann"}
    done(builder, {}, author=None)
    result, outcome = done(builder, {}, author=None)
    assert (result.success, outcome) == (False, None)
    assert "these are missing: author" in result.description


def test_on_the_last_step_a_null_for_a_saved_value_is_reviewed(builder):
    builder._progress.collected = {"author": "ann", "checks_failed": 2}
    _, outcome = last(builder, checks_failed=None)
    assert outcome.status == "needs_review"
    assert outcome.reason == "the answer has null for checks_failed, for which a value was saved"
    assert outcome.extracted == {"author": "ann", "checks_failed": None}


PART = TaskSpec(
    task_id="t", goal="g", output_schema={"tags": "array | null", "owner": {"type": "object"}}
)
OWNER = {"name": "Ann", "start": "2025-11-03"}


@pytest.mark.parametrize(
    ("answer", "why", "left", "note"),
    [
        ({"owner": {"start": None}}, "null for owner.start, for which a value was saved",
         {"tags": ["a", "b"], "owner": {"name": "Ann", "start": None}}, "owner.start"),
        ({"tags": []}, "fewer entries than were saved for tags",
         {"tags": [], "owner": OWNER}, "entries of tags"),
        ({"tags": ["b"]}, "fewer entries than were saved for tags",
         {"tags": ["b"], "owner": OWNER}, "entries of tags"),
        ({"tags": None, "owner": {"name": None, "start": None}},
         "null for tags, owner.name, owner.start, for which values were saved",
         {"tags": None, "owner": {"name": None, "start": None}}, "tags, owner.name, owner.start"),
        ({"tags": ["c"]}, "", {"tags": ["a", "b", "c"], "owner": OWNER}, ""),
        ({"tags": ["a", "b"], "owner": {"name": "Ann"}}, "",
         {"tags": ["a", "b"], "owner": OWNER}, ""),
        ({}, "", {"tags": ["a", "b"], "owner": OWNER}, ""),
    ],
)  # fmt: skip
def test_an_answer_with_less_than_was_saved_is_sent_back_once_and_then_taken(
    tmp_path, answer, why, left, note
):
    progress, writer = Progress(), SampleWriter(tmp_path / "s", "s", 9)
    progress.collected = {"tags": ["a", "b"], "owner": OWNER}
    builder = OutcomeBuilder(PART, progress, writer)
    if why:
        result, outcome = done(builder, {}, **answer)
        assert (result.success, outcome) == (False, None)
        assert f"done was refused because it has {why}: leave out" in result.description
    _, outcome = done(builder, {}, **answer)
    assert (outcome.status, outcome.extracted) == ("done", left)
    assert progress.notes == ([f"done took back {note}"] if note else [])


def test_on_the_last_step_a_list_with_less_than_was_saved_is_reviewed(tmp_path):
    progress = Progress()
    progress.collected = {"tags": ["a", "b"]}
    _, outcome = last(OutcomeBuilder(PART, progress, SampleWriter(tmp_path / "s", "s", 9)), tags=[])
    assert (outcome.status, outcome.reason) == (
        "needs_review", "the answer has fewer entries than were saved for tags",
    )  # fmt: skip


class Finalizer:
    def finalize(self, turn, why, *, model_failed):
        answer = Action(action="done", extracted={"author": "ann", "checks_failed": None})
        return Decision((answer,), model="m")


def test_what_the_last_answer_takes_back_is_noted(tmp_path):
    progress = Progress()
    progress.collected = {"checks_failed": 2}
    writer = SampleWriter(tmp_path / "s", "s", 9)
    builder = OutcomeBuilder(TASK, progress, writer, Finalizer())
    builder.ask_finalizer(None, LimitReached("steps"))
    assert progress.collected == {"author": "ann", "checks_failed": None}
    assert progress.notes == [
        "the last answer was made by m after the sample ended: steps; it took back checks_failed"
    ]
