import csv
import io

from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.reports.combined import column_names, combined_csv
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec


def task_with(*fields: str, judged: bool = False) -> TaskSpec:
    question = {"judgment_required": True, "judgment_question": "Was it right?"} if judged else {}
    schema = dict.fromkeys(fields, "string | null")
    return TaskSpec.model_validate(
        {"task_id": "t", "goal": "g", "output_schema": schema, **question}
    )


def test_no_column_has_the_name_of_another() -> None:
    """A ticket's own status is the most common field of all."""
    assert column_names(task_with("status", "owner"), ["sample_id", "url", "status", "owner"]) == [
        "sample_id", "status", "url", "input_status", "input_owner", "output_status", "owner",
        "flagged", "steps", "notes", "evidence",
    ]  # fmt: skip


def test_names_that_are_made_do_not_collide_either() -> None:
    inputs = ["sample_id", "judgment_answer", "owner", "input_owner"]
    for task in (task_with("owner", "notes", "output_notes"), task_with("owner", judged=True)):
        made = column_names(task, inputs)
        assert len(made) == len(set(made)), made
    assert "input_judgment_answer" in made


def test_the_outcome_and_the_field_of_that_name_are_both_readable_by_name() -> None:
    task, samples = task_with("status"), [Sample("a", {"sample_id": "a", "status": "old"})]
    result = SampleResult(
        sample_id="a", task_id="t", status="needs_review", extracted={"status": "Open"}
    )
    (row,) = csv.DictReader(
        io.StringIO(combined_csv(task, samples, ["sample_id", "status"], [result]))
    )
    assert row["status"] == "needs_review"
    assert row["output_status"] == "Open"
    assert row["input_status"] == "old"
