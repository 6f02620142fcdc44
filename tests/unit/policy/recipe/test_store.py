"""Recipe files: which are refused and why, which are set aside, and which samples are checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import recipe_pages
import yaml
from pydantic import ValidationError
from recipe_pages import FIELDS, Model, answer, answered, lesson, page, rows_of, sample, task, turn

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import RecipeUse, SampleResult
from pytest_bwa.policy.base import ModelHelpers
from pytest_bwa.policy.recipe.in_words import in_words
from pytest_bwa.policy.recipe.recipe import (
    ONLY,
    RECIPE,
    EndingRecipe,
    Recipe,
    read_recipe,
    why_unusable,
)
from pytest_bwa.policy.recipe.store import RecipeStore
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.samples import load_samples
from pytest_bwa.steps.step import Usage

COLUMNS = {"sample_id", "url"}
PRACTICE = Path(__file__).parents[4] / "tasks" / "practice"


def recipe_of(**changes):
    return recipe_pages.recipe_of().model_copy(update=changes)


def written(tmp_path, text):
    path = tmp_path / RECIPE
    path.write_text(text)
    return path


def test_what_is_written_is_read_again(tmp_path):
    recipe = recipe_of()
    assert read_recipe(written(tmp_path, recipe.to_yaml())) == recipe


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("schema_version: 2", "schema_version: 7", "another version"),
        ("name: Owner", "nmae: Owner", "ways.0.pages.0.fields.owner.sources.0.place.nmae"),
        ("ways:", "ways: [", "not valid YAML at line"),
        ("task_id: tickets", "task_id: []", "task_id"),
    ],
)
def test_a_file_that_is_no_recipe_is_refused_in_one_line(tmp_path, old, new, reason):
    text = recipe_of().to_yaml()
    assert old in text
    with pytest.raises(InputError) as problem:
        read_recipe(written(tmp_path, text.replace(old, new, 1)))
    assert reason in str(problem.value)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    ("recipe", "spec", "columns", "reason"),
    [
        (recipe_of(task_id="other"), task(), COLUMNS, "for the task other"),
        (recipe_of(), task(output_schema={**FIELDS, "x": "string"}), COLUMNS, "another version"),
        (recipe_of(), task(), {"sample_id"}, "no column url"),
        (
            recipe_of(rests="a check failed"),
            task(),
            COLUMNS,
            "it is no longer used: a check failed",
        ),
        (recipe_of(), task(max_steps=7, title="Owners", controls=["CC8.1"]), COLUMNS, ""),
    ],
)
def test_a_recipe_that_is_not_for_this_run(recipe, spec, columns, reason):
    why = why_unusable(recipe, spec, columns)
    assert reason in why
    assert bool(why) == bool(reason)


@pytest.mark.parametrize("name", ["tickets", "form"])
def test_the_practice_recipes_are_of_their_specs(name):
    spec = load_task(PRACTICE / f"{name}.yaml")
    samples = load_samples(PRACTICE / "inputs" / f"{name}.csv", spec, spec=PRACTICE)
    recipe = read_recipe(PRACTICE / f"{name}.recipe.yaml")
    assert why_unusable(recipe, spec, set(samples.columns)) == ""


def test_a_broken_recipe_is_set_aside_and_noted(tmp_path):
    notes = []
    folder = RunFolder(tmp_path)
    folder.add_note = notes.append
    store = RecipeStore(folder, task(), "learn")
    written(tmp_path, recipe_of().to_yaml())
    assert store.recipe is not None
    written(tmp_path, "ways: [ broken")
    assert store.recipe is None
    assert not (tmp_path / RECIPE).exists()
    assert len(list(tmp_path.glob(f"{RECIPE}.broken-*"))) == 1
    assert "is learnt anew" in notes[0]


def test_a_recipe_that_rests_is_not_used(tmp_path):
    store = RecipeStore(RunFolder(tmp_path), task(), "learn")
    written(tmp_path, recipe_of(rests="a check failed").to_yaml())
    assert store.policy_for(None, task(), None) is None


@pytest.mark.parametrize("text", ["ways: [ broken", recipe_of(rests="a check failed").to_yaml()])
def test_only_asks_no_model_whatever_became_of_the_file(tmp_path, text):
    """The file of a run may be damaged, or rest since an earlier session of it."""
    folder = RunFolder(tmp_path)
    folder.add_note = [].append
    store = RecipeStore(folder, task(), ONLY, kept=recipe_of())
    written(tmp_path, text)
    model = Model()
    model.helpers = ModelHelpers(finalizer=object())
    policy = store.policy_for(model, task(), sample(7))
    decision = policy.decide(turn(7, page(7, rows_of(7)), task()))
    assert (model.asked, policy.helpers) == (0, ModelHelpers())
    (action,) = decision.actions
    if "rests" in text:
        assert (action.extracted, "a check failed" in action.review) == ({}, True)
    else:
        assert (action.extracted, action.review) == (answer(7), None)


def test_what_a_killed_worker_left_in_pieces_is_learnt_anew(tmp_path):
    store = RecipeStore(RunFolder(tmp_path), task(), "learn")
    store.add(lesson(1))
    (learnt,) = (tmp_path / ".live" / "recipe").glob("*.json")
    learnt.write_bytes(learnt.read_bytes()[:-9])
    for number in (2, 3, 4):
        store.add(lesson(number))
    assert store.recipe.learnt_from == ["T-2", "T-3", "T-4"]


def test_a_recipe_that_rests_is_not_made_anew(tmp_path):
    store = RecipeStore(RunFolder(tmp_path), task(), "learn")
    for number in (1, 2, 3):
        store.add(lesson(number))
    assert store.recipe.learnt_from == ["T-1", "T-2", "T-3"]
    store.rest("a check failed")
    store.add(lesson(4))
    assert store.recipe.rests == "a check failed"


@pytest.mark.parametrize(("kind", "read"), [("replayed", [*FIELDS, "outcome"]), ("gathered", [])])
def test_what_the_model_decides_is_compared_only_if_the_recipe_read_it(tmp_path, kind, read):
    way = recipe_of().ways[0]
    other = way.model_copy(update={"by_model": tuple(FIELDS)})
    written(tmp_path, recipe_of(ways=(way, other)).to_yaml())
    store = RecipeStore(RunFolder(tmp_path), task(), "learn")
    known = {"task_id": "tickets", "sample_id": "T-9", "status": "done"}
    result = SampleResult(**known, recipe=RecipeUse(kind=kind))
    assert store.names_read(result) == read
    assert store.is_read_by_it(result)
    assert not store.is_read_by_it(SampleResult(**known))
    store.rest("a check failed")
    assert not store.is_read_by_it(result)


def test_a_file_without_outcomes_is_of_samples_that_were_not_found():
    page = recipe_of().ways[0].pages[0].model_dump()
    ending = EndingRecipe(learnt_from=("T-1", "T-2"), unlike=("heading",), page=page)
    text = recipe_of(endings=(ending,)).to_yaml()
    assert "outcome" not in text
    assert Recipe.model_validate(yaml.safe_load(text)).endings[0].outcome == "not_found"
    with pytest.raises(ValidationError):
        EndingRecipe(learnt_from=("T-1", "T-2"), outcome="other", page=page)


def test_answers_with_a_doubt_take_no_room_from_others(tmp_path, monkeypatch):
    monkeypatch.setattr("pytest_bwa.policy.recipe.store.MAX_LESSONS", 3)
    store = RecipeStore(RunFolder(tmp_path), task(), "learn")
    for number in range(4, 8):
        store.add(replace(lesson(number), is_doubtful=True))
    assert store.recipe is None
    for number in (1, 2, 3):
        store.add(lesson(number))
    assert store.recipe.learnt_from == ["T-1", "T-2", "T-3"]


def ended(store, number, kind, why="", calls=1):
    """A sample has ended that the recipe had a part in."""
    use, usage = RecipeUse(kind=kind, why=why), Usage(calls=calls)
    known = {"task_id": "tickets", "sample_id": f"T-{number}", "status": "done"}
    result = SampleResult(**known, recipe=use, usage=usage)
    store.learn(sample(number), result, None, None)


@pytest.fixture
def learning(tmp_path):
    """A store with a recipe, and the notes of its run."""
    folder, notes = RunFolder(tmp_path), []
    folder.add_note = notes.append
    store = RecipeStore(folder, task(), "learn")
    store.add(*(lesson(number) for number in (1, 2, 3)))
    return store, notes


def test_a_field_that_most_samples_are_handed_over_for_is_left_to_the_model_once(
    learning,
):
    store, notes = learning
    ended(store, 4, "replayed")
    for number in range(5, 11):
        assert store.recipe.ways[0].by_model == ()
        ended(store, number, "handed_over", "owner: its form (AA) is one that no earlier value had")
    assert store.recipe.ways[0].by_model == ("owner",)
    assert [note for note in notes if "owner" in note and "an alias or a locale" in note] == notes
    store.add(lesson(11))
    assert (store.recipe.ways[0].by_model, len(notes)) == (("owner",), 1)


def test_what_is_odd_now_and_then_is_not_given_up(learning):
    store, notes = learning
    for number in range(4, 34):
        kind = "replayed" if number % 3 else "handed_over"
        ended(store, number, kind, "owner: something" if kind == "handed_over" else "")
    assert (store.recipe.ways[0].by_model, store.recipe.rests, notes) == ((), "", [])


@pytest.mark.parametrize("calls", [0, 1])
def test_what_the_policy_only_completes_without_a_model_is_saved(learning, calls):
    store, _ = learning
    for number in range(4, 15):
        ended(store, number, "gathered", calls=calls)
    assert bool(store.recipe.rests) == bool(calls)


@pytest.mark.parametrize("first", ["handed_over", "replayed"])
def test_a_recipe_that_saves_nothing_rests_and_says_so(learning, first):
    store, notes = learning
    ended(store, 4, first, "the page's heading is another")
    for number in range(5, 15):
        ended(store, number, "handed_over", "the page's heading is another")
    rests = "samples saved nothing by it" in store.recipe.rests
    assert (rests, bool(notes)) == (first == "handed_over", first == "handed_over")


def test_more_than_a_few_samples_teach_only_if_they_were_handed_over(learning):
    store, _ = learning
    store.add(*(lesson(number) for number in (4, 5, 6)))
    uses = {"gathered": False, "replayed": False, "handed_over": True}
    assert {kind: store._may_teach(RecipeUse(kind=kind)) for kind in uses} == uses
    assert not store._may_teach(None)


def test_what_six_samples_did_not_teach_is_said_once_with_what_may_help(tmp_path):
    folder, notes = RunFolder(tmp_path), []
    folder.add_note = notes.append
    store = RecipeStore(folder, task(), "learn")
    for number in range(1, 9):
        store.add(answered(lesson(number), answer(number), owner="nowhere"))
    (note,) = notes
    assert all(words in note for words in ("owner", "an alias, a locale or known rows"))
    assert store.recipe.ways[0].by_model == ("owner",)


@pytest.mark.parametrize(("days", "is_certain"), [((13, 14, 15), True), ((6, 7, 8), False)])
def test_what_samples_agree_on_settles_how_dates_are_read(tmp_path, days, is_certain):
    """05/03 alone may be in May; three answers for such dates may all be wrong."""
    store = RecipeStore(RunFolder(tmp_path), task(), "learn")
    for number in days:
        shown = page(number, rows_of(number, Due=f"{number}/03/2027"))
        store.add(lesson(number, shown))
    assert store.recipe.ways[0].pages[0].fields["due"].locale == "en-GB"
    policy = store.policy_for(Model(), task(), sample(5))
    observed = page(5, rows_of(5, Due="05/03/2027"))
    (action,) = policy.decide(turn(5, observed, task())).actions
    assert action.extracted == answer(5)
    assert action.locales == ({"due": "en-GB"} if is_certain else None)


def test_it_can_be_read():
    recipe = recipe_of()
    text = "\n".join(in_words(recipe))
    assert "page 1: {url} with the heading “{sample_id}: *”" in text
    assert "owner: the definition “Owner”" in text
