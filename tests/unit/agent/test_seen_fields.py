"""What a page that is left showed for the fields that have no value yet."""

from __future__ import annotations

import pytest

from pytest_bwa.agent.memory.seen_fields import SeenFields
from pytest_bwa.agent.progress import Progress
from pytest_bwa.proof.sightings import Sightings
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, ActionResult, LabelledValue, Observation, Place

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


def fields(sightings: Sightings, progress: Progress) -> SeenFields:
    return SeenFields(TASK, sightings, progress)


def seen(*labelled: LabelledValue) -> list[str]:
    found = fields(Sightings(), Progress())
    found.add_page(page(*labelled))
    return found.entries()


@pytest.mark.parametrize("kind", ["definition", "pair", "text", "table", "input"])
def test_what_a_page_labels_with_the_name_of_a_field_is_kept_with_its_place(kind):
    assert seen(LabelledValue("Assignee", "Ann Miller", kind)) == [
        f"“Assignee: Ann Miller” on {URL}"
    ]


def test_a_heading_with_a_colon_and_an_alias_name_a_field_too():
    assert seen(LabelledValue("h2", "Reporter: Zoe", "heading")) == [f"“Reporter: Zoe” on {URL}"]


@pytest.mark.parametrize(
    "labelled",
    [
        [LabelledValue("Start date", "2026-01-02", "pair")],  # not all words of due_date
        [ANN, LabelledValue("Assignee", "Zoe", "table")],  # which of them is not certain
        [LabelledValue("Assignee", "", "pair")],  # its value may be that of a field in it
        [LabelledValue("Assignee", "×", "pair")],  # what empties a field
        [LabelledValue("Assignee", "Ann", "pair", doubt="a line crosses it")],
        [LabelledValue("Assignee", "Boards", "link")],
        [LabelledValue("Assignee", "Boards", "pair", place=MENU)],
        [LabelledValue("Due date", "Quarter", "pair")],
        [LabelledValue("Due date", "1", "pair")],
    ],
)
def test_what_is_not_certain_is_not_kept(labelled):
    assert seen(*labelled) == []


def test_a_field_that_has_a_value_is_not_offered():
    progress = Progress()
    found, shown = fields(Sightings(), progress), page(ANN, DUE)
    found.add_page(shown)
    assert found.entries() == [f"“Assignee: Ann Miller”, “Due date: 2026-01-02” on {URL}"]
    progress.save(Action(action="save_progress", extracted={"assignee": "Ann"}))
    assert found.entries() == [f"“Due date: 2026-01-02” on {URL}"]
    found.add_page(shown)
    assert found.entries() == [f"“Due date: 2026-01-02” on {URL}"]


def test_what_the_agent_typed_itself_is_no_sighting():
    sightings, shown = Sightings(), page(LabelledValue("Assignee", "Ann", "input"))
    action = Action(action="type", selector="0", text="Ann")
    sightings.add_action(action, ActionResult(True, ""), shown, 0)
    found = fields(sightings, Progress())
    found.add_page(shown)
    assert found.entries() == []


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
