"""What the model is told as it goes nowhere, and what it may still do (F-51, F-54 to F-57)."""

from __future__ import annotations

import pytest
from unit.agent.transitions import PAGE, page, transition

from pytest_bwa.agent.limits import Limits, turns_page
from pytest_bwa.agent.watchers.budget_notices import ItemCountNotices, StepBudgetNotices
from pytest_bwa.agent.watchers.group import ENDINGS, Watchers
from pytest_bwa.agent.watchers.repetition import Repetition
from pytest_bwa.agent.watchers.stagnation import Stagnation, page_signature
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, Artifact


def task(**keys: object) -> TaskSpec:
    fields = {"task_id": "t", "goal": "g", "output_schema": {"a": "string"}, **keys}
    return TaskSpec.model_validate(fields)


# -- stagnation --------------------------------------------------------------------------------


def test_a_signature_is_the_normalised_url_and_the_beginning_of_the_text():
    same = page_signature(page("x" * 2000 + "1", url="http://A.test/p/?b=2&a=1#top"))
    assert page_signature(page("x" * 2000 + "2", url="http://a.test/p?a=1&b=2")) == same
    assert page_signature(page("x" * 1999 + "2", url="http://a.test/p?a=1&b=2")) != same
    assert page_signature(page("x" * 2000, url="http://a.test/q?a=1&b=2")) != same


def test_three_steps_nudge_five_demand_eight_leave_only_the_endings():
    watchers = Watchers(task())
    watchers.after(transition(step=0))  # the page is seen for the first time
    told = {}
    for step in range(1, 9):
        # Other elements each time, so that only stagnation speaks.
        told[step] = watchers.after(transition(selector=str(step), step=step))
        assert watchers.stagnation.demanding == (step == 5)
        expected = ENDINGS if step == 8 else None
        assert watchers.allowed(step, 100) == expected
    assert [bool(told[step]) for step in range(1, 9)] == [
        False, False, True, False, True, False, False, True,
    ]  # fmt: skip
    assert "try a different approach" in told[3][0]
    assert "change your strategy" in told[5][0]
    assert "only done and fail are left" in told[8][0]


@pytest.mark.parametrize(
    "new",
    [
        transition("save_progress", saved=True),
        transition("extract", selector="1", said="read 5 characters: other"),
        transition(after=page("another text")),
        transition(after=page(names=("Save", "Just appeared"))),
        transition("type", selector="2", text="Ann", after=page(names=("Save", "typed Ann"))),
        transition(
            "screenshot",
            label="a",
            artifact=Artifact(
                filename="01_a.png", sha256="", source_url="", timestamp="", label="a", step=1
            ),
        ),
    ],
    ids=["saved", "read", "text", "appeared", "entered", "picture"],
)
def test_new_data_begins_the_count_anew(new):
    stagnation = Stagnation()
    for _ in range(5):
        stagnation.after(transition())
    assert stagnation.count == 4
    stagnation.after(new)
    assert stagnation.count == 0


@pytest.mark.parametrize(
    "old",
    [
        transition("save_progress", saved=False),
        transition("extract", selector="0", said="read 4 characters: text"),
        transition("extract", selector="9", said="no such element", success=False),
        transition(after=page("a page", url=PAGE + "#part")),
    ],
    ids=["nothing new saved", "read again", "failed", "fragment"],
)
def test_what_is_not_new_does_not(old):
    stagnation = Stagnation()
    stagnation.after(transition("extract", selector="0", said="read 4 characters: text"))
    for _ in range(3):
        stagnation.after(transition())
    stagnation.after(old)
    assert stagnation.count == 4


def test_a_menu_opened_and_closed_for_ever_stagnates():
    stagnation, shut, wide = Stagnation(), page(), page(names=("Save", "Menu"))
    for _ in range(6):
        stagnation.after(transition(before=shut, after=wide))
        stagnation.after(transition(before=wide, after=shut))
    assert stagnation.spent


# -- repeats and failures ----------------------------------------------------------------------


