"""A link whose address says what its text is, as ``new`` that leads to ``/query?status=new``."""

from __future__ import annotations

from dataclasses import replace

import pytest
from recipe_pages import SITE, Model, answered, lesson, no_pause, page, rows_of, sample, task, turn

from pytest_bwa.policy.recipe.compiling import compile_ways
from pytest_bwa.policy.recipe.in_words import in_words
from pytest_bwa.policy.recipe.policy import RecipePolicy
from pytest_bwa.policy.recipe.recipe import Recipe
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import Box, Element, LabelledValue, Observation, Place

STATES = ("new", "assigned", "closed")
SCHEMA = {"status": "string"}


def link(name: str, address: str, *, line: int = 20, regions=("main",)) -> Element:
    box = Box(0, 30.0 * line, 90, 20)
    place = Place("", regions)
    return Element(line, (1, line), "link", name, url=SITE + address, place=place, box=box)


def linked(number: int, *links: Element) -> Observation:
    """A ticket's page with these links and some that have nothing to do with it."""
    always = (link("All", "/query"), link("More", "/query?more=yes", line=21))
    observed = page(number, rows_of(number))
    return replace(observed, elements=(*observed.elements, *always, *links))


def with_status(number: int, status: str) -> Observation:
    return linked(number, link(status, f"/query?status={status}&type=bug", line=22))


def recipe() -> Recipe:
    lessons = [
        answered(lesson(n, with_status(n, state)), {"status": state}, status=state)
        for n, state in enumerate(STATES, start=1)
    ]
    ways = compile_ways(task(output_schema=SCHEMA), lessons, 3)
    return Recipe(task_id="tickets", spec_sha256="", ways=tuple(ways))


def test_the_address_tells_which_link_it_is():
    found = recipe()
    (source,) = found.ways[0].pages[0].fields["status"].sources
    assert source.address == "/query?status=*&type=bug"
    assert any("leads to /query?status=*" in line for line in in_words(found))
    assert Recipe.model_validate(found.model_dump()) == found


PAGES = {
    "another status": (with_status(7, "accepted"), "accepted"),
    "the same link twice": (
        linked(7, *(link("new", "/query?status=new&type=bug", line=n) for n in (22, 23))),
        "new",
    ),
    "two such links": (
        linked(
            7,
            *(
                link(s, f"/query?status={s}&type=bug", line=n)
                for n, s in ((22, "new"), (23, "old"))
            ),
        ),
        None,
    ),
    "none": (linked(7), None),
    "a text that is not in its address": (
        linked(7, link("new", "/query?status=old&type=bug", line=22)),
        None,
    ),
    "a part of a word in its address": (
        linked(7, link("new", "/query?status=renewed&type=bug", line=22)),
        None,
    ),
    "a link of the navigation": (
        linked(7, link("new", "/query?status=new&type=bug", line=22, regions=("navigation",))),
        None,
    ),
}


@pytest.mark.parametrize("shown", PAGES)
def test_it_is_read_only_where_there_is_one(shown):
    observed, status = PAGES[shown]
    spec, model = task(output_schema=SCHEMA), Model()
    policy = RecipePolicy(recipe(), model, spec, sample(7), asked=True, pause=no_pause)
    decisions = [policy.decide(turn(7, observed, spec)) for _ in range(3)]
    ends = [d.actions[0] for d in decisions if d.actions[0].action == "done" and d.mode == "replay"]
    assert bool(model.asked) == (status is None)
    assert [end.extracted for end in ends[:1]] == ([{"status": status}] if status else [])


def with_words(number: int, *words: str, extra: Element | None = None) -> Observation:
    """A ticket's page with a row of keywords, each of which is a link."""
    lines = range(30, 30 + len(words))
    links = [
        link(word, f"/query?word=~{word}&all=1", line=line)
        for line, word in zip(lines, words, strict=True)
    ]
    texts = [*words, *([extra.name] if extra else [])]
    box = Box(0, 900, 90, 30.0 * len(texts))
    value = LabelledValue(
        "Words",
        " ".join(texts),
        "definition",
        place=Place("", ("main",)),
        box=box,
        ref=(1, 900),
        doubt=Doubt.LINK_BESIDE,
    )
    observed = linked(number, *links, *([extra] if extra else []))
    return replace(observed, labelled=(*observed.labelled, value))


def test_a_text_that_is_nothing_but_links_alike_is_whole():
    pairs = (("big", "red"), ("old", "red"), ("big", "new"))
    lessons = [
        answered(lesson(n, with_words(n, *pair)), {"words": " ".join(pair)})
        for n, pair in enumerate(pairs, start=1)
    ]
    schema = {"words": "string"}
    ways = compile_ways(task(output_schema=schema), lessons, 3)
    recipe = Recipe(task_id="tickets", spec_sha256="", ways=tuple(ways))
    edit = link("edit", "/words/edit", line=32)
    for observed, asked in (
        (with_words(7, "big", "old"), 0),
        (with_words(7, "big", "old", extra=edit), 1),
        (with_words(7, "big", extra=edit), 1),
    ):
        model, spec = Model(), task(output_schema=schema)
        policy = RecipePolicy(recipe, model, spec, sample(7), asked=True, pause=no_pause)
        decision = [policy.decide(turn(7, observed, spec)) for _ in range(3)][0 if not asked else 2]
        assert model.asked == asked
        if not asked:
            assert decision.actions[0].extracted == {"words": "big old"}
