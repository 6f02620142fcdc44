"""Fields that are lists: what separates their items, and what a page has where there are none."""

from __future__ import annotations

import pytest
from recipe_pages import FIELDS, Model, lesson, no_pause, page, rows_of, sample, task, turn

from pytest_bwa.policy.recipe.compiling import compile_ways
from pytest_bwa.policy.recipe.policy import RecipePolicy
from pytest_bwa.policy.recipe.recipe import Recipe

TAGS = {"type": "array", "items": {"type": "string"}}
SCHEMA = {**FIELDS, "tags": TAGS}


def tagged(number, text, tags):
    return lesson(number, page(number, rows_of(number, Tags=text)), tags=tags)


def recipe_of(*lessons):
    ways = compile_ways(task(output_schema=SCHEMA), lessons, 3)
    return Recipe(task_id="tickets", spec_sha256="", ways=tuple(ways))


def read(recipe, text, number=7):
    """What the recipe says of the tags, or why it asks the model."""
    spec, model = task(output_schema=SCHEMA), Model()
    policy = RecipePolicy(recipe, model, spec, sample(number), asked=True, pause=no_pause)
    for _ in range(3):
        decision = policy.decide(turn(number, page(number, rows_of(number, Tags=text)), spec))
        if decision.actions[0].action != "wait":
            break
    return policy.use.why or decision.actions[0].extracted["tags"]


COMMAS = (
    tagged(1, "ui, late", ["ui", "late"]),
    tagged(2, "ui", ["ui"]),
    tagged(3, "mail, ui, late", ["mail", "ui", "late"]),
)


@pytest.mark.parametrize(
    ("text", "tags"),
    [("late", ["late"]), ("ui, mail", ["ui", "mail"]), ("a, b, c, d", ["a", "b", "c", "d"])],
)
def test_items_between_commas_are_read_however_many_there_are(text, tags):
    assert read(recipe_of(*COMMAS), text) == tags


@pytest.mark.parametrize(
    ("text", "why"),
    [("ui, Late", "form"), ("ui, 7", "form"), ("ui,, late", "form"), ("", "no text")],
)
def test_an_item_of_another_form_goes_to_the_model(text, why):
    assert why in read(recipe_of(*COMMAS), text)


def test_a_list_without_items_is_learnt_like_nothing():
    """It is no list of its own kind: samples with and without items teach one way."""
    recipe = recipe_of(tagged(1, "ui, late", ["ui", "late"]), tagged(2, "", []), *COMMAS[2:])
    (way,) = recipe.ways
    assert (way.learnt_from, way.by_model) == (("T-1", "T-2", "T-3"), ())
    assert (read(recipe, ""), read(recipe, "ui, mail")) == ([], ["ui", "mail"])


def test_null_and_a_list_without_items_are_two_answers():
    """Nothing says which of the two a model would give."""
    recipe = recipe_of(*COMMAS, tagged(4, "", []), tagged(5, "", None))
    assert recipe.ways[0].by_model == ("tags",)


def test_a_name_with_a_comma_is_no_list():
    names = [tagged(n, f"Lee, {who}", [f"Lee, {who}"]) for n, who in enumerate(("Ann", "Bo", "Cy"))]
    assert all("tags" in way.by_model for way in recipe_of(*names).ways)


def test_single_items_do_not_say_what_separates_them():
    recipe = recipe_of(*(tagged(n, text, [text]) for n, text in enumerate(("ui", "late", "mail"))))
    assert (read(recipe, "ui"), "form" in read(recipe, "ui, late")) == (["ui"], True)
