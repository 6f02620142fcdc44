"""Which samples are run again by the policy alone, and what the comparison says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from simulated_run import open_run

from pytest_bwa.audit import audits
from pytest_bwa.audit.checking import CheckChoice
from pytest_bwa.evidence.checks import CheckRecord, Difference, SampleCheck, check_of
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.result_reader import Checks
from pytest_bwa.steps.step import Usage

FIELDS = ("owner", "due")
ALL = [*FIELDS, "outcome"]
DONE = SampleResult(
    task_id="tickets",
    sample_id="T-9",
    status="done",
    outcome="found",
    extracted={"owner": "Ann  Lee", "due": None},
)


def like_it(**changes: Any) -> SampleResult:
    return DONE.model_copy(update=changes)


GONE = like_it(status="failed", outcome="not_found", extracted=dict.fromkeys(FIELDS))
CONTRADICTED = like_it(status="failed", outcome="other", extracted=dict.fromkeys(FIELDS))


@pytest.mark.parametrize(
    ("first", "again", "differing"),
    [
        (DONE, like_it(extracted={"owner": "Ann Lee", "due": None}), []),
        (DONE, like_it(extracted={"owner": "Bob", "due": None}), ["owner"]),
        (like_it(status="needs_review"), DONE, []),
        (GONE, GONE, []),
        (CONTRADICTED, CONTRADICTED, []),
        (GONE, DONE, ["outcome"]),
        (DONE, GONE, ["outcome"]),
        (CONTRADICTED, DONE, ["outcome"]),
    ],
)
def test_two_runs_of_a_sample_are_compared(first, again, differing):
    check = check_of(first, again, ALL, FIELDS)
    assert (list(check.differences), check.problem) == (differing, "")


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (DONE, like_it(status="failed", broken=True, reason="gone")),
        (CONTRADICTED, like_it(status="failed", outcome="other", broken=True, reason="gone")),
        (CONTRADICTED, GONE.model_copy(update={"outcome": "access_denied", "reason": "gone"})),
        (GONE, CONTRADICTED.model_copy(update={"reason": "gone"})),
        (DONE, like_it(status="needs_review", extracted=GONE.extracted, reason="gone")),
    ],
)
def test_what_came_to_no_answer_is_not_compared(first, again):
    check = check_of(first, again, ALL, FIELDS)
    assert (check.differences, "gone" in check.problem) == ({}, True)


def test_a_value_of_a_second_run_that_is_to_be_reviewed_counts_if_it_is_another():
    again = like_it(status="needs_review", extracted={"owner": "Bob", "due": None})
    check = check_of(like_it(extracted={"owner": "Ann", "due": "x"}), again, ALL, FIELDS)
    assert (list(check.differences), bool(check.problem), check.is_compared) == (
        ["owner"],
        True,
        True,
    )


@pytest.mark.parametrize(
    ("owner", "calls", "by_recipe", "differing", "problem"),
    [
        (None, 0, True, [], "the policy alone does not find owner"),
        ("Bob", 0, True, ["owner"], ""),
        (None, 1, True, ["owner"], ""),
        (None, 0, False, ["owner"], ""),
    ],
)
def test_what_rules_do_not_find_without_the_recipe_is_not_compared(
    owner, calls, by_recipe, differing, problem
):
    again = like_it(extracted={"owner": owner, "due": None}, usage=Usage(calls=calls))
    check = check_of(DONE, again, ALL, FIELDS, by_recipe=by_recipe)
    assert (list(check.differences), check.problem) == (differing, problem)


def test_how_a_model_ended_a_sample_is_not_what_the_recipe_read():
    assert check_of(CONTRADICTED, like_it(extracted={}), FIELDS, FIELDS).differences == {}


def test_only_what_could_be_compared_bounds_the_rest():
    alike = [SampleCheck(sample_id=f"s{n:02}") for n in range(20)]
    asked = CheckRecord(rate=0.1, seed="")
    assert asked.with_checks(alike).line(200, by_recipe=False) == (
        "20 of 20 samples read twice alike: at least 86.1 % of all are, at 95 %"
    )
    other = SampleCheck(sample_id="x", differences={"due": Difference(first="a", again="b")})
    broken = SampleCheck(sample_id="y", problem="it broke")
    found = asked.with_checks([*alike[:2], other, broken])
    assert (found.alike, [check.sample_id for check in found.differing]) == (2, ["x"])
    assert found.line(200, by_recipe=True).startswith("2 of 3 samples of the recipe read twice")
    assert found.line(200, by_recipe=True).endswith("; 1 could not be compared")
    assert "nothing is left to bound" in found.line(3, by_recipe=False)


def checked(folder: RunFolder, replayed: list[str], choice: CheckChoice) -> list[str]:
    """Those of the replayed samples that are checked."""
    found = []
    for name in replayed:
        if choice.includes_replayed(name):
            found.append(name)
            Checks(folder).place(name).mkdir(parents=True)
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


def test_a_larger_part_has_the_samples_of_the_smaller_one(tmp_path):
    folder, names = RunFolder(tmp_path), [f"s{n}" for n in range(100)]
    parts = [CheckChoice(folder, names, "a", rate) for rate in (0.1, 0.2)]
    small, large = ({n for n in names if part.includes(n)} for part in parts)
    assert (len(small), len(large), small < large) == (10, 20, True)


@pytest.mark.parametrize("seed", range(20))
def test_three_are_checked_though_half_of_the_samples_are_odd(tmp_path, seed):
    folder, names = RunFolder(tmp_path), [f"s{n}" for n in range(32)]
    choice = CheckChoice(folder, names, str(seed), 0.02)
    assert len(checked(folder, names[5:28:2], choice)) == 3


def test_the_checks_of_many_samples_lie_in_many_folders(tmp_path, monkeypatch):
    monkeypatch.setattr(audits, "FAN_OUT_OVER", 1)
    folder = open_run(tmp_path, 2).folder
    checks = Checks(folder)
    names = ("T-0000001", "T-0000000")
    for name in names:
        checks.place(name).mkdir(parents=True)
        assert checks.place(name).parent.name == folder.sample(name).parent.name
        (checks.place(name) / "check.json").write_text(json.dumps({"sample_id": name}))
    assert checks.begun() == 2
    assert [check.sample_id for check in checks.read()] == sorted(names)
