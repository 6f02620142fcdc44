"""What the model calls of a list would take, and how that was reached: tokens, money, minutes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from pytest_bwa.audit.audits import Audit
from pytest_bwa.evidence.folder import runs_in
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.policy.claude.prices import PRICED_ON, cost
from pytest_bwa.steps.step import Usage

DECISIONS = 2.2
"""Decisions a page of a scripted model that makes no mistake: python tests/bench --decisions."""
OUTPUT_TOKENS = 200
"""Assumed for a decision: a tool call with the values of a page."""
SECONDS = 5.0
"""Assumed for a decision."""
MAX_SAMPLES = 1_000
"""Samples of an earlier run that the average is made of."""


@dataclass(frozen=True, slots=True)
class SampleEffort:
    """What one sample takes on average."""

    calls: float
    input_tokens: float
    output_tokens: float
    seconds: float
    basis: str


def estimate_lines(
    evidence: Path,
    audit: Audit,
    *,
    model: str,
    prompt_tokens: int,
    most_tokens: int,
    page_seconds: float,
    workers: int,
) -> Iterator[str]:
    """``most_tokens`` is what one prompt may have at most."""
    assumed = SampleEffort(
        calls=DECISIONS,
        input_tokens=DECISIONS * prompt_tokens,
        output_tokens=DECISIONS * OUTPUT_TOKENS,
        seconds=page_seconds + DECISIONS * SECONDS,
        basis=f"assumed: {DECISIONS} decisions like the first one (what a model that makes no "
        f"mistake needs on practice pages), {OUTPUT_TOKENS} tokens and {SECONDS:g} s for each",
    )
    effort = _of_earlier_run(evidence, audit.task.task_id) or assumed
    number, steps = len(audit.samples.samples), audit.task.max_steps
    yield f"estimate: {effort.basis}"
    yield (
        f"estimate: {number} samples × {effort.calls:.1f} calls = {number * effort.calls:,.0f} "
        f"calls, {number * effort.input_tokens:,.0f} tokens in, "
        f"{number * effort.output_tokens:,.0f} out"
    )
    typical = _price(model, number * effort.input_tokens, number * effort.output_tokens)
    most = _price(model, number * steps * most_tokens, number * steps * OUTPUT_TOKENS)
    if typical is None or most is None:
        yield f"estimate: money unknown: nobody has entered the price of {model}"
    else:
        yield (
            f"estimate: ${typical:.2f} with {model} (prices of {PRICED_ON}, without what the "
            f"prompt cache saves); at most ${most:.2f}, if all {steps} steps are used and "
            "every prompt is full"
        )
    minutes = number * effort.seconds / workers / 60
    yield f"estimate: {minutes:.1f} minutes with {workers} worker{'s' if workers != 1 else ''}"


def _price(model: str, input_tokens: float, output_tokens: float) -> float | None:
    return cost(model, input_tokens=round(input_tokens), output_tokens=round(output_tokens))


def _of_earlier_run(evidence: Path, task_id: str) -> SampleEffort | None:
    """The average of the newest run of this task in which a model was asked."""
    for folder, record in runs_in(evidence):
        if record.task_id == task_id:
            asked = list(islice((r for r in folder.results() if r.usage.calls), MAX_SAMPLES))
            if asked:
                return _average(asked, folder.path.name)
    return None


def _average(results: list[SampleResult], run_id: str) -> SampleEffort:
    number = len(results)
    usage = sum((result.usage for result in results), Usage())
    sent = usage.input_tokens + usage.cache_read + usage.cache_write
    basis = f"as {number} sample{'s' if number != 1 else ''} of {run_id} took on average"
    seconds = sum(map(_seconds, results)) / number
    return SampleEffort(
        usage.calls / number, sent / number, usage.output_tokens / number, seconds, basis
    )


def _seconds(result: SampleResult) -> float:
    started, finished = map(datetime.fromisoformat, (result.started_at, result.finished_at))
    return (finished - started).total_seconds()
