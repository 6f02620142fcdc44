"""Which replayed samples are run again without the recipe, and what the comparison says."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from recipe_pages import recipe_of, task
from simulated_run import open_run

from pytest_bwa.audit import audits
from pytest_bwa.evidence import result_reader
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import RecipeUse, SampleResult
from pytest_bwa.evidence.result_reader import RecipeChecks
from pytest_bwa.policy.recipe import checking
from pytest_bwa.policy.recipe.checking import (
    FOLDERS_OF_A_QUESTION,
    CheckChoice,
    compared,
    is_replayed,
)
from pytest_bwa.policy.recipe.recipe import RECIPE
from pytest_bwa.policy.recipe.store import RecipeStore


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


def test_a_sample_that_was_failed_as_others_must_be_failed_so_without_the_recipe():
    known = {"task_id": "tickets", "sample_id": "T-9", "status": "failed"}
    contradicted = SampleResult(**known, outcome="other")
    assert compared(contradicted, contradicted, ["owner"]).problem == ""
    for other in ({"broken": True}, {"outcome": "access_denied"}):
        check = compared(contradicted, SampleResult(**{**known, **other}), ["owner"])
        assert (check.differences, bool(check.problem)) == ([], True)
    found = SampleResult(**{**known, "status": "done"}, outcome="found", extracted={"owner": None})
    assert compared(contradicted, found, ["owner"]).differences == ["owner"]
    gathered = contradicted.model_copy(update={"recipe": RecipeUse(kind="gathered")})
    assert compared(gathered, found, ["owner"]).differences == []


REPLAYED = SampleResult(
    task_id="tickets", sample_id="T-9", status="done", recipe=RecipeUse(kind="replayed")
)


def store_that_checks_all(path: Path, **keys: Any) -> RecipeStore:
    store = RecipeStore(RunFolder(path), task(**keys), "learn")
    (path / RECIPE).write_text(recipe_of().to_yaml())
    store._choice = SimpleNamespace(includes=lambda name: True)
    return store


@pytest.mark.parametrize("read_only", [True, False])
def test_a_form_is_not_sent_again_for_a_check(tmp_path, read_only):
    keys = {"read_only": read_only, "submit": "Send", "confirmation": "Sent"}
    store = store_that_checks_all(tmp_path, **keys)
    assert store.is_to_be_checked(REPLAYED, None) is read_only


def test_a_recipe_that_rests_is_not_checked_any_more(tmp_path):
    store = store_that_checks_all(tmp_path)
    assert store.is_to_be_checked(REPLAYED, None)
    store.rest("a check failed")
    assert not store.is_to_be_checked(REPLAYED, None)


def test_what_broke_while_it_was_replayed_is_not_compared():
    known = {"task_id": "tickets", "sample_id": "T-9", "recipe": RecipeUse(kind="replayed")}
    assert is_replayed(SampleResult(**known, status="done"))
    assert not is_replayed(SampleResult(**known, status="failed", broken=True))


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
        assert sum(map(choice.includes, names)) == number


def test_the_seed_chooses_and_live_samples_are_passed_over(tmp_path):
    names = [f"s{n}" for n in range(100)]

    def chosen(seed):
        choice = CheckChoice(RunFolder(tmp_path), names, seed, 0.05)
        choice._is_one_of_the_last = lambda: False
        return {name for name in names if choice.includes(name)}

    first = chosen("a")
    assert first == chosen("a")
    assert first != chosen("b")
    end(RunFolder(tmp_path), *first)
    assert len(chosen("a") - first) == 5


def test_the_part_is_one_of_the_replayed_samples(tmp_path, monkeypatch):
    """Of 120 samples every fourth one is handed over, and so 9 are a tenth of the rest."""
    monkeypatch.setattr(result_reader, "SHORT", 60)  # every look is made, however busy the machine
    folder, names, checked = RunFolder(tmp_path), [f"s{n}" for n in range(120)], []
    choice = CheckChoice(folder, names, "seed", 0.1)
    for number, name in enumerate(names):
        kind = "handed_over" if number % 4 == 0 else "replayed"
        result = SampleResult(
            task_id="t", sample_id=name, status="done", recipe=RecipeUse(kind=kind)
        )
        folder.sample(name).mkdir()
        (folder.sample(name) / "result.json").write_text(result.model_dump_json())
        if kind == "replayed" and choice.includes(name):
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
        if is_replayed and choice.includes(name):
            (checks / name).mkdir(parents=True)
            (checks / name / "check.json").write_text(json.dumps({"sample_id": name}))
    assert len(list(checks.iterdir())) == 3


def test_a_question_costs_as_much_in_a_run_of_many_samples(tmp_path, monkeypatch):
    """The work of the choice grows with the number of samples, and not with its square."""
    looked = []
    monkeypatch.setattr(CheckChoice, "_has_ended", lambda self, name: looked.append(name))
    names = [f"s{n}" for n in range(1000)]
    choice = CheckChoice(RunFolder(tmp_path), names, "seed", 0.9)
    assert sum(map(choice.includes, names)) == 900
    assert len(looked) <= (FOLDERS_OF_A_QUESTION + 1) * len(names)


def test_what_ends_after_a_look_is_found_by_a_later_one(tmp_path, monkeypatch):
    monkeypatch.setattr(checking, "FOLDERS_OF_A_QUESTION", 5)  # a look for each fourth question
    folder, names = RunFolder(tmp_path), [f"s{n}" for n in range(200)]
    choice = CheckChoice(folder, names, "seed", 0.1)
    choice._is_one_of_the_last = lambda: False
    order = sorted(names, key=choice._hash)
    assert choice.includes(order[19])
    assert not choice.includes(order[20])
    end(folder, *order[:10])
    asked = [choice.includes(order[29]) for _ in range(4)]
    assert (asked[0], asked[-1]) == (False, True)
    assert not choice.includes(order[30])


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
