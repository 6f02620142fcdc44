"""What the page of a whole run says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from pytest_bwa.evidence.record import STATUSES
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.handover.sample_content import (
    Facts,
    mood,
    review_row,
    run_origin,
    utc_text,
)
from pytest_bwa.reports.handover.values import value_text
from pytest_bwa.reports.terminal import describe_usage, discovery_lines
from pytest_bwa.text import one_line

MAX_FIELDS = 4
"""Fields that the table shows, so that it fits on a sheet of paper."""
MAX_VALUE, MAX_REASON = 80, 160
NOT_RUN = "not run"
_COUNTED_MARKS = ("flagged", "inconclusive", "known_bad", "reviewed")
"""Unsure is what needs a review or is inconclusive, which are counted each."""


def run_content(run: FinishedRun, evidence: str = "") -> dict[str, Any]:
    """What the template ``run.html`` shows. ``evidence`` is the relative address of the run's
    folder, with a slash at its end; empty if the page lies in it."""
    record, task = run.record, run.task
    plain = [name for name in task.output_schema if not _is_array(run, name)]
    fields = plain[:MAX_FIELDS]
    rows = [*_rows(run, fields, evidence)]
    return {
        "run_id": record.run_id,
        "task_id": record.task_id,
        "notes": [*discovery_lines(record), *record.notes],
        "totals": _totals(run, rows),
        "goal": task.goal.strip(),
        "question": task.judgment_question or "",
        "rows": rows,
        "statuses": sorted({row["status"] for row in rows}),
        "outcomes": sorted({row["outcome"] for row in rows}),
        "fields": fields,
        "left_out": len(task.output_schema) - len(fields),
        "origin": _origin(run),
        "reviews": [review_row(r) for name in sorted(run.reviews) for r in run.reviews[name]],
    }


def _is_array(run: FinishedRun, field: str) -> bool:
    return any(isinstance(result.extracted.get(field), list | dict) for result in run.results)


def _rows(run: FinishedRun, fields: list[str], evidence: str) -> Iterator[dict[str, Any]]:
    """A row for each sample, in the order of the list."""
    results = {result.sample_id: result for result in run.results}
    for sample in run.samples.samples:
        result = results.get(sample.sample_id)
        if result is None:
            yield {
                "sample_id": sample.sample_id, "href": "", "status": "not_run",
                "outcome": "not_run",
                "ending": NOT_RUN, "mood": "quiet", "marks": [], "reason": "",
                "fields": ["" for _ in fields],
            }  # fmt: skip
            continue
        marks = {
            "flagged": "flagged" in result.review_marks,
            "inconclusive": "inconclusive" in result.review_marks,
            "unsure": not {"needs_review", "inconclusive"}.isdisjoint(result.review_marks),
            "known_bad": run.task.is_known_bad(sample),
            "reviewed": sample.sample_id in run.reviews,
        }
        values = [value_text(result.extracted.get(name)) for name in fields]
        yield {
            "sample_id": result.sample_id,
            "href": f"{'' if marks['reviewed'] else evidence}{quote(result.sample_id)}/index.html",
            "status": result.status,
            "outcome": result.outcome,
            "ending": result.ending,
            "mood": mood(result),
            "marks": [name for name, holds in marks.items() if holds],
            "reason": one_line(result.reason, MAX_REASON),
            "fields": [one_line(value, MAX_VALUE) for value in values],
        }


def _totals(run: FinishedRun, rows: list[dict[str, Any]]) -> Facts:
    counts = Counter(result.status for result in run.results)
    marks = Counter(mark for row in rows for mark in row["marks"])
    usage = run.usage
    cost = "unknown" if usage.cost_usd is None else f"${usage.cost_usd:.2f}"
    totals = [
        ("samples", len(rows)),
        *((status.replace("_", " "), counts[status]) for status in STATUSES),
        (NOT_RUN, len(rows) - len(run.results)),
        *((name.replace("_", " "), marks[name]) for name in _COUNTED_MARKS),
    ]
    counted = [(name, str(number)) for name, number in totals if number]
    return [*counted, ("cost of the model", cost)] if usage.calls else counted


def _origin(run: FinishedRun) -> Facts:
    record = run.record
    facts = [
        ("started", f"{utc_text(record.started_at)} UTC"),
        ("finished", f"{utc_text(record.finished_at)} UTC" if record.finished_at else ""),
        ("ended", record.exit_reason or ""),
        ("policy", ", ".join(record.policies)),
        ("model", describe_usage(run.usage, record)),
        ("steps", f"{run.steps:,}"),
        *run_origin(record),
    ]
    return [(name, text) for name, text in facts if text]
