import csv
import io
from collections.abc import Iterable, Sequence

from pytest_bwa.evidence.record import Judgment, SampleResult
from pytest_bwa.reports.combined import BOM, csv_lines
from pytest_bwa.reports.tables.rows import LATER_COLUMNS, SamplesTable, Table
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import SampleList
from pytest_bwa.spec.task import TaskSpec


def table_of(
    task: TaskSpec,
    samples: Iterable[Sample],
    inputs: Sequence[str],
    results: Iterable[SampleResult],
) -> Table:
    listed = SampleList(tuple(samples), tuple(inputs), "", "")
    return SamplesTable(task, listed).of(results, lambda name: "", lambda name: "")


def column_names(task: TaskSpec, inputs: Sequence[str]) -> list[str]:
    return [column.name for column in table_of(task, [], inputs, []).columns]


def combined_csv(
    task: TaskSpec,
    samples: Iterable[Sample],
    inputs: Sequence[str],
    results: Iterable[SampleResult],
) -> str:
    """Without the byte order mark, with which a reader would have to begin."""
    text = "".join(csv_lines(table_of(task, samples, inputs, results)))
    assert text.startswith(BOM)
    return text.removeprefix(BOM)


def task_with(*fields: str, judgment: bool = False) -> TaskSpec:
    keys = {"judgment_required": True, "judgment_question": "Was it right?"} if judgment else {}
    schema = dict.fromkeys(fields, "string | null")
    return TaskSpec.model_validate({"task_id": "t", "goal": "g", "output_schema": schema, **keys})


def test_column_names_are_unique() -> None:
    """Tickets have a field ``status``, as every result has."""
    assert column_names(task_with("status", "owner"), ["sample_id", "url", "status", "owner"]) == [
        "sample_id", "status", "outcome", "url", "input_status", "input_owner", "output_status",
        "owner", "flagged", "steps", "notes", "evidence", *LATER_COLUMNS,
    ]  # fmt: skip


def test_a_field_of_the_user_keeps_its_name_beside_our_later_columns() -> None:
    names = column_names(task_with("model", "seconds"), ["sample_id", "policy", "run_policy"])
    assert names[3:7] == ["policy", "run_policy", "model", "seconds"]
    assert names[-8:] == [
        "started_at", "run_seconds", "run_run_policy", "run_model", "cost_usd", "final_url",
        "reviewed_by", "test",
    ]  # fmt: skip


def test_names_with_a_prefix_are_unique_too() -> None:
    inputs = ["sample_id", "judgment_answer", "owner", "input_owner"]
    for task in (task_with("owner", "notes", "output_notes"), task_with("owner", judgment=True)):
        names = column_names(task, inputs)
        assert len(names) == len(set(names)), names
    assert "input_judgment_answer" in names


def test_status_and_the_field_status_are_in_different_columns() -> None:
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


def test_extra_keys_of_a_judgment_have_columns_of_their_own() -> None:
    form = {"answer": "yes | no", "severity": "low | high"}
    task = task_with("judgment_severity", judgment=True).model_copy(
        update={"judgment_output_schema": form}
    )
    judgment = Judgment.model_validate(
        {"answer": "no", "confidence": 1, "reasoning": "r", "evidence_refs": ["01_a.png"],
         "severity": "high"}
    )  # fmt: skip
    result = SampleResult(sample_id="a", task_id="t", status="done", judgment=judgment)
    (row,) = csv.DictReader(io.StringIO(combined_csv(task, [], ["sample_id"], [result])))
    assert [name for name in row if name.startswith("judgment_")] == [
        "judgment_answer", "judgment_confidence", "judgment_reasoning", "judgment_evidence_refs",
        "judgment_severity",
    ]  # fmt: skip
    assert (row["judgment_severity"], row["output_judgment_severity"]) == ("high", "")


def test_no_cell_is_run_as_a_formula_and_a_number_stays_one() -> None:
    formulas = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1"]
    plain = ["-12.5", "+1,240", "-3%", "–", "a=b"]
    values = [*formulas, *plain]
    names = [f"f{number}" for number in range(len(values))]
    extracted = dict(zip(names, values, strict=True))
    result = SampleResult(sample_id="a", task_id="t", status="done", extracted=extracted)
    text = combined_csv(task_with(*names), [Sample("a", {})], ["sample_id"], [result])
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    cells = [*(f"'{value}" for value in formulas), *plain]
    assert [row[name] for name in names] == [cell.replace("\r", "\n") for cell in cells]
    assert result.extracted == extracted
