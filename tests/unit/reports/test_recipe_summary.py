"""What the summary says of a recipe, and of what one would have saved."""

from __future__ import annotations

from types import SimpleNamespace

from pytest_bwa.evidence.checks import CheckRecord, Difference, SampleCheck
from pytest_bwa.evidence.run_record import RecipeRecord
from pytest_bwa.reports.recipe_summary import handed_over_lines, recipe_lines, warning_lines
from pytest_bwa.steps.step import Usage


def record(checks=(), **recipe):
    known = RecipeRecord(mode="learn", sha256="0", **recipe) if recipe else None
    check = CheckRecord(rate=0.02, seed="").with_checks(checks) if checks else None
    return SimpleNamespace(recipe=known, check=check)


def test_a_long_live_run_says_what_a_recipe_would_have_saved():
    usage = Usage(calls=300)
    assert recipe_lines(record(), 20, usage) == []
    assert recipe_lines(record(), 100, Usage()) == []
    (line,) = recipe_lines(record(), 100, usage)
    assert "with --recipe learn, about 18 of these 300 calls" in line


def test_the_line_counts_what_became_of_the_samples():
    checks = [SampleCheck(sample_id="a"), SampleCheck(sample_id="b", problem="it failed")]
    known = record(
        learnt_from=["x", "y", "z"], replayed=90, gathered=2, handed_over={"q": "no"}, checks=checks
    )
    (line,) = recipe_lines(known, 0, Usage())
    said = "recipe    learnt from 3, 90 replayed, 2 gathered for the policy, 1 handed over"
    assert line == said
    assert handed_over_lines(known.recipe) == ["q: no"]
    assert warning_lines(known) == []


def test_a_difference_is_the_first_thing_to_know():
    check = SampleCheck(sample_id="a", differences={"owner": Difference(first="x", again=None)})
    (line,) = warning_lines(record(checks=[check], replayed=1))
    assert line.startswith("RECIPE    WRONG")
    assert "a has another value of owner" in line
    (line,) = warning_lines(record(checks=[check]))
    assert line == "CHECK     DIFFERS: run again, a: owner was nothing, and not “x”"


def test_no_recipe_says_so():
    known = SimpleNamespace(recipe=RecipeRecord(mode="learn"))
    assert recipe_lines(known, 0, Usage()) == [
        "recipe    none was learnt: no 3 samples taught the same thing"
    ]
