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
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import RecipeUse, SampleResult
from pytest_bwa.evidence.result_reader import RecipeChecks
from pytest_bwa.policy.recipe.checking import CheckChoice, compared, is_replayed
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


def checked(folder: RunFolder, replayed: list[str], choice: CheckChoice) -> list[str]:
    """Those of the replayed samples that are checked."""
    found = []
    for name in replayed:
        if choice.includes(name):
            found.append(name)
            RecipeChecks(folder).place(name).mkdir(parents=True)
    return found


@pytest.mark.parametrize(("rate", "number"), [(0.02, 20), (0.0, 0), (0.001, 3)])
def test_as_many_are_checked_as_asked_and_three_at_least(tmp_path, rate, number):
    folder, names = RunFolder(tmp_path), [f"s{n}" for n in range(1000)]
    assert len(checked(folder, names, CheckChoice(folder, names, "seed", rate))) == number


def test_the_seed_chooses(tmp_path):
    names = [f"s{n}" for n in range(100)]

    def chosen(seed: str, number: int) -> set[str]:
        folder = RunFolder(tmp_path / str(number))
        return set(checked(folder, names, CheckChoice(folder, names, seed, 0.1)))

    assert chosen("a", 1) == chosen("a", 2) != chosen("b", 3)


@pytest.mark.parametrize("seed", range(20))
def test_three_are_checked_though_half_of_the_samples_are_odd(tmp_path, seed):
    folder, names = RunFolder(tmp_path), [f"s{n}" for n in range(32)]
    choice = CheckChoice(folder, names, str(seed), 0.02)
    assert len(checked(folder, names[5:28:2], choice)) == 3


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
