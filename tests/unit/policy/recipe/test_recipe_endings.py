"""A sample that does not exist is recognised by a page like those of two samples before it."""

from __future__ import annotations

from dataclasses import replace

import pytest
import recipe_pages
from recipe_pages import SITE, Model, lesson, no_pause, page, row, rows_of, sample, task, turn

from pytest_bwa.policy.recipe.in_words import in_words
from pytest_bwa.policy.recipe.lesson import Lesson
from pytest_bwa.policy.recipe.policy import RecipePolicy
from pytest_bwa.policy.recipe.recipe import EndingKind, Recipe
from pytest_bwa.steps.step import Observation, Place

MAIN = Place("", ("main",))


def missing(number: int, **changes) -> Observation:
    """The server's page for a ticket that it does not have."""
    absent = page(number, {}, title=f"There is no ticket T-{number}")
    return replace(absent, http_status=404, **changes)


def instead(number: int, other: int, *said: str) -> Observation:
    """The page of another ticket, at the other one's address."""
    more = [row("", text, MAIN, 20 + n) for n, text in enumerate(said)]
    title, address = f"T-{other}: Something about {other}", f"{SITE}/tickets/T-{other}"
    return page(number, rows_of(other), title=title, address=address, more=more)


def gone(number: int, observed: Observation, ending: EndingKind = "not_found") -> Lesson:
    return replace(lesson(number, observed), values={}, ending=ending)


def recipe_of(*more: Lesson) -> Recipe:
    return recipe_pages.recipe_of(*map(lesson, (1, 2, 3)), *more)


def decided(recipe: Recipe, observed: Observation, number: int = 7):
    """The first decision but waits, and whether the model was asked for it."""
    spec, model = task(), Model()
    policy = RecipePolicy(recipe, model, spec, sample(number), asked=True, pause=no_pause)
    decisions = [policy.decide(turn(number, observed, spec)) for _ in range(3)]
    assert [d.actions[0].action for d in decisions[:2]] == ["wait", "wait"]
    return decisions[-1].actions[0], bool(model.asked), policy


TAUGHT = {
    "a page for what is missing": (missing, [4, 5, 7]),
    "another ticket's page": (lambda n: instead(n, n + 50), [4, 5, 7]),
}


@pytest.mark.parametrize("taught", TAUGHT)
def test_what_two_samples_ended_with_ends_the_third(taught):
    show, (first, second, third) = TAUGHT[taught]
    recipe = recipe_of(gone(first, show(first)), gone(second, show(second)))
    action, asked, policy = decided(recipe, show(third))
    assert (action.action, action.kind, asked) == ("fail", "not_found", False)
    assert "T-4 and T-5 were not found" in action.note
    assert policy.use.kind == "healed"
    assert Recipe.model_validate(recipe.model_dump()) == recipe
    assert any("not found, as T-4 and T-5" in line for line in in_words(recipe))


def test_one_sample_teaches_no_ending():
    recipe = recipe_of(gone(4, missing(4)))
    assert recipe.endings == ()
    assert decided(recipe, missing(7))[1]


OTHERS = {
    "another answer of the server": replace(missing(7), http_status=410),
    "its own page": page(7, {"Owner": "Ann Lee"}),
    "another heading": replace(page(7, {}, title="Please wait"), http_status=404),
    "an alert": replace(
        page(7, {}, title="There is no ticket T-7", alerts=["The site is busy"]), http_status=404
    ),
    "another text that names it": replace(
        page(7, {}, title="There is no ticket T-7", more=[row("", "T-7 has moved", MAIN, 9)]),
        http_status=404,
    ),
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_page_that_says_anything_else_goes_to_the_model(other):
    recipe = recipe_of(gone(4, missing(4)), gone(5, missing(5)))
    _, asked, policy = decided(recipe, OTHERS[other])
    assert (asked, policy.use.kind) == (True, "handed_over")


def test_another_tickets_page_that_names_this_one_is_no_such_ending():
    recipe = recipe_of(*(gone(n, instead(n, n + 50)) for n in (4, 5)))
    assert decided(recipe, instead(7, 57, "T-7 has a new number"))[1]


def test_where_a_model_had_values_on_such_a_page_it_is_no_ending():
    moved = replace(lesson(6, instead(6, 56)), values={"owner": "Bob Hill", "due": None})
    both = [gone(n, instead(n, n + 50)) for n in (4, 5)]
    assert len(recipe_of(*both).endings) == 1
    assert recipe_of(*both, moved).endings == ()


def test_pages_that_have_nothing_in_common_are_no_ending():
    strange = [
        page(n, {}, title=title, address=f"{SITE}/{title}")
        for n, title in ((4, "Home"), (5, "News"))
    ]
    assert recipe_of(*(gone(n, one) for n, one in zip((4, 5), strange, strict=True))).endings == ()


def refused(number: int) -> Observation:
    return replace(page(number, {}, title="You have no access"), http_status=403)


def test_whoever_has_no_access_to_two_samples_has_none_to_the_third():
    recipe = recipe_of(*(gone(n, refused(n), "access_denied") for n in (4, 5)))
    action, asked, _ = decided(recipe, refused(7))
    assert (action.action, action.kind, asked) == ("fail", "access_denied", False)
    assert "T-4 and T-5 were denied access" in action.note
    assert any("access to the sample was denied, as T-4" in line for line in in_words(recipe))


def test_pages_that_a_model_failed_in_two_ways_are_no_ending():
    alike = [gone(n, refused(n), "access_denied") for n in (4, 5)]
    assert recipe_of(*alike, gone(6, refused(6), "not_found")).endings == ()
    assert recipe_of(*(gone(n, refused(n), "other") for n in (4, 5))).endings == ()
