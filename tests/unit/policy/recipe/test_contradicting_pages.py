"""A page that contradicts itself fails a third sample as a model failed two before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
import recipe_pages
from recipe_pages import Model, lesson, no_pause, page, row, rows_of, sample, task, turn

from pytest_bwa.policy.recipe.in_words import in_words
from pytest_bwa.policy.recipe.lesson import Lesson
from pytest_bwa.policy.recipe.policy import RecipePolicy
from pytest_bwa.policy.recipe.recipe import EndingKind, Recipe
from pytest_bwa.steps.step import Element, Observation, Place


def twice(
    number: int, second: Mapping[str, str] | None = None, *sections: str, **changes: str
) -> Observation:
    """The page of a ticket with a second list of the same labels, by default of all."""
    observed = page(number, rows_of(number, **changes))
    place = Place("", ("main",), (observed.elements[0].name, *sections))
    rows = second if second is not None else rows_of(number + 1)
    more = [row(label, text, place, 20 + n) for n, (label, text) in enumerate(rows.items())]
    return replace(observed, labelled=(*observed.labelled, *more))


def failed(number: int, observed: Observation, ending: EndingKind = "other") -> Lesson:
    return replace(lesson(number, observed), values={}, ending=ending)


BOTH = (failed(4, twice(4)), failed(8, twice(8)))


def recipe_of(*more: Lesson) -> Recipe:
    return recipe_pages.recipe_of(*map(lesson, (1, 2, 3)), *more)


def decided(recipe: Recipe, observed: Observation):
    """The first decision but waits, and whether the model was asked for it."""
    spec, model = task(), Model()
    policy = RecipePolicy(recipe, model, spec, sample(7), asked=True, pause=no_pause)
    decisions = [policy.decide(turn(7, observed, spec)) for _ in range(3)]
    return decisions[-1].actions[0], bool(model.asked)


def test_what_two_samples_were_failed_for_fails_the_third():
    recipe = recipe_of(*BOTH)
    action, asked = decided(recipe, twice(7))
    assert (action.action, action.kind, asked) == ("fail", "other", False)
    assert "“Owner”, “Due” and “Points” more often than any page before it" in action.note
    assert "T-4 and T-8 failed for the same reason" in action.note
    assert not any(text in action.note for text in rows_of(7).values())
    assert Recipe.model_validate(recipe.model_dump()) == recipe
    assert any("page 1" in line and "as T-4 and T-8" in line for line in in_words(recipe))


def test_a_page_with_fewer_contradictions_than_both_goes_to_the_model():
    """What the other two said twice may be why they were failed."""
    only_owner = {"Owner": "Zoe Poe"}
    assert decided(recipe_of(*BOTH), twice(7, only_owner))[1]
    fewer = [failed(4, twice(4, only_owner)), failed(8, twice(8, only_owner))]
    assert not decided(recipe_of(*fewer), twice(7))[1]
    assert decided(recipe_of(BOTH[0], fewer[1]), twice(7, only_owner))[1]


OTHERS = {
    "the second list has a heading": twice(7, None, "Before the move"),
    "another field is uncertain": twice(7, {"Owner": "Zoe Poe"}, Due="next week"),
    "one more such list": replace(
        twice(7), labelled=(*twice(7).labelled, *twice(7, rows_of(9)).labelled)
    ),
    "a button that may show what is true": replace(
        twice(7),
        elements=(*twice(7).elements, Element(60, (1, 60), "button", "Show the current ones")),
    ),
    "an alert": replace(
        twice(7), elements=(*twice(7).elements, Element(60, (1, 60), "alert", "Out of date"))
    ),
    "the server's answer": replace(twice(7), http_status=500),
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_page_that_is_odd_in_another_way_goes_to_the_model(other):
    assert decided(recipe_of(*BOTH), OTHERS[other])[1]


@pytest.mark.parametrize("is_doubtful", [False, True])
def test_where_a_model_answered_such_a_page_it_is_no_ending(is_doubtful):
    answered = replace(lesson(9, twice(9)), is_doubtful=is_doubtful)
    assert len(recipe_of(*BOTH).endings) == 1
    assert recipe_of(*BOTH, answered).endings == ()


def test_one_sample_and_one_of_another_kind_teach_nothing():
    assert recipe_of(BOTH[0]).endings == ()
    assert recipe_of(BOTH[0], failed(8, twice(8), "not_found")).endings == ()
    assert recipe_of(*BOTH, failed(9, twice(9), "not_found")).endings == ()


def test_what_a_model_failed_on_a_page_as_always_teaches_nothing():
    plain = [failed(n, page(n, rows_of(n))) for n in (4, 8)]
    assert recipe_of(*plain).endings == ()
    empty = [failed(n, page(n, rows_of(n, Owner="none of us"))) for n in (4, 8)]
    assert recipe_of(*empty).endings == ()
