"""A recipe turns a calendar to the month of the sample's date, and presses its day."""

from __future__ import annotations

from dataclasses import replace

import pytest
from recipe_pages import SITE, Model, answered, no_pause, page, recipe_of, task, turn

from pytest_bwa.policy.recipe.lesson import Lesson
from pytest_bwa.policy.recipe.policy import RecipePolicy
from pytest_bwa.policy.recipe.recipe import Recipe
from pytest_bwa.policy.recipe.visits import Visit, with_months
from pytest_bwa.spec.notation.dates import month_in
from pytest_bwa.spec.sample import Sample
from pytest_bwa.steps.place_identity import PlaceIdentity, Target
from pytest_bwa.steps.step import Action, Element, Observation, Place, Step

SPEC = {
    "read_only": False,
    "submit": "Send",
    "confirmation": "Sent",
    "output_schema": {"owner": "string | null"},
}
MONTHS = ("September", "October", "November", "December")
PLACE = Place("", ("main", "dialog"), ("Form", "Choose a day"))
DATES = {4: "2026-10-03", 5: "2026-11-17", 6: "2026-12-05"}
"""Of the samples that teach; the calendar opens in September."""


def columns(number: int, date: str) -> dict[str, str]:
    return {"sample_id": f"T-{number}", "url": f"{SITE}/tickets/T-{number}", "date": date}


def calendar(number: int, shown: int, *, days: int = 30) -> Observation:
    """The form with its calendar, which shows the month of this number."""
    observed = page(number, {}, title="Form")
    names = [f"{MONTHS[shown]} 2026"] + ["Next month"] + [str(n + 1) for n in range(days)]
    elements = [
        Element(n, (1, n), "button" if n > 1 else "text", name, place=PLACE)
        for n, name in enumerate(names, start=1)
    ]
    state = f"{number} {shown}"
    return replace(observed, elements=(*observed.elements, *elements), state=state)


def chosen(number: int, date: str) -> Observation:
    return page(number, {"Date": date, "Owner": f"Ann Lee {number}"}, title="Form")


def click(name: str) -> Step:
    identity = PlaceIdentity(
        role="button", name=name, regions=("main", "dialog"),
        headings=("Form", "Choose a day"), is_titled=True,
    )  # fmt: skip
    return Step(
        step=1, action="click", params={"selector": "5"}, result="clicked", success=True,
        target=Target(role="button", name=name, identity=identity),
        url="", started_at="", timestamp="",
    )  # fmt: skip


def lesson_of(number: int) -> Lesson:
    date = DATES[number]
    wanted = int(date[5:7]) - 9
    turned = [Visit(calendar(number, shown), click("Next month")) for shown in range(wanted)]
    day = Visit(calendar(number, wanted), click(str(int(date[8:]))))
    own = columns(number, date)
    visits = with_months([*turned, day, Visit(named(chosen(number, date), number))], own)
    known = Lesson(f"T-{number}", own, "tracker.test", visits)
    return answered(known, {"owner": f"Ann Lee {number}"})


def named(observed: Observation, number: int) -> Observation:
    """A page whose address names the sample."""
    return replace(observed, url=f"{SITE}/tickets/T-{number}")


def recipe() -> Recipe:
    return recipe_of(*map(lesson_of, DATES), **SPEC)


def pressed(date: str, observed: Observation, decides: RecipePolicy | None = None) -> str:
    """The name of what is pressed on a page; the reason where a person must look."""
    spec = task(**SPEC)
    sample = Sample("T-7", columns(7, date), 7)
    policy = decides or RecipePolicy(recipe(), Model(), spec, sample, asked=False, pause=no_pause)
    for _ in range(3):
        action: Action = policy.decide(replace(turn(7, observed, spec), sample=sample)).actions[0]
        if action.action != "wait":
            break
    if action.action == "done":
        return str(action.review)
    return next(e.name for e in observed.elements if str(e.index) == action.selector)


def test_three_samples_with_other_months_and_days_teach_one_way():
    (way,) = recipe().ways
    steps = [page.step for page in way.pages if page.step]
    assert [(step.place.name, step.month_of) for step in steps] == [
        ("Next month", "date"),
        ("{date.day}", ""),
    ]
    text = recipe().to_yaml()
    assert Recipe.model_validate(recipe().model_dump()) == recipe()
    assert recipe().columns == {"url", "date"}
    assert "October" not in text


def test_it_presses_until_the_month_is_there_and_then_the_day():
    assert pressed("2026-11-09", calendar(7, 0)) == "Next month"
    assert pressed("2026-11-09", calendar(7, 2)) == "9"
    assert pressed("2026-09-30", calendar(7, 0)) == "30"


def test_a_press_that_comes_no_nearer_is_one_for_a_person():
    spec, sample = task(**SPEC), Sample("T-7", columns(7, "2026-08-05"), 7)
    policy = RecipePolicy(recipe(), Model(), spec, sample, asked=False, pause=no_pause)
    assert pressed("2026-08-05", calendar(7, 1), policy) == "Next month"
    assert "does not get to the month" in pressed("2026-08-05", calendar(7, 2), policy)


@pytest.mark.parametrize(
    ("date", "observed"),
    [
        ("2026-11-31", calendar(7, 2, days=31)),
        ("2026-11-30", calendar(7, 2, days=28)),
        ("soon", calendar(7, 2)),
        ("2026-11-03", replace(calendar(7, 2), elements=calendar(7, 2).elements[:1])),
    ],
)
def test_a_day_that_is_not_there_is_one_for_a_person(date, observed):
    assert pressed(date, observed) not in (e.name for e in observed.elements)


def test_a_field_with_another_day_is_one_for_a_person():
    spec, sample = task(**SPEC), Sample("T-7", columns(7, "2026-11-09"), 7)
    policy = RecipePolicy(recipe(), Model(), spec, sample, asked=False, pause=no_pause)
    assert pressed("2026-11-09", calendar(7, 2), policy) == "9"
    reason = pressed("2026-11-09", named(chosen(7, "2026-11-10"), 7), policy)
    assert "the page does not" in reason


def test_two_months_with_the_same_day_are_one_for_a_person():
    both = (*calendar(7, 2).elements, *(
        replace(e, index=e.index + 100, ref=(1, e.ref[1] + 100))
        for e in calendar(7, 3).elements if e.name != "Form"
    ))  # fmt: skip
    assert "3" not in pressed("2026-11-03", replace(calendar(7, 2), elements=both)).split()


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("November 2026", (2026, 11)),
        ("2026 Nov.", (2026, 11)),
        ("3 November 2026", None),
        ("November", None),
        ("Next month", None),
        ("2026", None),
    ],
)
def test_only_a_month_and_its_year_are_a_month(text, month):
    assert month_in(text) == month
    assert month_in("novembre 2026", "fr") == (2026, 11)
