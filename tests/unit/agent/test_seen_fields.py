"""What a page that is left showed for the fields that have no value yet."""

from __future__ import annotations

from dataclasses import replace

import pytest
from unit.agent.transitions import transition

from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.run_state import RunState, SeenFields
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import Action, Element, LabelledValue, Observation, Place

URL = "http://site.test/ticket/1"
TASK = TaskSpec.model_validate(
    {
        "task_id": "t",
        "goal": "g",
        "output_schema": {"assignee": "string", "due_date": "date", "opened_by": "string"},
        "aliases": {"opened_by": ["Reporter"]},
    }
)
ANN = LabelledValue("Assignee", "Ann Miller", "pair")
DUE = LabelledValue("Due date", "2026-01-02", "definition")
MENU = Place(regions=("navigation",))


def page(*labelled: LabelledValue) -> Observation:
    return Observation(url=URL, title="Ticket", labelled=labelled, state=str(labelled))


def seen(*labelled: LabelledValue) -> list[str]:
    found = SeenFields(TASK, Progress())
    found.add_page(page(*labelled))
    return found.entries()


@pytest.mark.parametrize("kind", ["definition", "pair", "text", "table"])
def test_what_a_page_labels_with_the_name_of_a_field_is_kept_with_its_place(kind):
    assert seen(LabelledValue("Assignee", "Ann Miller", kind)) == [
        f"“Assignee: Ann Miller” on {URL}"
    ]


def test_an_alias_names_a_field_too():
    assert seen(LabelledValue("Reporter", "Zoe", "pair")) == [f"“Reporter: Zoe” on {URL}"]


def test_the_number_of_the_line_that_shows_it_is_said():
    """That of the element itself, or else of the row that says both."""
    rows = [
        Element(41, (0, 1), "row", "Due date | 2026-01-02"),
        Element(43, (0, 2), "text", "Ann Miller"),
    ]
    due = LabelledValue("Due date", "2026-01-02", "table", ref=(0, 7))
    ann = LabelledValue("Assignee", "Ann Miller", "pair", ref=(0, 2))
    found = SeenFields(TASK, Progress())
    found.add_page(Observation(url=URL, title="", elements=tuple(rows), labelled=(ann, due)))
    (entry,) = found.entries()
    assert entry == f"“Assignee: Ann Miller” [43], “Due date: 2026-01-02” [41] on {URL}"


@pytest.mark.parametrize(
    "labelled",
    [
        [LabelledValue("Start date", "2026-01-02", "pair")],  # no name of due_date
        [ANN, LabelledValue("Assignee", "Zoe", "table")],  # which of them is not certain
        [LabelledValue("Assignee", "", "pair")],  # its value may be that of a field in it
        [LabelledValue("Assignee", "×", "pair")],  # what empties a field
        [LabelledValue("Assignee", "Ann", "pair", doubt=Doubt.PAINTED_OVER)],
        [LabelledValue("Assignee", "Boards", "link")],
        [LabelledValue("Assignee", "Boards", "pair", place=MENU)],
        [LabelledValue("Assignee", "Ann", "input")],  # it may be what the agent typed itself
    ],
)
def test_what_is_not_certain_is_not_kept(labelled):
    assert seen(*labelled) == []


def test_a_field_that_has_a_value_is_not_offered():
    progress = Progress()
    found, shown = SeenFields(TASK, progress), page(ANN, DUE)
    found.add_page(shown)
    assert found.entries() == [f"“Assignee: Ann Miller”, “Due date: 2026-01-02” on {URL}"]
    progress.save(Action(action="save_progress", extracted={"assignee": "Ann"}))
    assert found.entries() == [f"“Due date: 2026-01-02” on {URL}"]
    found.add_page(shown)
    assert found.entries() == [f"“Due date: 2026-01-02” on {URL}"]


def test_what_a_change_of_the_page_took_away_is_kept_and_what_it_still_says_is_not_repeated():
    before = page(ANN, DUE)
    after = page(LabelledValue("Assignee", "Zoe", "pair"), DUE)
    state = RunState(Progress(), SeenFields(TASK, Progress()))
    state.update(transition("press", key="Enter", before=before, after=after))
    assert state.lists()["Seen so far"] == [f"“Assignee: Ann Miller” on {URL}"]
    state.add_visit(replace(after, url="http://site.test/", labelled=()))
    assert state.lists()["Seen so far"] == [
        f"“Assignee: Ann Miller”, “Due date: 2026-01-02” on {URL}"
    ]


def test_a_long_text_is_cut():
    (entry,) = seen(LabelledValue("Assignee", "Ann " * 400, "pair"))
    assert len(entry) < 900
    whole = "The hotel's terminal lost its connection. " * 10
    assert whole.strip() in seen(LabelledValue("Assignee", whole, "pair"))[0]


def test_the_parts_of_a_value_are_said_as_the_page_has_them():
    """Three products ran together."""
    products = LabelledValue("Assignee", "Credit card\nMobile app", "pair")
    assert seen(products) == [f"“Assignee: Credit card ⏎ Mobile app” on {URL}"]
    listed = LabelledValue(
        "Assignee", "Credit card Mobile app", "pair", items=("Credit card", "Mobile app")
    )
    assert seen(listed) == [f"“Assignee: Credit card, Mobile app” on {URL}"]
