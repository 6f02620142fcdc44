"""The trajectory of a run as JSON lines: one for each step, or one for each decision of a model.

A line of ``jsonl`` has ``schema_version``, ``run``, ``task_id``, ``sample_id``, ``outcome`` of the
sample (``status``, ``outcome``, ``reason``), ``step``, ``page`` (``url``, ``title``, ``state``,
``lines``, ``labelled``), ``decision`` (its number in the sample, which the steps of one decision
share; null without a model), ``prompt`` (``system``, ``messages``, ``tools``), ``reply`` and
``usage`` (only with the first step of a decision, else null), ``model``, ``other_calls`` (unusable
answers, summaries, pictures that were read: ``purpose``, ``prompt``, ``reply``, ``model``,
``usage``, ``error``), ``action``, ``params``, ``target``, ``intent``, ``mode``, ``result``,
``success``, ``error``, ``verdict``, ``page_after`` (``url``, ``title``, ``state``), ``artifact``,
``seconds``, ``started_at`` and ``timestamp``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.trajectory.describe import plain_text
from pytest_bwa.evidence.trajectory.reader import (
    RecordedCall,
    RecordedPage,
    RecordedSample,
    RecordedStep,
    TrajectoryReader,
)
from pytest_bwa.evidence.trajectory.schema import SCHEMA_VERSION
from pytest_bwa.steps.text import show_controls_in_json

Format = Literal["jsonl", "messages"]
_FROM_LOG = (
    "action", "params", "target", "intent", "mode", "result", "success", "error", "artifact",
    "started_at", "timestamp",
)  # fmt: skip


def export_lines(
    reader: TrajectoryReader, run: str, form: Format, *, all_samples: bool
) -> Iterator[str]:
    """The lines in this form. Raises InputError."""
    if form == "jsonl":
        return step_lines(reader, run)
    return message_lines(reader, all_samples=all_samples)


def step_lines(reader: TrajectoryReader, run: str) -> Iterator[str]:
    """One line for each step of each sample. Raises InputError."""
    for sample in reader.samples():
        earlier: int | None = None
        for step in reader.steps(sample):
            decision = step.decision
            is_first = decision is not None and decision.number != earlier
            yield _line(_step(run, sample, step, is_first=is_first))
            earlier = decision.number if decision else None


def message_lines(reader: TrajectoryReader, *, all_samples: bool) -> Iterator[str]:
    """One conversation for each decision that a model made and that was carried out, of done
    samples only unless ``all_samples``, as it is taken for fine-tuning. Raises InputError."""
    is_empty = True
    for sample in reader.samples():
        if sample.status != "done" and not all_samples:
            continue
        decisions = [step.decision for step in reader.steps(sample) if step.decision]
        for call in {call.number: call for call in decisions}.values():
            is_empty = False
            yield _line(_conversation(call))
    if is_empty:
        samples = "sample" if all_samples else "sample that is done"
        raise InputError(f"no {samples} has a decision of a model")


def _line(content: dict[str, Any]) -> str:
    """One line, which may go to a terminal."""
    return show_controls_in_json(json.dumps(content, ensure_ascii=False))


def _step(
    run: str, sample: RecordedSample, step: RecordedStep, *, is_first: bool
) -> dict[str, Any]:
    decision = step.decision
    return {
        "schema_version": SCHEMA_VERSION,
        "run": run,
        "task_id": sample.task_id,
        "sample_id": sample.sample_id,
        "outcome": {
            "status": sample.status or None,
            "outcome": sample.outcome or None,
            "reason": sample.reason,
        },
        "step": step.step,
        "page": {
            **_page(step.before),
            "lines": step.before.lines.splitlines(),
            "labelled": step.before.labelled.splitlines(),
        },
        "decision": decision.number if decision else None,
        "prompt": _prompt(decision) if decision and is_first else None,
        "reply": decision.reply if decision and is_first else None,
        "model": decision.model if decision else None,
        "usage": decision.usage if decision and is_first else None,
        "other_calls": [_other_call(call) for call in step.other_calls],
        **{name: step.record.get(name) for name in _FROM_LOG},
        "verdict": step.verdict,
        "page_after": _page(step.after),
        "seconds": step.seconds,
    }


def _other_call(call: RecordedCall) -> dict[str, Any]:
    return {
        "purpose": call.purpose,
        "prompt": _prompt(call),
        "reply": call.reply,
        "model": call.model,
        "usage": call.usage,
        "error": call.error,
    }


def _page(page: RecordedPage) -> dict[str, Any]:
    return {"url": page.url, "title": page.title, "state": page.state}


def _prompt(call: RecordedCall) -> dict[str, Any]:
    return {"system": call.system, "messages": call.messages, "tools": call.tools}


def _conversation(call: RecordedCall) -> dict[str, Any]:
    messages = [{"role": "system", "content": "\n\n".join(call.system)}]
    messages += [{"role": m["role"], "content": plain_text(m["content"])} for m in call.messages]
    answer = {
        "role": "assistant",
        "content": plain_text([b for b in call.reply if b.get("type") == "text"]),
        "tool_calls": [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {
                    "name": block.get("name"),
                    "arguments": json.dumps(block.get("input"), ensure_ascii=False),
                },
            }
            for number, block in enumerate(b for b in call.reply if b.get("type") == "tool_use")
        ],
    }
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool["name"],
                "description": tool.get("description", ""),
                "parameters": tool.get("input_schema", {}),
            },
        }
        for tool in call.tools
    ]
    return {"messages": [*messages, answer], "tools": tools}
