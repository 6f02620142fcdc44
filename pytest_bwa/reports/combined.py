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

OURS = ("sample_id", "status", "flagged", "steps", "notes", "evidence")
JUDGMENT = (
    "judgment_answer",
    "judgment_confidence",
    "judgment_reasoning",
    "judgment_evidence_refs",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def columns(task: TaskSpec, inputs: Sequence[str]) -> list[str]:
    """No name twice: a field that is called like a column of our own (a ticket's ``status``) gets
    ``output_`` in front, an input column that is called like any of them ``input_``."""
    taken = {*OURS, *JUDGMENT}
    fields = [_free(name, "output_", taken) for name in task.output_schema]
    given = [_free(name, "input_", taken) for name in inputs if name != "sample_id"]
    judged = list(JUDGMENT) if task.judgment_required else []
    return [*OURS[:2], *given, *fields, *judged, *OURS[2:]]


def _free(name: str, prefix: str, taken: set[str]) -> str:
    while name in taken:
        name = prefix + name
    taken.add(name)
    return name


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
        told = [
            part for note in (result.reason, *result.notes) for part in note.split("; ") if part
        ]
        notes = "; ".join(dict.fromkeys(told))
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
