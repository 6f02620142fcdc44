"""What the terminal says before and after a run, and JUnit's properties (F-72)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pytest_bwa.evidence.folder import COMBINED, RunFolder
from pytest_bwa.evidence.record import STATUSES, RunRecord, SampleResult
from pytest_bwa.reports.closing import ClosedRun
from pytest_bwa.steps import Usage

MAX_NAMED = 10


def header(record: RunRecord, folder: RunFolder | None, notes: Sequence[str]) -> list[str]:
    where = shown(folder.path) if folder else "none (only collecting)"
    policy = record.policy + (f", model {record.model}" if record.model else "")
    if record.policy == "rules":
        policy += " (no model: judgments stay inconclusive)"
    rows = f"{record.samples_in} sample{'s' if record.samples_in != 1 else ''}"
    return [
        f"bwa: task {record.task_id}, {rows} from {shown(Path(record.samples.path))}",
        f"bwa: policy {policy}",
        f"bwa: evidence {where}",
        *(f"bwa: {note}" for note in notes),
    ]


def summarise(reporter: Any, closed: ClosedRun) -> None:
    record, usage = closed.record, closed.usage
    reporter.write_sep("=", f"audit {record.task_id}")
    counts = [f"{record.results_out[s]} {s}" for s in STATUSES if s in record.results_out]
    if record.not_run:
        counts.append(f"{record.not_run} not run")
    reporter.write_line(f"samples   {record.samples_in}: {', '.join(counts) or 'none finished'}")
    reporter.write_line(f"work      {closed.steps} steps in {_duration(record)}")
    reporter.write_line(f"model     {spent(usage, record)}")
    for result in closed.unfinished[:MAX_NAMED]:
        reporter.write_line(f"  {result.status:16}{result.sample_id}: {result.reason[:120]}")
    if len(closed.unfinished) > MAX_NAMED:
        reporter.write_line(f"  … and {len(closed.unfinished) - MAX_NAMED} more in {COMBINED}")
    reporter.write_line(f"evidence  {shown(closed.folder.path)}{os.sep}{COMBINED}")
    if record.exit_reason and record.not_run:
        reporter.write_line(f"go on     pytest … --resume={shown(closed.folder.path)}")


def spent(usage: Usage, record: RunRecord) -> str:
    if not usage.calls:
        return f"no model calls (policy {record.policy})"
    cost = "cost unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    tokens = f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"
    cached = f", {usage.cache_read:,} from cache" if usage.cache_read else ""
    return f"{usage.calls} calls of {record.model}, {tokens}{cached}, {cost}"


def properties(result: SampleResult) -> list[tuple[str, object]]:
    """For JUnit XML, one property each."""
    usage = result.usage
    return [
        ("bwa_status", result.status),
        ("bwa_reason", result.reason),
        ("bwa_steps", result.steps),
        ("bwa_model_calls", usage.calls),
        ("bwa_tokens_in", usage.input_tokens),
        ("bwa_tokens_out", usage.output_tokens),
        ("bwa_cost_usd", "unknown" if usage.cost_usd is None else usage.cost_usd),
        ("bwa_evidence", str(result.folder or "")),
    ]


def shown(path: Path) -> str:
    """Relative to where the command was given, if it is below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path.resolve())


def _duration(record: RunRecord) -> str:
    begun = (record.resumed_at or [record.started_at])[-1]
    seconds = (
        datetime.fromisoformat(record.finished_at or begun) - datetime.fromisoformat(begun)
    ).total_seconds()
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.1f} min"
