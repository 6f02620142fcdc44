"""`bwa review --known` writes what people decided as known rows of the list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner
from unit.reports.test_run_summary import DONE, TASK, a_run
from unit.reports.verify.test_reviews import review

from pytest_bwa.cli import app
from pytest_bwa.evidence.folder import SPEC
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.spec.known import known_values
from pytest_bwa.spec.samples import load_samples
from pytest_bwa.spec.task import TaskSpec

SPEC_OF_LEASES = TaskSpec(
    **TASK,
    output_schema={
        "tenant": "string | null",
        "area": "number | null",
        "keys": {"type": "array", "items": {"type": "string"}},
    },
    judgment_required=True,
    judgment_question="Is it signed?",
    secrets={"pin": {"column": "pin"}},
)
LIST = """sample_id,url,pin,expected.tenant
s0,https://x.org/0,<secret:pin>,Somebody Else
s1,https://x.org/1,<secret:pin>,Ada
s2,https://x.org/2,<secret:pin>,Ida
s3,https://x.org/3,<secret:pin>,
"""


def leased(tenant: str) -> dict[str, Any]:
    answer = {"tenant": tenant, "area": 1.234, "keys": ["front", "back"]}
    judgment = {"answer": "yes", "confidence": 1, "reasoning": "so"}
    return {**DONE, "outcome": "found", "extracted": answer, "judgment": judgment}


@pytest.fixture(scope="module")
def leases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four samples of which the first two were reviewed in part, and the last as not there."""
    gone = {"status": "failed", "outcome": "not_found", "reason": "no such lease"}
    found = [leased("Bo"), leased("Cy"), leased("Di"), gone]
    run = a_run(tmp_path_factory.mktemp("leases"), found, 4)
    (run.path / SPEC).write_text(SPEC_OF_LEASES.model_dump_json())
    (run.path / "samples.csv").write_text(LIST)
    finish_run(run, 0, "")
    review(run.path, "a a a c side . c no . q", "--sample", "s0", "--reviewer", "ada")
    review(run.path, "c . . r wrong a s s q", "--sample", "s1", "--reviewer", "ada")
    review(run.path, "a", "--sample", "s3", "--reviewer", "ada")
    return run.path


def test_the_next_run_knows_what_was_accepted_or_corrected(leases, tmp_path):
    file = tmp_path / "next.csv"
    reviews = (leases / "reviews.jsonl").read_bytes()
    printed = review(leases, "", "--known", str(file))
    assert f"{file}: something is known of 4 of 4 rows" in printed
    assert "it has no secrets" in printed
    assert (leases / "reviews.jsonl").read_bytes() == reviews, "nothing is asked"
    listed = load_samples(file, SPEC_OF_LEASES)
    known = {s.sample_id: known_values(SPEC_OF_LEASES, s) for s in listed.samples}
    decided = {"tenant": "Bo", "area": 1.234, "keys": ["front", "side"], "judgment": "no"}
    assert known == {
        "s0": decided,
        "s1": {"tenant": None},  # the area was rejected, and one of the keys was left open
        "s2": {"tenant": "Ida"},  # of which the list knew before
        "s3": {"outcome": "not_found"},
    }
    assert {sample.columns["pin"] for sample in listed.samples} == {"<secret:pin>"}


@pytest.mark.parametrize(
    ("name", "problem"),
    [("there.csv", "exists: name another file"), ("next.xlsx", "writes CSV")],
)
def test_a_list_is_neither_overwritten_nor_called_a_workbook(leases, tmp_path, name, problem):
    (tmp_path / "there.csv").write_text("mine")
    done = CliRunner().invoke(app, ["review", str(leases), "--known", str(tmp_path / name)])
    assert done.exit_code == 1
    assert problem in done.stderr
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_a_run_of_which_nothing_is_known_has_no_such_list(tmp_path):
    run = a_run(tmp_path, [DONE], 1)
    finish_run(run, 0, "")
    done = CliRunner().invoke(app, ["review", str(run.path), "--known", str(tmp_path / "k.csv")])
    assert done.exit_code == 1
    assert "nobody has accepted or corrected" in done.stderr
    assert not (tmp_path / "k.csv").exists()
