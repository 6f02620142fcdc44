"""A recipe sends a form once, and believes it only if the page confirms it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from recipe_pages import (
    Model,
    answer,
    clicked,
    lesson,
    no_pause,
    page,
    recipe_of,
    rows_of,
    sample,
    task,
    turn,
)

from pytest_bwa.policy.recipe.compiling import compile_ways
from pytest_bwa.policy.recipe.policy import RecipePolicy
from pytest_bwa.policy.recipe.visits import Visit
from pytest_bwa.steps.step import Element, Observation, Place

FORM = {"read_only": False, "submit": "Send", "confirmation": "It was sent"}
HEADING = "Form"


def form(number):
    place = Place("", ("main",), (HEADING,))
    heading = Element(0, (1, 0), "heading", HEADING, states=("level=1",))
    button = Element(5, (1, 5), "button", "Send", place=place)
    address = f"http://tracker.test/tickets/T-{number}"
    return Observation(url=address, title="", elements=(heading, button), language="en")


def sent(number, text="It was sent"):
    return page(number, {"Owner": answer(number)["owner"]}, text=text)


def lesson_of_form(number):
    at = form(number)
    step = clicked("button", "Send", at)
    known = lesson(number, at, sent(number), due=None, points=None)
    visits = [replace(known.visits[0], step=step), known.visits[1]]
    return replace(known, visits=visits)


def test_a_form_is_sent_once_and_only_believed_if_the_page_confirms_it():
    schema = {**FORM, "output_schema": {"owner": "string | null"}}
    recipe = recipe_of(*map(lesson_of_form, (1, 2, 3)), **schema)
    spec = task(**schema)
    for text, kind in (("It was sent", "replayed"), ("An error", "handed_over")):
        model = Model()
        policy = RecipePolicy(recipe, model, spec, sample(7), asked=True, pause=no_pause)
        first = policy.decide(turn(7, form(7), spec))
        assert (first.actions[0].action, first.actions[0].selector) == ("click", "5")
        click = clicked("button", "Send", form(7))
        later = [policy.decide(turn(7, sent(7, text), spec, click)) for _ in range(3)]
        end = next(d.actions[0] for d in later if d.actions[0].action != "wait")
        assert (end.action, policy.use.kind) == ("done", kind)
        assert (bool(end.review), model.asked) == (kind == "handed_over", 0)


def test_after_a_form_was_sent_nothing_is_called_missing():
    schema = {**FORM, "output_schema": {"owner": "string | null"}}
    spec, model = task(**schema), Model()

    def nothing(number):
        return replace(page(number, {}, title="There is nothing here"), http_status=404)

    known = {n: lesson_of_form(n) for n in (4, 5)}
    gone = [
        replace(le, visits=[le.visits[0], Visit(nothing(n))], values={}, ending="not_found")
        for n, le in known.items()
    ]
    recipe = recipe_of(*map(lesson_of_form, (1, 2, 3)), *gone, **schema)
    assert [ending.steps for ending in recipe.endings] == [1]
    policy = RecipePolicy(recipe, model, spec, sample(7), asked=True, pause=no_pause)
    policy.decide(turn(7, form(7), spec))
    click = clicked("button", "Send", form(7))
    end = [policy.decide(turn(7, nothing(7), spec, click)) for _ in range(3)][-1].actions[0]
    assert (end.action, "the form was sent" in (end.review or ""), model.asked) == ("done", True, 0)


@pytest.mark.parametrize("missing", ["read_only", "submit", "confirmation"])
def test_no_recipe_sends_a_form_that_the_spec_does_not_describe(missing):
    keys = {key: value for key, value in FORM.items() if key != missing}
    spec = task(**keys, output_schema={"owner": "string | null"})
    typed = [
        replace(le, visits=[replace(le.visits[0], step=typing(le)), *le.visits[1:]])
        for le in map(lesson_of_form, (1, 2, 3))
    ]
    assert compile_ways(spec, typed, 3) == []
    whole = task(**FORM, output_schema={"owner": "string | null"})
    assert len(compile_ways(whole, typed, 3)) == 1


def typing(of):
    return of.visits[0].step.model_copy(
        update={"action": "type", "params": {"selector": "5", "text": of.sample_id}}
    )


def test_a_step_that_fails_hands_the_sample_over():
    schema = {**FORM, "output_schema": {"owner": "string | null"}}
    recipe, spec, model = (
        recipe_of(*map(lesson_of_form, (1, 2, 3)), **schema),
        task(**schema),
        Model(),
    )
    policy = RecipePolicy(recipe, model, spec, sample(7), asked=True, pause=no_pause)
    policy.decide(turn(7, form(7), spec))
    failed = clicked("button", "Send", form(7), success=False)
    end = policy.decide(turn(7, form(7), spec, failed)).actions[0]
    assert "the form was sent" in end.review
    assert model.asked == 0


def test_what_answers_a_form_is_no_page_of_a_sample_that_sent_none():
    recipe, model = recipe_of(), Model()
    (way,) = recipe.ways
    answered = way.model_copy(
        update={"pages": (way.pages[0].model_copy(update={"is_answer": True}),)}
    )
    recipe = recipe.model_copy(update={"ways": (answered,)})
    policy = RecipePolicy(recipe, model, task(), sample(7), asked=True, pause=no_pause)
    for _ in range(3):
        policy.decide(turn(7, page(7, rows_of(7)), task()))
    assert (policy.use.kind, model.asked) == ("handed_over", 1)
    assert "no form was sent" in policy.use.why
