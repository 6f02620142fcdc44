"""`bwa review` asks once for all samples whose values are doubted at the same place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from unit.reports.test_run_summary import DONE, TASK, a_run
from unit.reports.verify.test_mutations import edit
from unit.reports.verify.test_reviews import lines_of, review

from pytest_bwa.evidence.folder import SPEC
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.integrity.manifest import write_manifests
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.proof.flagging import value_doubts
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt

GROUP = "department under “Dept”: 2 samples, the page also says “Dept | Sales”"
FORM = {"department": "string | null", "staff": "number | null"}


def doubt(run: Path, name: str, *notes: str, **changes: Any) -> None:
    """Let something speak against the department of a sample, as the run would have recorded it."""
    path = run / name / "result.json"
    content = json.loads(path.read_text())
    record = content["grounding"]["department"]
    record |= {"name": "Dept", "doubts": ["other_value"]}
    record["against"] = {"other_value": "Dept | Sales"}
    doubts = value_doubts(SampleResult.model_validate(content))
    changed = {"flagged": True, "notes": [*doubts, *notes], "judgment": None, **changes}
    for key, value in changed.items():
        edit(path, key, value=value)
    edit(path, "grounding", "department", value=record)


@pytest.fixture
def doubted(run: Path) -> Path:
    """A run of two samples that are flagged for nothing but the place of one value."""
    for name in ("adam", "zoe"):
        doubt(run, name)
    write_manifests(run)
    return run


def test_one_answer_accepts_the_values_of_all_samples_and_settles_these(doubted):
    text = review(doubted, "a", "--reviewer", "ada")
    assert GROUP in text
    assert "adam: Finance adam | Finance adam" in text
    assert "(1 of" not in text, "nothing else asks for a review"
    lines = lines_of(doubted)
    assert [(line["sample_id"], line["field"], line["decision"]) for line in lines] == [
        ("adam", "department", "accepted"), ("zoe", "department", "accepted"),
    ]  # fmt: skip
    assert {line["reviewer"] for line in lines} == {"ada"}
    assert lines[0]["comment"] == "as all department under “Dept”"
    assert not [f for f in verify(doubted).faults if f.file == "reviews.jsonl"]

    page = (doubted.with_name("run_1.reviewed") / "index.html").read_text()
    assert '2 (<span class="done">2 reviewed</span>)' in page
    assert ">2 reviewed<" in page
    assert "decisions by bo written: 0" in review(doubted, "", "--reviewer", "bo")
    assert "zoe (1 of 1)" in review(doubted, "q", "--sample", "zoe", "--reviewer", "bo")


def test_the_values_of_a_place_can_be_asked_for_one_by_one(doubted):
    text = review(doubted, "maybe o r wrong a", "--reviewer", "ada")
    assert "Answer with one of the letters in brackets." in text
    found = [(line["sample_id"], line["decision"]) for line in lines_of(doubted)]
    assert found == [("adam", "rejected"), ("zoe", "accepted")]


def test_who_skips_a_place_is_asked_sample_by_sample(doubted):
    text = review(doubted, "s a q", "--reviewer", "ada")
    assert text.index(GROUP) < text.index("adam (1 of 2)")
    (line,) = lines_of(doubted)
    assert (line["sample_id"], line["comment"]) == ("adam", "")
    assert "decisions by ada written: 0" in review(doubted, "q", "--reviewer", "ada")


@pytest.mark.parametrize(
    ("notes", "changes"),
    [
        (["no heading above its values names it"], {}),
        ([], {"status": "needs_review", "reason": "nobody could see staff"}),
        ([], {"judgment": {"answer": "inconclusive", "confidence": 0.1, "reasoning": "r"}}),
    ],
)
def test_what_else_asks_for_a_review_is_asked_all_the_same(run, notes, changes):
    doubt(run, "adam", *notes, **changes)
    doubt(run, "zoe")
    text = review(run, "a q", "--reviewer", "ada")
    assert "adam (1 of 1)" in text
    assert "department = " not in text.partition("adam (1 of 1)")[2], "it is decided"
    assert "staff = " in text


def test_a_sample_that_needs_a_review_for_doubts_alone_is_settled_with_them(run):
    """As those that are read without a model are: their reason says what speaks against a value."""
    for name in ("adam", "zoe"):
        doubt(run, name)
        (said,) = json.loads((run / name / "result.json").read_text())["notes"]
        doubt(run, name, status="needs_review", reason=said)
        edit(run / name / "result.json", "notes", value=[])
    text = review(run, "a", "--reviewer", "ada")
    assert "(1 of" not in text
    assert len(lines_of(run)) == 2


def test_of_many_values_six_are_shown(tmp_path):
    record = Grounding(how="verbatim", name="Dept", text="Dept | Sales").with_doubts(
        {Doubt.HIDDEN: ""}
    )
    found = {**DONE, "outcome": "found", "extracted": {"department": "Sales"}, "flagged": True,
             "grounding": {"department": record}}  # fmt: skip
    run = a_run(tmp_path, [found] * 9, 9)
    (run.path / SPEC).write_text(TaskSpec(**{**TASK, "output_schema": FORM}).model_dump_json())
    finish_run(run, 0, "")
    text = review(run.path, "a", "--reviewer", "ada")
    shown = [line for line in text.splitlines() if ": Sales | Dept | Sales" in line]
    assert [line.split(":")[0].strip() for line in shown] == [f"s{n}" for n in range(6)]
    assert "and 3 more values" in text
    assert len(lines_of(run.path)) == 9
