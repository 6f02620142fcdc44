"""Pages that look as the recipe has them and would give a wrong value."""

from __future__ import annotations

from dataclasses import replace

import pytest
from recipe_pages import (
    NAMES,
    SITE,
    Model,
    answer,
    answered,
    lesson,
    no_pause,
    page,
    recipe_of,
    row,
    rows_of,
    sample,
    task,
    turn,
)

from pytest_bwa.policy.recipe.policy import RecipePolicy
from pytest_bwa.policy.recipe.recipe import Recipe
from pytest_bwa.spec.sample import Sample
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import Element, Observation, Place

MAIN = Place("", ("main",))


def replayed(recipe: Recipe, observed: Observation, of: Sample | None = None, **keys):
    """The values that are read by the recipe; its reason, if it hands the sample over."""
    model, spec = Model(), task(**keys)
    policy = RecipePolicy(recipe, model, spec, of or sample(7), asked=True, pause=no_pause)
    for _ in range(3):
        decision = policy.decide(turn(7, observed, spec))
        if decision.actions[0].action != "wait":
            break
    return policy.use.why if model.asked else decision.actions[0].extracted


def with_element(observed: Observation, role: str, name: str, *states: str) -> Observation:
    element = Element(60, (1, 60), role, name, place=MAIN, states=states)
    return replace(observed, elements=(*observed.elements, element))


# -- whose page it is ----------------------------------------------------------------------------


def with_key(shown: int) -> Observation:
    """A page that names its ticket in a row only."""
    rows = {"Key": f"T-{shown}", **rows_of(shown)}
    return page(
        shown,
        rows,
        title=f"{NAMES[shown % 5]} asks",
        address=f"{SITE}/tickets/T-7" if shown == 8 else "",
    )


@pytest.mark.parametrize("words", ["T-7 was merged into this ticket", "Blocks T-7-2", "T-7"])
def test_a_page_of_another_ticket_that_speaks_of_this_one_is_not_its_page(words):
    recipe = recipe_of(*(lesson(n, with_key(n)) for n in (1, 2, 3)))
    assert replayed(recipe, with_key(7)) == answer(7)
    why = replayed(recipe, with_element(with_key(8), "link", words))
    assert "as Key" in why


@pytest.mark.parametrize(
    "title",
    ["Task T-8: fix it", "Task T-8: replaces T-7: it", "Task T-77: fix it", "Task XT-7: fix it"],
)
def test_a_word_before_the_name_in_the_heading_does_not_hide_another_ticket(title):
    def typed(n):
        return lesson(n, page(n, rows_of(n), title=f"{('Bug', 'Task')[n % 2]} T-{n}: fix {n}"))

    recipe = recipe_of(*map(typed, (1, 2, 3)))
    assert replayed(recipe, page(7, rows_of(7), title="Story T-7: fix it")) == answer(7)
    assert "heading" in replayed(recipe, page(7, rows_of(8), title=title))


def test_a_ticket_whose_name_is_one_digit_is_told_from_others():
    def columns(n):
        return {"sample_id": str(n), "url": f"{SITE}/view/{n}"}

    def shown(n, at):
        return page(n, rows_of(n), title=f"Ticket {n}", address=f"{SITE}/view/{at}")

    recipe = recipe_of(*(replace(lesson(n, shown(n, n)), columns=columns(n)) for n in (1, 2, 3)))
    own = Sample("7", columns(7), 7)
    assert replayed(recipe, shown(7, 7), own) == answer(7)
    assert "Ticket 8" in replayed(recipe, shown(8, 7), own)


# -- what is absent ------------------------------------------------------------------------------


ELSEWHERE = Place("", ("main",), ("T-7: Something about 7", "Planning"))
MOVED = {
    "its label in capitals": page(7, {}, more=[row("DUE", "2027-03-07", ELSEWHERE, 9)]),
    "its label with a word": page(7, {}, more=[row("Due date", "2027-03-07", ELSEWHERE, 9)]),
    "a tab": with_element(page(7, {}), "tab", "Planning"),
    "a button": with_element(page(7, {}), "button", "Show more"),
    "what can be opened": with_element(page(7, {}), "group", "Planning", "expanded=false"),
}


@pytest.mark.parametrize("moved", MOVED)
def test_a_value_that_may_have_moved_is_not_absent(moved):
    def without(n):
        rows = {label: text for label, text in rows_of(n).items() if label != "Due"}
        return with_element(page(n, rows), "button", "Edit")

    absent = [lesson(n, without(n), due=None) for n in (4, 5)]
    recipe = recipe_of(lesson(1), lesson(2), lesson(3), *absent)
    assert replayed(recipe, without(7)) == answer(7, due=None)
    odd, rest = MOVED[moved], without(7)
    observed = replace(
        rest,
        elements=(*rest.elements, *odd.elements[1:]),
        labelled=(*rest.labelled, *odd.labelled),
    )
    assert replayed(recipe, observed).startswith("due:")


# -- what is there by chance ---------------------------------------------------------------------

MONEY = {"owner": "string | null", "currency": "string"}


def priced(n: int, sign: str, words: str) -> Observation:
    return with_element(page(n, {"Owner": NAMES[n % 5], "Price": f"{n} {sign}"}), "text", words)


@pytest.mark.parametrize("currencies", [("EUR", "EUR", "EUR"), ("EUR", "CHF", "SEK")])
def test_what_nobody_cited_is_not_learnt(currencies):
    def unsaid(n, currency):
        own = lesson(n, priced(n, "€", f"Amounts in {currency}"))
        priceless = answered(own, {"currency": currency}, is_cited=False)
        known = answered(own, {"owner": answer(n)["owner"]})
        return replace(
            own,
            values={**known.values, **priceless.values},
            grounding={**known.grounding, **priceless.grounding},
        )

    recipe = recipe_of(*map(unsaid, (1, 2, 3), currencies), output_schema=MONEY)
    assert recipe.ways[0].by_model == ("currency",)
    words = "Amounts in EUR"
    assert "currency" not in replayed(recipe, priced(7, "$", words), output_schema=MONEY)


def doubtful(number: int, doubt: Doubt) -> Observation:
    """A page where the reader is not sure of the due date."""
    observed = page(number, rows_of(number))
    rows = [replace(one, doubt=doubt) if one.label == "Due" else one for one in observed.labelled]
    return replace(observed, labelled=tuple(rows))


def test_what_the_page_reader_doubts_is_neither_learnt_nor_read():
    doubt = Doubt.MIXED_LOOK
    usual = recipe_of(*map(lesson, (1, 2, 3)))
    assert doubt.in_words() in replayed(usual, doubtful(7, doubt))
    unsure = recipe_of(*(lesson(n, doubtful(n, doubt)) for n in (1, 2, 3)))
    assert unsure.ways[0].by_model == ("due",)
