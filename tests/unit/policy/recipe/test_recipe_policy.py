"""The recipe decides where all is as it was, and hands over where anything is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from recipe_pages import (
    Model,
    answer,
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
from pytest_bwa.policy.recipe.shape import Shape
from pytest_bwa.steps.step import Place


def decided(observed, number=7, recipe=None, asked=True, **keys):
    """The first decision but waits, the policy and the model behind it."""
    spec, model = task(**keys), Model()
    policy = RecipePolicy(
        recipe or recipe_of(**keys), model, spec, sample(number), asked=asked, pause=no_pause
    )
    for _ in range(3):
        decision = policy.decide(turn(number, observed, spec))
        if decision.actions[0].action != "wait":
            break
    return decision, policy, model


def test_the_values_are_those_of_the_page():
    decision, policy, model = decided(page(7, rows_of(7)))
    (action,) = decision.actions
    assert (action.action, action.extracted) == ("done", answer(7))
    assert action.sources == {"owner": "1.201", "due": "1.202", "points": "1.203"}
    assert (decision.mode, policy.use.kind, model.asked) == ("replay", "replayed", 0)


ROWS = rows_of(7)
PARENT = Place("", ("main",), ("T-7: Something about 7", "Parent"))
ODD_PAGES = {
    "another address": (page(7, ROWS, address="http://tracker.test/tickets/T-8"), "address"),
    "no answer": (page(7, {}, address="chrome-error://chromewebdata/"), "error page of its own"),
    "another ticket": (page(7, ROWS, title="T-8: Something"), "heading"),
    "no such ticket": (page(7, {}, title="Not found"), "heading"),
    "an alert": (page(7, ROWS, alerts=["Merged into T-9"]), "Merged into"),
    "another language": (page(7, ROWS, language="de"), "language"),
    "a new label": (page(7, {**ROWS, "Deputy": "Ann Lee"}), "Deputy"),
    "another section": (page(7, ROWS, section="Facts"), "is not on the page"),
    "nobody": (page(7, {**ROWS, "Owner": "Nobody"}), "form"),
    "a dash": (page(7, {**ROWS, "Owner": "–"}), "owner"),
    "nothing": (page(7, {**ROWS, "Owner": ""}), "no text"),
    "a unit": (page(7, {**ROWS, "Points": "7 hours"}), "points"),
    "a date in words": (page(7, {**ROWS, "Due": "7 March 2027"}), "signs"),
    "another label": (
        page(7, {"Responsible": "Ann Lee", "Due": ROWS["Due"], "Points": "7 points"}),
        "owner",
    ),
    "the label twice": (
        page(7, ROWS, more=[row("Owner", "Bob Hill", PARENT, 9)]),
        "more often",
    ),
}


@pytest.mark.parametrize("odd", ODD_PAGES)
def test_what_does_not_fit_goes_to_the_model_with_a_reason(odd):
    observed, reason = ODD_PAGES[odd]
    decision, policy, model = decided(observed)
    assert model.asked == 1
    assert (policy.use.kind, reason in policy.use.why) == ("handed_over", True), policy.use
    assert policy.use.why in decision.notes[-1]
    assert decision.mode == "live"


def test_a_new_name_of_a_label_that_may_be_absent_is_not_nothing():
    def without(n):
        rows = {k: v for k, v in rows_of(n).items() if k != "Due"}
        return lesson(n, page(n, rows), due=None)

    recipe = recipe_of(lesson(1), lesson(2), lesson(3), without(4), without(5))
    rows = {"Owner": "Ann Lee", "Points": "7 points"}
    decision, _, model = decided(page(7, rows), recipe=recipe)
    assert (decision.actions[0].extracted["due"], model.asked) == (None, 0)
    _, policy, model = decided(page(7, {**rows, "Deadline": "2027-03-07"}), recipe=recipe)
    assert (model.asked, "Deadline" in policy.use.why) == (1, True)


@pytest.mark.parametrize("rests", ["", "a check failed"])
def test_what_another_sample_taught_meanwhile_is_used_before_the_model_is_asked(rests):
    """Two workers had the first samples of one kind at the same time."""
    observed, model = page(7, ROWS, section="Facts"), Model()
    facts = [lesson(n, page(n, rows_of(n), section="Facts")) for n in (4, 5)]
    newer = recipe_of(lesson(1), lesson(2), lesson(3), *facts).model_copy(update={"rests": rests})
    policy = RecipePolicy(
        recipe_of(), model, task(), sample(7), asked=True, pause=no_pause, newest=lambda odd: newer
    )
    for _ in range(3):
        decision = policy.decide(turn(7, observed, task()))
    if rests:
        assert (policy.use.kind, model.asked) == ("handed_over", 1)
    else:
        assert decision.actions[0].extracted == answer(7)
        assert (policy.use.kind, decision.mode, model.asked) == ("healed", "healed", 0)


def test_a_recipe_that_is_no_newer_is_tried_once():
    observed, _ = ODD_PAGES["another section"]
    recipe, model = recipe_of(), Model()
    policy = RecipePolicy(
        recipe, model, task(), sample(7), asked=True, pause=no_pause, newest=lambda odd: recipe
    )
    for _ in range(3):
        policy.decide(turn(7, observed, task()))
    assert (policy.use.kind, model.asked) == ("handed_over", 1)


def test_only_asks_nobody():
    observed, _ = ODD_PAGES["a new label"]
    decision, policy, model = decided(observed, asked=False)
    (action,) = decision.actions
    assert (action.action, action.review) == ("done", policy.use.why)
    assert model.asked == 0


def test_what_the_model_must_judge_is_gathered_for_it():
    schema = {"owner": "string | null", "summary": "string"}
    lessons = [lesson(n, summary=f"Words of the model, {n}") for n in (1, 2, 3)]
    recipe = recipe_of(*lessons, output_schema=schema)
    spec, model = task(output_schema=schema), Model()
    policy = RecipePolicy(recipe, model, spec, sample(7), asked=True, pause=no_pause)
    observed = page(7, rows_of(7))
    first = policy.decide(turn(7, observed, spec))
    assert first.actions[0].action == "save_progress"
    assert first.actions[0].extracted == {"owner": answer(7)["owner"]}
    second = policy.decide(turn(7, observed, spec))
    assert (second.mode, model.asked, policy.use.kind) == ("live", 1, "gathered")


def test_the_page_must_show_what_the_samples_columns_say():
    def of(number):
        known = lesson(number)
        columns = {**known.columns, "owner_in_list": answer(number)["owner"]}
        return replace(known, columns=columns)

    recipe, model, spec = recipe_of(*map(of, (1, 2, 3))), Model(), task()
    assert recipe.ways[0].pages[0].shows == ("sample_id", "owner_in_list")
    for owner, asked in ((answer(7)["owner"], 0), ("Zoe Moor", 1)):
        columns = {**sample(7).columns, "owner_in_list": owner}
        own = replace(sample(7), columns=columns)
        policy = RecipePolicy(recipe, model, spec, own, asked=True, pause=no_pause)
        for _ in range(3):
            policy.decide(turn(7, page(7, rows_of(7)), spec))
        assert model.asked == asked


def test_places_that_always_said_the_same_must_go_on_to():
    recipe = recipe_of()
    fields = recipe.ways[0].pages[0].fields
    (own,) = fields["owner"].sources
    other = own.model_copy(update={"place": own.place.model_copy(update={"name": "Reporter"})})
    labels = (*fields["owner"].labels, "Reporter")
    both = {"sources": (own, other), "labels": labels}
    fields = {name: f.model_copy(update={"labels": labels}) for name, f in fields.items()}
    known = {**fields, "owner": fields["owner"].model_copy(update=both)}
    only = recipe.ways[0].pages[0].model_copy(update={"fields": known})
    way = recipe.ways[0].model_copy(update={"pages": (only,)})
    recipe = recipe.model_copy(update={"ways": (way,)})
    for reporter, asked in ((answer(7)["owner"], 0), ("Zoe Moor", 1)):
        observed = page(7, {"Reporter": reporter, **rows_of(7)})
        _, policy, model = decided(observed, recipe=recipe)
        assert (model.asked, "differ now" in policy.use.why) == (asked, bool(asked))


def test_the_label_under_the_name_of_another_ticket_is_not_this_ones():
    for heading, asked in (("Parent T-8", 0), ("Parent", 1), ("Part of T-7, like T-8", 1)):
        place = Place("", ("main",), ("T-7: Something about 7", heading))
        observed = page(7, ROWS, more=[row("Owner", "Zoe Moor", place, 9)])
        decision, _, model = decided(observed)
        assert (heading, model.asked) == (heading, asked)
        if not asked:
            assert decision.actions[0].extracted == answer(7)


def test_a_date_may_have_a_zero_more_or_less():
    def numbered(number):
        return lesson(number, page(number, rows_of(number, Due=f"{number}.3.2027"), language="de"))

    recipe = recipe_of(*map(numbered, (1, 2, 3)))
    for text, asked in (("07.03.2027", 0), ("7.3.27", 1), ("7. 3. 2027", 1)):
        decision, _, model = decided(page(7, rows_of(7, Due=text), language="de"), recipe=recipe)
        assert (text, model.asked) == (text, asked)
        if not asked:
            assert decision.actions[0].extracted == answer(7)


def test_what_comes_late_is_waited_for_some_time_and_not_for_ever():
    spec, model, pauses = task(), Model(), []
    policy = RecipePolicy(recipe_of(), model, spec, sample(7), asked=True, pause=pauses.append)
    empty = turn(7, page(7, {}), spec)
    assert [policy.decide(empty).actions[0].action for _ in range(2)] == ["wait", "wait"]
    assert (policy.decide(turn(7, page(7, ROWS), spec)).mode, model.asked) == ("replay", 0)
    assert sum(pauses) == 1
    late = RecipePolicy(recipe_of(), model, spec, sample(7), asked=True, pause=no_pause)
    assert [late.decide(empty).mode for _ in range(3)][-1] == "live"


def test_what_no_waiting_changes_is_not_waited_for():
    spec, odd = task(), page(7, ROWS, address="http://tracker.test/tickets/T-8")
    for observed in (odd, page(7, ROWS, alerts=["Merged"]), replace(page(7, {}), http_status=404)):
        model, pauses = Model(), []
        policy = RecipePolicy(recipe_of(), model, spec, sample(7), asked=True, pause=pauses.append)
        modes = [policy.decide(turn(7, observed, spec)).mode for _ in range(3)]
        assert (modes[-1], pauses, model.asked) == ("live", [], 1)


def test_a_page_that_is_always_busy_costs_no_pauses():
    spec, model, pauses = task(), Model(), []
    policy = RecipePolicy(recipe_of(), model, spec, sample(7), asked=True, pause=pauses.append)
    busy = turn(7, replace(page(7, ROWS), busy=True), spec)
    modes = [policy.decide(busy).actions[0].action for _ in range(3)]
    assert (modes, pauses, model.asked) == (["wait", "wait", "done"], [], 0)


def test_a_new_form_or_language_needs_two_samples():
    def odd(number):
        rows = rows_of(number, Due=f"{number:02}.03.2027")
        return lesson(number, page(number, rows, language="de"))

    observed = page(7, rows_of(7, Due="07.03.2027"), language="de")
    for lessons, asked in (((4,), 1), ((4, 5), 0)):
        recipe = recipe_of(lesson(1), lesson(2), lesson(3), *map(odd, lessons))
        decision, _, model = decided(observed, recipe=recipe)
        assert model.asked == asked
    assert decision.actions[0].extracted == answer(7)


def test_a_way_that_leaves_more_to_the_model_gives_way():
    recipe = recipe_of()
    page_of_way = recipe.ways[0].pages[0]
    fields = {name: f for name, f in page_of_way.fields.items() if name != "owner"}
    less = page_of_way.model_copy(update={"fields": fields})
    other = recipe.ways[0].model_copy(update={"pages": (less,), "by_model": ("owner",)})
    both = recipe.model_copy(update={"ways": (other, recipe.ways[0])})
    decision, _, model = decided(page(7, rows_of(7)), recipe=both)
    assert (decision.actions[0].extracted, model.asked) == (answer(7), 0)


def test_beside_the_list_of_a_parent_each_list_has_a_name():
    title = "T-7: Something about 7"
    own = Place("", ("main",), (title,), record="Owner | Cleo Ray", record_name="Owner")
    parents = Place("", ("main",), (title, "Parent T-8"), record="Owner | Zoe", record_name="Owner")
    twice = Place("", ("main",), (title,), record="Owner | Zoe Moor", record_name="Again")
    for other, asked in ((parents, 0), (twice, 1)):
        observed = page(7, {}, more=[row(*r, own, n) for n, r in enumerate(ROWS.items(), start=1)])
        more = [row("Owner", "Zoe Moor", other, 20)]
        observed = replace(observed, labelled=(*observed.labelled, *more))
        decision, _, model = decided(observed)
        assert model.asked == asked
        if not asked:
            assert decision.actions[0].extracted == answer(7)


def test_two_ways_that_differ_are_none():
    recipe = recipe_of()
    due = recipe.ways[0].pages[0].fields["due"]
    owner = due.model_copy(update={"shape": Shape(scripts=("latin",))})
    fields = {**recipe.ways[0].pages[0].fields, "owner": owner}
    wrong = recipe.ways[0].pages[0].model_copy(update={"fields": fields})
    second = recipe.ways[0].model_copy(update={"pages": (wrong,)})
    both = recipe.model_copy(update={"ways": (recipe.ways[0], second)})
    _, policy, model = decided(page(7, rows_of(7)), recipe=both)
    assert (model.asked, "two ways" in policy.use.why) == (1, True)
