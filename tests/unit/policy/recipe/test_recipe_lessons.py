"""What a sample teaches: its walk and answer, how it was failed, or nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from recipe_pages import answer, clicked, opened, page, rows_of, sample, task

from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.facts.place import PageFacts
from pytest_bwa.policy.recipe.lesson import lesson_of
from pytest_bwa.policy.recipe.visits import visits_of

DONE = {"status": "done", "outcome": "found", "extracted": answer(7)}
NOTE = "two tables contradict each other"
FAILED = {"status": "failed", "outcome": "other", "reason": NOTE, "flagged": True}


def taught(**result):
    fail = opened(7).model_copy(update={"step": 1, "action": "fail", "params": {"note": NOTE}})
    known = SampleResult(task_id="tickets", sample_id="T-7", **result)
    log = [opened(7), *([fail] if known.status == "failed" else [])]
    looks = SimpleNamespace(
        looks=[SimpleNamespace(steps_done=1)], pages={0: PageFacts(page(7, rows_of(7)))}
    )
    return lesson_of(task(), sample(7), known, log, looks)


def test_an_answer_teaches_a_way_and_a_doubtful_one_only_that_there_is_one():
    assert taught(**DONE).teaches_way
    for changes in ({"flagged": True}, {"status": "needs_review"}):
        lesson = taught(**{**DONE, **changes})
        assert (lesson.is_doubtful, lesson.teaches_way, lesson.ending) == (True, False, None)


@pytest.mark.parametrize("kind", ["other", "access_denied", "not_found"])
def test_how_a_model_failed_it_is_its_ending(kind):
    lesson = taught(**{**FAILED, "outcome": kind})
    assert (lesson.ending, lesson.teaches_way, lesson.values) == (kind, False, {})


@pytest.mark.parametrize(
    "changes",
    [
        {"outcome": "blocked"},
        {"broken": True},
        {"reason": f"{NOTE}; the limit of 20 steps was reached"},
    ],
)
def test_what_was_so_for_a_moment_teaches_nothing(changes):
    assert taught(**{**FAILED, **changes}) is None


@pytest.mark.parametrize(
    ("values_seen_after", "pages_left"),
    [
        ([1], ["T-7"]),
        ([3], ["T-7"]),
        ([1, 2], ["T-7", "History"]),
        ([2, 3], ["T-7", "History", "T-7"]),
    ],
)
def test_what_led_back_without_a_value_is_no_part_of_the_walk(values_seen_after, pages_left):
    """A model looked at the history of a ticket, and went back."""
    own = page(7, rows_of(7), title="T-7")
    history = page(7, {"Changed": "2027-01-01"}, title="History")
    log = [opened(7), clicked("tab", "History", own), clicked("tab", "Ticket", history)]
    visits = visits_of(log, [(1, own), (2, history), (3, own)], [], values_seen_after)
    assert [visit.page.elements[0].name for visit in visits] == pages_left
    assert visits[-1].step is None
