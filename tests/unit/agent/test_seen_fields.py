"""What a page that is left showed for the fields that have no value yet."""

from __future__ import annotations

import pytest

from pytest_bwa.agent.memory.seen_fields import SeenFields
from pytest_bwa.agent.progress import Progress
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, ActionResult, Box, Element, Observation, Place

URL = "http://site.test/ticket/1"
TASK = TaskSpec.model_validate(
    {
        "task_id": "t",
        "goal": "g",
        "output_schema": {"assignee": "string", "due_date": "date", "opened_by": "string"},
        "aliases": {"opened_by": ["Reporter"]},
    }
)


def page(*texts: str | tuple[str, str]) -> Observation:
    """A page with these texts below each other, each a text or a role and a text."""
    pairs = [text if isinstance(text, tuple) else ("text", text) for text in texts]
    elements = tuple(
        Element(n, (0, n), role, text, box=Box(0, 20 * n, 200, 18))
        for n, (role, text) in enumerate(pairs)
    )
    return Observation(url=URL, title="Ticket", elements=elements, state=str(texts))


def seen(observation: Observation, progress: Progress | None = None) -> list[str]:
    sightings, progress = Sightings(), progress or Progress()
    sightings.add_observation(observation, 1)
    fields = SeenFields(TASK, sightings, progress)
    fields.add_page(observation)
    return fields.entries()


@pytest.mark.parametrize(
    "texts",
    [
        ["Assignee: Ann Miller"],
        [("row", "Assignee | Ann Miller")],
        ["Assignee", ("link", "Ann Miller"), "Status", "Open"],
    ],
    ids=["one text", "a row", "beside its label"],
)
def test_a_text_beside_a_label_that_names_a_field_is_kept_with_its_place(texts):
    assert seen(page(*texts)) == [f"“Assignee: Ann Miller” on {URL}"]


def test_an_alias_names_a_field_too():
    assert seen(page("Reporter: Zoe")) == [f"“Reporter: Zoe” on {URL}"]


@pytest.mark.parametrize(
    "texts",
    [
        ["Ann Miller"],
        ["Ann Miller is the assignee of many tickets"],
        ["Start date: 2026-01-02"],  # not all words of due_date
        ["Assignee: Ann", "Assignee: Zoe"],  # which of them is not certain
        [("row", "Assignee | Ann | Zoe")],  # a row of a list
        ["Assignee", "Due date"],  # labels without texts
        ["Assignee", "×"],  # what empties a field
        ["Assignee", "Conf", ("row", "Conf | {}")],  # the name of the next row
        [("link", "Assignee"), ("link", "Versions")],  # two entries of one menu
        ["Due date: Quarter"],
        ["Due date: 1"],
    ],
)
def test_what_is_not_certain_is_not_kept(texts):
    assert seen(page(*texts)) == []


def test_what_the_next_field_is_called_or_explained_by_is_no_value():
    note = "The team that works on it, of all those that there are"
    parts = [
        Element(0, (0, 0), "text", "Assignee", box=Box(0, 0, 90, 18)),
        Element(1, (0, 1), "combobox", "Team", box=Box(100, 0, 90, 18), note=f"{note[:20]}…"),
        Element(2, (0, 2), "text", "Reporter", box=Box(0, 40, 90, 18)),
        Element(3, (0, 3), "text", note, box=Box(100, 40, 300, 18)),
    ]
    assert seen(Observation(url=URL, title="", elements=tuple(parts), state="form")) == []


def test_the_entries_of_a_menu_are_no_values():
    menu = Place(regions=("navigation",))
    parts = [
        Element(n, (0, n), "link", name, box=Box(0, 20 * n, 90, 18), place=menu)
        for n, name in enumerate(["Assignees", "Boards"])
    ]
    assert seen(Observation(url=URL, title="", elements=tuple(parts), state="menu")) == []


def test_a_field_that_has_a_value_is_not_offered():
    progress = Progress()
    sightings = Sightings()
    observation = page("Assignee: Ann", "Due date: 2026-01-02")
    sightings.add_observation(observation, 1)
    fields = SeenFields(TASK, sightings, progress)
    fields.add_page(observation)
    (line,) = fields.entries()
    assert line == f"“Assignee: Ann”, “Due date: 2026-01-02” on {URL}"
    progress.save(Action(action="save_progress", extracted={"assignee": "Ann"}))
    assert fields.entries() == [f"“Due date: 2026-01-02” on {URL}"]
    fields.add_page(observation)
    assert fields.entries() == [f"“Due date: 2026-01-02” on {URL}"]


def test_what_the_agent_typed_itself_is_no_sighting():
    field = Element(0, (0, 0), "textbox", "Assignee", value="Ann")
    observation = Observation(url=URL, title="", elements=(field,), state="typed")
    sightings = Sightings()
    action = Action(action="type", selector="0", text="Ann")
    sightings.add_action(action, ActionResult(True, ""), observation, 0)
    sightings.add_observation(observation, 1)
    fields = SeenFields(TASK, sightings, Progress())
    fields.add_page(observation)
    assert fields.entries() == []


@pytest.mark.parametrize(
    ("state", "entries"),
    [
        ("selected=false", []),
        ("current=false", []),
        ("checked=true", [f"“Assignee: checked=true” on {URL}"]),
    ],
)
def test_that_a_button_is_not_the_open_one_is_no_value(state, entries):
    button = Element(1, (0, 1), "button", "", states=(state,), box=Box(0, 20, 40, 18))
    label = Element(0, (0, 0), "text", "Assignee", box=Box(0, 0, 200, 18))
    shown = Observation(url=URL, title="", elements=(label, button), state="s")
    assert seen(shown) == entries


@pytest.mark.parametrize(("state", "count"), [("expanded=true", 0), ("expanded=false", 1)])
def test_the_head_of_an_open_section_is_no_value(state, count):
    """Closed, it may be a list that shows what is chosen."""
    head = Element(0, (0, 0), "button", "Details", states=(state,), box=Box(0, 0, 200, 18))
    label = Element(1, (0, 1), "text", "Assignee", box=Box(0, 20, 200, 18))
    shown = Observation(url=URL, title="", elements=(head, label), state=state)
    assert len(seen(shown)) == count


def test_a_sentence_is_no_label():
    assert seen(page("The assignees of this ticket.", ("link", "Ann Miller"))) == []


def test_a_long_text_is_cut():
    (entry,) = seen(page("Assignee: " + "Ann " * 100))
    assert len(entry) < 180


@pytest.mark.parametrize("name", ["{}", "{}: activate to sort column ascending"])
def test_heads_of_columns_are_no_values(name):
    row = "Assignee | Status | Number"
    heads = tuple(
        Element(
            *(n, (0, n), "link", name.format(text)),
            box=Box(80 * n, 0, 60, 18),
            place=Place(record=row),
        )
        for n, text in enumerate(row.split(" | "))
    )
    assert seen(Observation(url=URL, title="Tickets", elements=heads, state="s")) == []


def test_a_label_with_its_own_value_is_no_label_of_what_stands_beside_it():
    texts = ("Assignee: Ann Miller", ("link", "ann"), "Assignee: Bob Ray in May", ("link", "bob"))
    assert not any("ann”" in entry or "bob”" in entry for entry in seen(page(*texts)))
