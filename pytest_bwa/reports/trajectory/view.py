"""The trajectory of a run as one static HTML page: no script, no server, no network."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pytest_bwa.evidence.folder import PAGE, RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.trajectory import describe
from pytest_bwa.evidence.trajectory.reader import (
    RecordedCall,
    RecordedSample,
    RecordedStep,
    TrajectoryReader,
)
from pytest_bwa.reports.handover.templates import render
from pytest_bwa.reports.handover.words import KINDS, ending_in_words, in_words, kind_of
from pytest_bwa.steps.text import one_line

LINE_CHARACTERS = 200


def page(reader: TrajectoryReader, run: RunFolder, out: Path) -> bytes:
    """The whole page; its links to pictures are relative to ``out``. Raises InputError."""
    folder = Path(os.path.relpath(run.path.resolve(), out.resolve().parent)).as_posix()
    shared: dict[str, int] = {}
    return render(
        "trajectory.html",
        run_id=run.path.name,
        folder="" if folder == "." else f"{quote(folder)}/",
        has_page=(run.path / PAGE).is_file(),
        samples=_samples(reader, run, shared),
        shared=shared,
    )


def _samples(
    reader: TrajectoryReader, run: RunFolder, shared: dict[str, int]
) -> Iterator[dict[str, Any]]:
    """One after the other, as the page needs them. ``shared`` collects the texts that many steps
    have in common, so that each stands in the page once."""
    for sample in reader.samples():
        steps, result = reader.steps(sample), run.result(sample.sample_id)
        place = run.place(sample.sample_id)
        yield {
            **_heading(sample, steps, result),
            "goal": sample.goal,
            "steps": [
                {
                    **_step(step, shared),
                    "pictures": [
                        {"name": name, "href": quote(f"{place}/{name}")}
                        for name in describe.pictures_of(step, result)
                    ],
                }
                for step in steps
            ],
            "extracted": json.dumps(sample.extracted, ensure_ascii=False, indent=2),
            "seen": "\n".join(describe.values_seen(result)) if result else "",
        }


def _heading(
    sample: RecordedSample, steps: list[RecordedStep], result: SampleResult | None
) -> dict[str, Any]:
    return {
        "sample_id": sample.sample_id,
        "ending": ending_in_words(result) if result else in_words(describe.ending(sample)),
        "css_class": KINDS[kind_of(result)] if result else "quiet",
        "figures": f"{len(steps)} steps, {sum(step.seconds for step in steps):.1f} s",
        "reason": one_line(sample.reason, LINE_CHARACTERS),
    }


def _step(step: RecordedStep, shared: dict[str, int]) -> dict[str, Any]:
    calls = [*step.other_calls, *([step.decision] if step.decision else [])]
    return {
        "number": step.step,
        "is_failed": not step.record.get("success"),
        "short_action": one_line(describe.action(step), LINE_CHARACTERS),
        "short_result": one_line(describe.result(step), LINE_CHARACTERS),
        "figures": f"{step.seconds:.1f} s {describe.cost(step.decision)}",
        "calls": [_call(call, shared) for call in calls],
        "page": "" if step.decision else describe.page_text(step),
        "reason": step.record.get("thinking") or "",
        "action": describe.action(step),
        "result": describe.result(step),
        "changes": describe.changes(step),
    }


def _call(call: RecordedCall, shared: dict[str, int]) -> dict[str, Any]:
    tools = [json.dumps(call.tools, ensure_ascii=False, indent=1)] if call.tools else []
    return {
        "title": f"{call.purpose}: {describe.usage(call)}",
        "shared": [shared.setdefault(text, len(shared) + 1) for text in [*call.system, *tools]],
        "message": describe.user_text(call),
        "reply": describe.reply_text(call),
        "error": call.error or "",
    }
