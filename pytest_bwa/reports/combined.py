"""combined.csv: one row for each finished sample, for a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from pytest_bwa.evidence.files import write_atomically
from pytest_bwa.evidence.folder import COMBINED
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.reports.base import FinishedRun, Report
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import JUDGMENT_KEYS, TaskSpec

OWN_COLUMNS = ("sample_id", "status", "outcome", "flagged", "steps", "notes", "evidence")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*%?")


class CombinedCsv(Report):
    """Writes combined.csv into the run folder."""

    name = COMBINED

    def run_finished(self, runs: tuple[FinishedRun, ...]) -> None:
        for run in runs:
            text = combined_csv(run.task, run.samples.samples, run.samples.columns, run.results)
            write_atomically(run.folder.path / COMBINED, text.encode("utf-8"))


def column_names(task: TaskSpec, inputs: Sequence[str]) -> list[str]:
    """All columns, each name once.

    An output field with the name of one of our own columns (a ticket's ``status``) gets the prefix
    ``output_``; an input column with the name of any other column gets ``input_``.
    """
    judgment = [f"judgment_{key}" for key in _judgment_keys(task)]
    taken = {*OWN_COLUMNS, *judgment}
    fields = [_unique(name, "output_", taken) for name in task.output_schema]
    input_names = [_unique(name, "input_", taken) for name in inputs if name != "sample_id"]
    return [*OWN_COLUMNS[:3], *input_names, *fields, *judgment, *OWN_COLUMNS[3:]]


def _unique(name: str, prefix: str, taken: set[str]) -> str:
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
    """The text of combined.csv, sorted by sample_id.

    A value that a spreadsheet would run as a formula begins with ``'``; a number is none.
    """
    by_id = {sample.sample_id: sample for sample in samples}
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_cell(name) for name in column_names(task, inputs)])
    for result in sorted(results, key=lambda r: r.sample_id):
        sample = by_id.get(result.sample_id)
        input_values = [
            sample.columns.get(name, "") if sample else "" for name in inputs if name != "sample_id"
        ]
        extracted = [result.extracted.get(name) for name in task.output_schema]
        answers = result.judgment.model_dump() if result.judgment else {}
        judgment = [answers.get(key) for key in _judgment_keys(task)]
        own = [result.flagged, result.steps, _notes(result), result.sample_id]
        first = [result.sample_id, result.status, result.outcome]
        row = [*first, *input_values, *extracted, *judgment, *own]
        writer.writerow([_cell(value) for value in row])
    return out.getvalue()


def _notes(result: SampleResult) -> str:
    """The reason and the notes, each part once."""
    parts = [part for note in (result.reason, *result.notes) for part in note.split("; ") if part]
    return "; ".join(dict.fromkeys(parts))


def _judgment_keys(task: TaskSpec) -> list[str]:
    """The keys of a judgment in their order; none if the task asks for no judgment."""
    return [*JUDGMENT_KEYS, *task.extra_judgment_keys] if task.judgment_required else []


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)  # a negative number is a number, not a formula
        case str():
            is_formula = value.startswith(_FORMULA) and not _NUMBER.fullmatch(value)
            cell = f"'{value}" if is_formula else value
            return cell.replace("\r\n", "\n").replace("\r", "\n")  # csv quotes no lone CR
    return json.dumps(value, ensure_ascii=False)
