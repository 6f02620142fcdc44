"""A run of many samples that no browser ran, written by the classes that write real ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plans import opened, plan_in

from pytest_bwa.audit.audits import Audit
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.integrity.manifest import write_manifests
from pytest_bwa.evidence.item_report import ItemReport
from pytest_bwa.evidence.record import Judgment, SampleResult
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.reports.base import ReportContext
from pytest_bwa.reports.combined import CombinedTables
from pytest_bwa.reports.handover.report import write_run_page
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.steps.step import Step, Usage

SPEC = {
    "task_id": "tickets",
    "goal": "Read the ticket.",
    "start_url": "https://tickets.example/{sample_id}",
    "output_schema": {
        "assignee": "string | null",
        "department": "string",
        "staff": "number",
        "opened": "date",
        "urgent": "boolean",
        "tags": "array",
    },
    "judgment_question": "Was it approved?",
    "judgment_required": True,
}
STARTED, ENDED = "2026-11-22T09:00:00.000Z", "2026-11-22T09:00:07.250Z"
STEPS = ("goto", "screenshot", "done")
ODD = 20
"""Every so many samples, one has no assignee and needs a review."""


def sample_name(number: int) -> str:
    return f"T-{number:07d}"


def open_run(folder: Path, count: int, *, cell: str = "team", **asked: Any) -> Audit:
    """The audit of ``count`` samples with its run folder, in which no sample has a result. Each has
    this text in the list; ``asked`` has what the plan asks for beside the usual."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spec.json").write_text(json.dumps(SPEC))
    with (folder / "samples.csv").open("w") as stream:
        stream.write("sample_id,team\n")
        stream.writelines(f"{sample_name(n)},{cell} {n % 7}\n" for n in range(count))
    return opened(plan_in(folder, policy="claude", model="claude-sonnet-5-5", **asked))


def write_samples(run: RunFolder, numbers: Iterable[int]) -> None:
    """Write the evidence of these samples, without pictures."""
    for number in numbers:
        _write_sample(run, number)


def end_run(run: RunFolder) -> None:
    """What a session does when its samples have ended."""
    ended = finish_run(run, 0, "")
    CombinedTables(ReportContext()).run_finished((ended,))
    write_run_page(ended)
    write_manifests(run.path)


def _write_sample(run: RunFolder, number: int) -> None:
    name, is_odd = sample_name(number), number % ODD == 0
    writer = SampleWriter(run.sample(name), name, 40)
    for step, action in enumerate(STEPS):
        writer.log(_step(name, step, action))
    extracted = _values(number, is_odd=is_odd)
    status = "needs_review" if is_odd else "done"
    writer.checkpoint(len(STEPS) - 1, extracted, [], status)
    writer.finish(
        SampleResult(
            sample_id=name,
            task_id="tickets",
            status="needs_review" if is_odd else "done",
            outcome="found",
            reason="the page names no assignee" if is_odd else "",
            steps=len(STEPS) - 1,
            extracted=extracted,
            grounding={field: _seen(name, value) for field, value in extracted.items()},
            judgment=Judgment(answer="yes", confidence=0.9, reasoning="It says approved."),
            usage=Usage(input_tokens=3000, output_tokens=200, calls=2, cost_usd=0.008),
            policy="claude",
            model="claude-sonnet-5-5",
            mode=["live"] * len(STEPS),
            started_at=STARTED,
            finished_at=ENDED,
        )
    )
    outcome: Any = "failed" if is_odd else "passed"
    nodeid = f"workflows/test_audit.py::test_sample[{name}]"
    run.write_item_report(
        ItemReport(sample_id=name, nodeid=nodeid, outcome=outcome, phase="call", by_record=is_odd)
    )


def _values(number: int, *, is_odd: bool) -> dict[str, Any]:
    return {
        "assignee": None if is_odd else f"Ada Lovelace {number % 100}",
        "department": f"=Finance {number % 30}",
        "staff": number,
        "opened": f"2026-11-{1 + number % 28:02d}",
        "urgent": number % 2 == 0,
        "tags": [f"tag {number % 5}", "größer"],
    }


def _seen(name: str, value: Any) -> Any:
    """Where the page has it, as a real sample records it."""
    if value is None:
        return None
    if isinstance(value, list):
        return [_seen(name, item) for item in value]
    return Grounding(
        how="normalised",
        rule="boolean" if isinstance(value, bool) else None,
        step=1,
        url=f"https://tickets.example/{name}",
        role="cell",
        name="value",
        text=str(value),
        box=(120.0, 240.5, 160.0, 18.0),
    )


def _step(name: str, number: int, action: str) -> Step:
    return Step(
        step=number,
        action=action,
        result=f"{action} worked",
        success=True,
        url=f"https://tickets.example/{name}",
        seconds={"PLANNING": 1.25, "EXECUTING": 0.2},
        started_at=STARTED,
        timestamp=ENDED,
    )
