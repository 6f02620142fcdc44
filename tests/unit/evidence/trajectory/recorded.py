"""Records samples as a worker does, without a browser."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.trajectory.merge import merge_parts
from pytest_bwa.evidence.trajectory.reader import TrajectoryReader
from pytest_bwa.evidence.trajectory.recorder import TrajectoryRecorder
from pytest_bwa.evidence.trajectory.schema import SAMPLE_TABLES, unpack
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.exchange import Exchange
from pytest_bwa.steps.step import Element, Observation, Step, Target, Usage, Verdict

STARTED = "2026-11-22T10:00:00.000Z"
TASK = TaskSpec(
    task_id="hr", goal="Read the record of Ann.", output_schema={"department": "string"}
)
TOOLS = ({"name": "click", "description": "Click.", "input_schema": {"type": "object"}},)
CHANGED = Verdict(True, True, True, summary="the address changed")
USAGE = Usage(input_tokens=1000, output_tokens=20, calls=1, cost_usd=0.002)


def page(text: str, url: str = "https://hr.example/") -> Observation:
    heading = Element(0, (0, 0), "heading", text)
    return Observation(url=url, title=text, elements=(heading,), state=f"state of {text}")


def exchange(*reply: dict[str, Any], message: str = "## Goal", **changes: Any) -> Exchange:
    return Exchange(
        **{
            "purpose": "decision",
            "model": "claude-test",
            "system": ("You work through one sample.", "Today is Sunday."),
            "messages": ({"role": "user", "content": message},),
            "tools": TOOLS,
            "reply": reply,
            "seconds": 1.5,
            **changes,
        }
    )


def call(name: str, **parameters: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": parameters}


def step(number: int, action: str, **changes: Any) -> Step:
    return Step(
        **{
            "step": number,
            "action": action,
            "result": f"did {action}",
            "success": True,
            "url": "https://hr.example/",
            "seconds": {"EXECUTING": 0.5},
            "started_at": STARTED,
            "timestamp": STARTED,
            **changes,
        }
    )


def recorder(
    live: Path, sample_id: str = "ann", worker: str = "gw0", **changes: Any
) -> TrajectoryRecorder:
    columns = {"sample_id": sample_id, **changes.pop("columns", {})}
    values = {"task": TASK, "policy": "claude", "model": "claude-test", "started_at": STARTED}
    return TrajectoryRecorder(live, worker, sample=Sample(sample_id, columns), **values | changes)


def result(sample_id: str = "ann", **changes: Any) -> SampleResult:
    values = {
        "task_id": "hr", "status": "done", "outcome": "found", "extracted": {"department": "HR"},
        "started_at": STARTED, "finished_at": STARTED, **changes,
    }  # fmt: skip
    return SampleResult(sample_id=sample_id, **values)


def record_sample(live: Path, sample_id: str = "ann", **changes: Any) -> None:
    """Three steps: the page is opened, a link is clicked after an answer that was no good, done."""
    status = changes.pop("status", "done")
    sample = recorder(live, sample_id, **changes)
    start, record = page(f"Staff of {sample_id}"), page(f"Record {sample_id}")
    sample.add_step(step(0, "goto", intent="open_sample"), start, start, None)
    sample.add_call(exchange(), USAGE, step=1, page=start, error="no tool call")
    sample.add_call(exchange(call("click", selector="0")), USAGE, step=1, page=start)
    click = step(1, "click", params={"selector": "0"}, target=Target(role="link", name="Record"))
    sample.add_step(click, start, record, CHANGED)
    sample.add_call(exchange(call("done", extracted={})), USAGE, step=2, page=record)
    sample.add_step(step(2, "done"), record, record, None)
    started = changes.get("started_at", STARTED)
    sample.finish(result(sample_id, status=status, started_at=started))


def read(run: Path) -> TrajectoryReader:
    return TrajectoryReader(run, run / ".live")


def merged(run: Path, *results: SampleResult) -> list[str]:
    return merge_parts(run, run / ".live", results)


def everything_in(run: Path) -> str:
    """All that can be read from the trajectory, and all rows of its files."""
    reader, found = read(run), []
    for sample in reader.samples():
        found.append(f"{sample} {reader.steps(sample)}")
        rows = sqlite3.connect(sample.file)
        found += [unpack(body) for (body,) in rows.execute("SELECT body FROM texts")]
        for table in SAMPLE_TABLES:
            found += map(str, rows.execute(f"SELECT * FROM {table}"))
    return "\n".join(found)
