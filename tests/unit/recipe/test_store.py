"""Recipe files: which are refused and why, which are set aside, and which samples are checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from recipe_pages import FIELDS, lesson, task
from simulated_run import open_run

from pytest_bwa import audits
from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import RecipeUse, SampleResult
from pytest_bwa.evidence.result_reader import RecipeChecks
from pytest_bwa.recipe import checking
from pytest_bwa.recipe.checking import FOLDERS_OF_A_QUESTION, CheckChoice, compared
from pytest_bwa.recipe.compiling import compile_ways
from pytest_bwa.recipe.in_words import differences, in_words
from pytest_bwa.recipe.lesson import write_lesson
from pytest_bwa.recipe.recipe import RECIPE, Recipe, read_recipe, spec_hash, why_unusable
from pytest_bwa.recipe.store import RecipeStore
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.samples import load_samples

COLUMNS = {"sample_id", "url"}
PRACTICE = Path(__file__).parents[3] / "tasks" / "practice"


def recipe_of(**changes):
    ways, _ = compile_ways(task(), [lesson(n) for n in (1, 2, 3)], 3)
    known = {"task_id": "tickets", "spec_sha256": spec_hash(task()), "ways": tuple(ways)}
    return Recipe(**{**known, **changes})


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
        ("schema_version: 1", "schema_version: 7", "another version"),
        ("name: Owner", "nmae: Owner", "ways.0.pages.0.fields.owner.sources.0.place.nmae"),
        ("ways:", "ways: [", "no readable YAML"),
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
        (recipe_of(task_id="other"), task(), COLUMNS, "of the task other"),
        (recipe_of(), task(output_schema={**FIELDS, "x": "string"}), COLUMNS, "another version"),
        (recipe_of(), task(), {"sample_id"}, "no column url"),
        (recipe_of(rests="a check failed"), task(), COLUMNS, "it rests: a check failed"),
        (recipe_of(), task(max_steps=7, recipe="only"), COLUMNS, ""),
    ],
)
def test_a_recipe_that_is_not_for_this_run(recipe, spec, columns, reason):
    why = why_unusable(recipe, spec, columns)
    assert reason in why
    assert bool(why) == bool(reason)


def test_the_practice_recipe_is_of_its_spec():
    spec = load_task(PRACTICE / "tickets.yaml")
    samples = load_samples(PRACTICE / "inputs" / "tickets.csv", spec, spec=PRACTICE)
    recipe = read_recipe(PRACTICE / "tickets.recipe.yaml")
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


def test_what_killed_workers_left_is_learnt_from(tmp_path):
    """One was killed while it wrote its lesson, another before it made the recipe."""
    folder = tmp_path / ".live" / "recipe" / "lessons"
    folder.mkdir(parents=True)
    for number in (1, 2, 3):
        write_lesson(folder / f"000{number}-T-{number}.json", lesson(number))
    whole = (folder / "0003-T-3.json").read_bytes()
    (folder / "0003-T-3.json").write_bytes(whole[: len(whole) // 2])
    store = RecipeStore(RunFolder(tmp_path), task(), "learn")
    store._add(lesson(4))
    assert store.recipe.learnt_from == ["T-1", "T-2", "T-4"]


def test_a_recipe_that_rests_is_not_made_anew(tmp_path):
    store = RecipeStore(RunFolder(tmp_path), task(), "learn")
    for number in (1, 2, 3):
        store._add(lesson(number))
    assert store.recipe.learnt_from == ["T-1", "T-2", "T-3"]
    store.rest("a check failed")
    store._add(lesson(4))
    assert store.recipe.rests == "a check failed"


@pytest.mark.parametrize(("kind", "differences"), [("replayed", ["owner"]), ("gathered", [])])
def test_what_the_model_decides_is_compared_only_if_the_recipe_read_it(tmp_path, kind, differences):
    way = recipe_of().ways[0]
    other = way.model_copy(update={"by_model": ("owner",)})
    written(tmp_path, recipe_of(ways=(way, other)).to_yaml())
    store = RecipeStore(RunFolder(tmp_path), task(), "learn")
    known = {"task_id": "tickets", "sample_id": "T-9", "status": "done"}
    replayed = SampleResult(**known, extracted={"owner": "Ann"}, recipe=RecipeUse(kind=kind))
    (tmp_path / "recipe_checks" / "T-9").mkdir(parents=True)
    store.add_check(replayed, SampleResult(**known, extracted={"owner": "Bob"}))
    (check,) = RecipeChecks(store.folder).read()
    assert check.differences == differences
    assert bool(store.recipe.rests) == bool(differences)


def test_a_sample_that_the_recipe_did_not_find_must_not_be_found_without_it():
    known = {"task_id": "tickets", "sample_id": "T-9", "status": "failed"}
    gone = SampleResult(**known, outcome="not_found")
    check = compared(gone, gone, ["owner"])
    assert (check.differences, check.problem) == ([], "")
    found = SampleResult(**{**known, "status": "done"}, outcome="found", extracted={"owner": None})
    assert compared(gone, found, ["owner"]).differences == ["owner"]
    assert compared(found, gone, ["owner"]).problem
    check = compared(gone, SampleResult(**known, reason="the site was slow"), ["owner"])
    assert (check.differences, "the site was slow" in check.problem) == ([], True)


def test_it_can_be_read_and_compared():
    recipe = recipe_of()
    text = "\n".join(in_words(recipe))
    assert "page 1: {url} with the heading “{sample_id}: *”" in text
    assert "owner: the definition “Owner”" in text
    assert differences(recipe, recipe) == []
    changed = recipe_of(ways=(recipe.ways[0].model_copy(update={"by_model": ("owner",)}),))
    assert any(line.startswith("+") and "by_model" in line for line in differences(recipe, changed))


def end(folder: RunFolder, *names: str) -> None:
    """These samples have ended."""
    for name in names:
        folder.sample(name).mkdir()
        (folder.sample(name) / "result.json").touch()


def test_as_many_are_checked_as_asked_and_three_at_least(tmp_path):
    names = [f"s{n}" for n in range(1000)]
    for rate, number in ((0.02, 20), (0.0, 0), (0.001, 3)):
        choice = CheckChoice(RunFolder(tmp_path), names, "seed", rate)
        choice._is_one_of_the_last = lambda: False
        assert sum(map(choice.has, names)) == number


def test_the_seed_chooses_and_live_samples_are_passed_over(tmp_path):
    names = [f"s{n}" for n in range(100)]

    def chosen(seed):
        choice = CheckChoice(RunFolder(tmp_path), names, seed, 0.05)
        choice._is_one_of_the_last = lambda: False
        return {name for name in names if choice.has(name)}

    first = chosen("a")
    assert first == chosen("a")
    assert first != chosen("b")
    end(RunFolder(tmp_path), *first)
    assert len(chosen("a") - first) == 5


def test_the_part_is_one_of_the_replayed_samples(tmp_path):
    """Of 120 samples every fourth one is handed over, and so 9 are a tenth of the rest."""
    folder, names, checked = RunFolder(tmp_path), [f"s{n}" for n in range(120)], []
    choice = CheckChoice(folder, names, "seed", 0.1)
    for number, name in enumerate(names):
        kind = "handed_over" if number % 4 == 0 else "replayed"
        result = SampleResult(
            task_id="t", sample_id=name, status="done", recipe=RecipeUse(kind=kind)
        )
        folder.sample(name).mkdir()
        (folder.sample(name) / "result.json").write_text(result.model_dump_json())
        if kind == "replayed" and choice.has(name):
            checked.append(name)
            (folder.path / "recipe_checks" / name).mkdir(parents=True)
    assert len(checked) == 9


@pytest.mark.parametrize("seed", range(20))
def test_three_are_checked_though_half_of_the_samples_are_odd(tmp_path, seed):
    """What was passed over before its turn came is made up for."""
    folder, names = RunFolder(tmp_path), [f"s{n}" for n in range(32)]
    choice = CheckChoice(folder, names, str(seed), 0.02)
    checks = folder.path / "recipe_checks"
    for number, name in enumerate(names):
        end(folder, name)
        is_replayed = 4 < number < 28 and number % 2
        if is_replayed and choice.has(name):
            (checks / name).mkdir(parents=True)
            (checks / name / "check.json").write_text(json.dumps({"sample_id": name}))
    assert len(list(checks.iterdir())) == 3


def test_a_question_costs_as_much_in_a_run_of_many_samples(tmp_path, monkeypatch):
    """The work of the choice grows with the number of samples, and not with its square."""
    looked = []
    monkeypatch.setattr(CheckChoice, "_has_ended", lambda self, name: looked.append(name))
    names = [f"s{n}" for n in range(1000)]
    choice = CheckChoice(RunFolder(tmp_path), names, "seed", 0.9)
    assert sum(map(choice.has, names)) == 900
    assert len(looked) <= (FOLDERS_OF_A_QUESTION + 1) * len(names)


def test_what_ends_after_a_look_is_found_by_a_later_one(tmp_path, monkeypatch):
    monkeypatch.setattr(checking, "FOLDERS_OF_A_QUESTION", 5)  # a look for each fourth question
    folder, names = RunFolder(tmp_path), [f"s{n}" for n in range(200)]
    choice = CheckChoice(folder, names, "seed", 0.1)
    choice._is_one_of_the_last = lambda: False
    order = sorted(names, key=choice._hash)
    assert choice.has(order[19])
    assert not choice.has(order[20])
    end(folder, *order[:10])
    asked = [choice.has(order[29]) for _ in range(4)]
    assert (asked[0], asked[-1]) == (False, True)
    assert not choice.has(order[30])


def test_the_checks_of_many_samples_lie_in_many_folders(tmp_path, monkeypatch):
    monkeypatch.setattr(audits, "FAN_OUT_OVER", 1)
    folder = open_run(tmp_path, 2).folder
    checks = RecipeChecks(folder)
    names = ("T-0000001", "T-0000000")
    for name in names:
        checks.place(name).mkdir(parents=True)
        assert checks.place(name).parent.name == folder.sample(name).parent.name
        (checks.place(name) / "check.json").write_text(json.dumps({"sample_id": name}))
    assert checks.begun() == 2
    assert [check.sample_id for check in checks.read()] == sorted(names)


def test_only_a_run_that_could_be_compared_says_that_a_value_is_another():
    def result(status="done", **more):
        return SampleResult(sample_id="s", task_id="t", status=status, **more)

    replayed = result(extracted={"owner": "Ann", "due": None})
    other = compared(replayed, result(extracted={"owner": "Bob"}), ["owner", "due"])
    assert (other.differences, other.problem) == (["owner"], "")
    broken = compared(replayed, result("failed", broken=True, reason="gone"), ["owner"])
    assert (broken.differences, "gone" in broken.problem) == ([], True)