def test_the_third_repeat_is_told_and_the_fourth_refused():
    repetition = Repetition()
    click = Action(action="click", selector="0")
    for number in range(1, 4):
        assert repetition.refusal(click, page()) == ""
        told = repetition.after(transition())
        assert bool(told) == (number == 3)
    assert "click [0] 3 times" in told[0]
    assert "choose something else" in repetition.refusal(click, page())
    # Another element, and another page, are something else.
    assert repetition.refusal(Action(action="click", selector="1"), page()) == ""
    assert repetition.refusal(click, page(url="http://site.test/other")) == ""


def test_a_repeat_that_moves_on_is_none():
    repetition = Repetition()
    for number in range(10):
        assert not repetition.after(
            transition("scroll", direction="down", said=f"scrolled to {number}00")
        )
        more = page(f"{number} rows")
        assert not repetition.after(transition(selector="Load more", before=page(), after=more))
    assert repetition.refusal(Action(action="scroll", direction="down"), page()) == ""


def test_saving_and_ending_are_never_refused():
    repetition = Repetition()
    for _ in range(6):
        repetition.after(transition("save_progress", extracted={"a": 1}))
        repetition.after(transition("done", extracted={}, success=False, said="refused"))
    assert repetition.refusal(Action(action="save_progress", extracted={"a": 1}), page()) == ""
    assert repetition.refusal(Action(action="done", extracted={}), page()) == ""


def test_three_failures_in_a_row_list_what_can_be_acted_on():
    repetition = Repetition()
    told = [
        repetition.after(transition(selector=f"{n}", success=False, said="x")) for n in range(7, 10)
    ]
    assert told[:2] == [[], []]
    assert '[0] button "Save"' in told[2][0]
    repetition.after(transition(selector="4"))
    assert repetition.after(transition(selector="5", success=False, said="x")) == []


# -- the end is near ---------------------------------------------------------------------------


@pytest.mark.parametrize(("max_steps", "at"), [(40, {30, 36}), (20, {15, 18}), (4, {3})])
def test_one_notice_at_three_quarters_and_one_at_nine_tenths(max_steps, at):
    pressure = StepBudgetNotices()
    told = {
        step: pressure.after(transition(step=step, max_steps=max_steps))
        for step in range(1, max_steps + 1)
    }
    assert {step for step, notices in told.items() if notices} == at
    if len(at) == 2:
        assert "start to wrap up" in told[min(at)][0]
        assert "call done now" in told[max(at)][0]


def test_the_last_step_leaves_only_the_endings():
    watchers = Watchers(task())
    assert watchers.allowed(9, 10) is None
    assert watchers.allowed(10, 10) == ENDINGS


def test_as_many_saves_as_items_are_told_once():
    pressure = ItemCountNotices(3)
    told = [pressure.after(transition("save_progress", saved=True, saves=n)) for n in range(1, 6)]
    assert [bool(notices) for notices in told] == [False, False, True, False, False]
    assert ItemCountNotices(None).after(transition("save_progress", saves=3)) == []


# -- paging ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["Next", "next page", "Load more", "Show more", "Older", "Newer", "»", "›", "Page 2",
             "Next ›", "→"]
)  # fmt: skip
def test_what_leads_through_a_list_is_known(name):
    assert turns_page(Action(action="click", selector="0"), page(names=(name,)))
    assert turns_page(Action(action="click", selector=name), page())


@pytest.mark.parametrize("name", ["Next steps for the team", "Save", "Older brother", "12"])
def test_what_only_sounds_like_it_is_not(name):
    assert not turns_page(Action(action="click", selector="0"), page(names=(name,)))


def test_each_page_grants_three_steps_and_all_of_them_no_more_than_the_spec_has():
    limits = Limits(task(max_steps=10))
    assert limits.turned_page()
    assert limits.max_steps == 13
    for _ in range(10):
        limits.turned_page()
    assert limits.max_steps == 20
    assert not limits.turned_page()
