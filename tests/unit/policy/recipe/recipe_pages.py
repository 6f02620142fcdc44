"""Lessons and pages for the tests of recipes, without a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.policy.recipe.lesson import Lesson
from pytest_bwa.policy.recipe.recipe import Recipe
from pytest_bwa.policy.recipe.store import RecipeStore
from pytest_bwa.policy.recipe.visits import Visit
from pytest_bwa.proof.grounding import Grounder
from pytest_bwa.proof.observed import Observed
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.place_identity import PlaceIdentity, Target
from pytest_bwa.steps.step import (
    Action,
    Box,
    Decision,
    Element,
    LabelledValue,
    Observation,
    Place,
    Step,
)
from pytest_bwa.steps.text import label_key

SITE = "http://tracker.test"
FIELDS = {"owner": "string | null", "due": "date | null", "points": "number | null"}
NAMES = ("Ann Lee", "Bob Hill", "Cleo Ray", "Dan Fox", "Eve Ward")


def task(**keys: Any) -> TaskSpec:
    given = {"task_id": "tickets", "goal": "Read it.", "output_schema": FIELDS, **keys}
    return TaskSpec(**given)


def sample(number: int) -> Sample:
    name = f"T-{number}"
    return Sample(name, {"sample_id": name, "url": f"{SITE}/tickets/{name}"}, number)


def row(label: str, text: str, place: Place, line: int) -> LabelledValue:
    box, ref = Box(200, 30.0 * line, 90, 20), (1, 200 + line)
    return LabelledValue(label, text, "definition", place=place, box=box, ref=ref)


def page(
    number: int,
    rows: Mapping[str, str],
    *,
    title: str = "",
    address: str = "",
    language: str = "en",
    alerts: Sequence[str] = (),
    section: str = "",
    text: str = "",
    more: Sequence[LabelledValue] = (),
) -> Observation:
    """The page of a ticket, with its values in a definition list."""
    heading = title or f"T-{number}: Something about {number}"
    place = Place("", ("main",), (heading, *filter(None, [section])))
    elements = [Element(0, (1, 0), "heading", heading, states=("level=1",), place=Place())]
    elements += [Element(90 + n, (1, 90 + n), "alert", alert) for n, alert in enumerate(alerts)]
    values = [row(*pair, place, n) for n, pair in enumerate(rows.items(), start=1)]
    return Observation(
        url=address or f"{SITE}/tickets/T-{number}",
        title="Tracker",
        elements=tuple(elements),
        labelled=(*values, *more),
        language=language,
        text=text,
        state=f"state {number} {rows}",
    )


def rows_of(number: int, **changes: str) -> dict[str, str]:
    """What the page of a ticket says."""
    return {
        "Owner": NAMES[number % 5],
        "Due": f"2027-03-{number:02}",
        "Points": f"{number} points",
        **changes,
    }


def answer(number: int, **changes: Any) -> dict[str, Any]:
    """What is true of it."""
    return {"owner": NAMES[number % 5], "due": f"2027-03-{number:02}", "points": number, **changes}


def lesson(number: int, *seen_page: Observation, **values: Any) -> Lesson:
    """What a sample teaches whose model cites each field at the label with the field's name."""
    pages = seen_page or (page(number, rows_of(number)),)
    columns = dict(sample(number).columns)
    visits = [Visit(one) for one in pages]
    known = Lesson(f"T-{number}", columns, "tracker.test", visits)
    return answered(known, answer(number, **values))


class NoPictures:
    """Without a picture everything was seen all the same."""

    def picture_of(self, look: object, fact: object) -> None: ...

    def box_in(self, filename: str, fact: object, look: object) -> None: ...

    def state_in(self, filename: str, look: object) -> str:
        return ""


def answered(
    known: Lesson, values: Mapping[str, Any], *, is_cited: bool = True, **labels: str
) -> Lesson:
    """The same sample with another answer; ``labels`` are those at which its fields were read."""
    pages = [visit.page for visit in known.visits]
    observed = Observed(known.columns.values())
    for step, seen_page in enumerate(pages, start=1):
        observed.add_observation(seen_page, step)
    grounder = Grounder(task(), observed, NoPictures())
    if is_cited:
        sources = {
            name: _refs_of(labels.get(name, name), str(value), pages)
            for name, value in values.items()
        }
        grounder.citations.add(values, sources)
    return replace(known, values=values, grounding=grounder.ground(values, adds_places=True))


def _refs_of(label: str, value: str, pages: Sequence[Observation]) -> list[str]:
    """How the text with a label is cited, of several the one that says the value; a link and a
    plain text are called what they say."""
    found = [
        (text != value, ref)
        for seen_page in pages
        for name, text, ref in (
            *((value.label, value.value, value.ref) for value in seen_page.labelled),
            *((element.name, element.name, element.ref) for element in seen_page.elements),
        )
        if label_key(name) == label_key(label) and ref
    ]
    known = [ref for _, ref in sorted(found, key=lambda one: one[0])]
    return ["{}.{}".format(*ref) for ref in dict.fromkeys(known)][:1]


def recipe_of(*lessons: Lesson, **keys: Any) -> Recipe:
    """What these lessons teach, one after the other."""
    with TemporaryDirectory() as folder:
        store = RecipeStore(RunFolder(Path(folder)), task(**keys), "learn")
        for one in lessons or [lesson(n) for n in (1, 2, 3)]:
            store.add(one)
        recipe = store.recipe
        assert recipe is not None, "these lessons teach no recipe"
        return recipe


def clicked(role: str, name: str, seen_page: Observation, *, success: bool = True) -> Step:
    """A click in the log, on an element of the page."""
    place = PlaceIdentity(role=role, name=name, headings=("Form",), is_titled=True)
    return Step(
        step=1,
        action="click",
        params={"selector": "5"},
        target=Target(role=role, name=name, identity=place),
        result="clicked",
        success=success,
        mode="replay",
        url=seen_page.url,
        started_at="",
        timestamp="",
    )


def opened(number: int) -> Step:
    return Step(
        step=0,
        action="goto",
        params={"url": f"{SITE}/tickets/T-{number}"},
        intent="open_sample",
        result="opened",
        success=True,
        url="",
        started_at="",
        timestamp="",
    )


def turn(number: int, seen_page: Observation, task: TaskSpec, *later: Step) -> Turn:
    history = [opened(number), *later]
    return Turn(seen_page, task, sample(number), len(history), 20, history=history)


class Model:
    """The policy behind the recipe; ``asked`` counts its decisions."""

    name, model, reads_labelled_values = "claude", "some-model", False

    def __init__(self) -> None:
        self.helpers, self.asked = ModelHelpers(), 0
        self._decision = Decision((Action(action="done", extracted={}),))

    def decide(self, turn: Turn) -> Decision:
        self.asked += 1
        return self._decision

    def close(self) -> None: ...


def no_pause(seconds: float) -> None:
    """Instead of the pauses before the recipe's waits."""
