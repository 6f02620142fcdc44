"""The practice form runs by its recipe, without a model, and sends each sample once."""

from __future__ import annotations

import csv
import json

import pytest
from audit_folder import ROOT, run_in_repository

from tasks.practice import form
from tasks.practice.serve import serve

FORM = ROOT / "tasks" / "practice" / "form.yaml"
DATES = {"shown-first": "2026-09-30", "next-year": "2027-02-11", "before-all": "2026-08-05"}
"""The calendar opens in September 2026, and the recipe knows the button for the next month only."""


@pytest.fixture(scope="module")
def sent() -> list[dict[str, str]]:
    """What the site was sent."""
    return []


@pytest.fixture(scope="module")
def results(tmp_path_factory, sent):
    folder = tmp_path_factory.mktemp("form")
    rows = [
        [name, "Mei Tanaka", "Sales", "SAL-60 South", date, f"{10 + n}.20", "Taxi"]
        for n, (name, date) in enumerate(DATES.items())
    ]
    with (folder / "form.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([["sample_id", *form.FIELDS], *rows])
    with pytest.MonkeyPatch.context() as patch, serve() as url:
        submit = form._submit
        patch.setattr(form, "_submit", lambda values: sent.append(values) or submit(values))
        ran = run_in_repository(
            "workflows/test_audit.py", f"--task={FORM}", f"--samples={folder / 'form.csv'}",
            f"--recipe={FORM.with_suffix('.recipe.yaml')}", "--policy=rules",
            f"--base-url={url}", f"--evidence={folder / 'evidence'}",
        )  # fmt: skip
    assert ran.status == 0, ran.text
    (run,) = (folder / "evidence").glob("run_*")
    return {name: json.loads((run / name / "result.json").read_text()) for name in DATES}


def test_each_sample_is_sent_once_with_its_own_date(results, sent):
    assert sorted(values["date"] for values in sent) == sorted(DATES.values())
    assert {values["employee"] for values in sent} == {"Mei Tanaka"}


def test_the_recipe_does_it_and_no_model_is_asked(results):
    for name in ("shown-first", "next-year"):
        result = results[name]
        assert (result["status"], result["recipe"]["kind"]) == ("done", "gathered")
        assert result["usage"]["calls"] == 0
        assert result["extracted"]["form_submitted"] is True
        assert any("downloads/" in artifact["filename"] for artifact in result["artifacts"])


def test_a_month_that_does_not_come_is_left_to_the_policy(results):
    result = results["before-all"]
    assert (result["status"], result["recipe"]["kind"]) == ("done", "handed_over")
    assert "month" in result["recipe"]["why"]


def test_the_values_are_those_of_the_site(results, sent):
    by_date = {values["date"]: form._submit(values).body for values in sent}
    for name, date in DATES.items():
        assert results[name]["extracted"]["confirmation_number"] in by_date[date]
