"""combined.csv: one row a finished sample, for a spreadsheet (F-24, DESIGN 4.4)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec

JUDGMENT = (
    "judgment_answer",
    "judgment_confidence",
    "judgment_reasoning",
    "judgment_evidence_refs",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def columns(task: TaskSpec, inputs: Sequence[str]) -> list[str]:
    """Input columns that have the name of a field or of our own get ``input_`` in front."""
    own = ["sample_id", "status", *task.output_schema, "flagged", "steps", "notes", "evidence"]
    given = [f"input_{c}" if c in own else c for c in inputs if c != "sample_id"]
    judged = list(JUDGMENT) if task.judgment_required else []
    return ["sample_id", "status", *given, *task.output_schema, *judged, *own[-4:]]


def combined_csv(
    task: TaskSpec,
    samples: Iterable[Sample],
    inputs: Sequence[str],
    results: Iterable[SampleResult],
) -> str:
    """Sorted by sample_id; values that a spreadsheet would run as formulas begin with ``'``."""
    by_id = {sample.sample_id: sample for sample in samples}
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_cell(name) for name in columns(task, inputs)])
    for result in sorted(results, key=lambda r: r.sample_id):
        row = by_id.get(result.sample_id)
        given = [row.columns.get(c, "") if row else "" for c in inputs if c != "sample_id"]
        seen = [result.extracted.get(name) for name in task.output_schema]
        notes = "; ".join([*([result.reason] if result.reason else []), *result.notes])
        ours = [result.flagged, result.steps, notes, result.sample_id]
        judged = _judged(result) if task.judgment_required else []
        line = [result.sample_id, result.status, *given, *seen, *judged, *ours]
        writer.writerow([_cell(value) for value in line])
    return out.getvalue()


def _judged(result: SampleResult) -> list[Any]:
    judgment = result.judgment
    if judgment is None:
        return [None] * len(JUDGMENT)
    return [judgment.answer, judgment.confidence, judgment.reasoning, judgment.evidence_refs]


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)  # a negative number is a number, not a formula
        case str():
            return f"'{value}" if value.startswith(_FORMULA) else value
    return json.dumps(value, ensure_ascii=False)
