"""The dry run: the first prompt of a run, and what its list would cost; no model is asked."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import SecretStr

from pytest_bwa.actions.catalog import tools_for
from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.discovery import discovers
from pytest_bwa.audit.own_browser import BrowserToLaunch, run_in_own_browser
from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.prepare import plan_lines
from pytest_bwa.errors import InputError, RunStopped
from pytest_bwa.evidence.checks import checks_in
from pytest_bwa.evidence.folder import RunFolder, runs_in
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.policy.claude.cost import PRICED_ON, cost, json_tokens, prompt_budget, tokens
from pytest_bwa.policy.claude.policy import ClaudePolicy
from pytest_bwa.settings import Settings
from pytest_bwa.steps.step import Decision, Usage

NO_KEY = "no-model-is-asked"


class FirstPrompt:
    """A policy that keeps what a model would be sent for the first decision, and ends there."""

    name = "claude"
    reads_labelled_values = False
    helpers = ModelHelpers()

    def __init__(self, inner: ClaudePolicy) -> None:
        self._inner, self.model = inner, inner.model
        self.request: dict[str, Any] = {}
        self.page = ""
        self.problem = ""

    def decide(self, turn: Turn) -> Decision:
        page, opened = turn.observation, turn.history[-1:]
        self.problem = "".join(step.error or step.result for step in opened if not step.success)
        self.page = f"{page.url}, {len(page.elements)} elements are listed"
        self.request = self._inner.request(turn)
        raise RunStopped("the dry run ends before the first decision")

    def close(self) -> None:
        self._inner.close()


def dry_run_lines(
    plan: Plan, settings: Settings, browser: BrowserToLaunch, base_url: str | None, workers: int
) -> Iterator[str]:
    """What ``--dry-run`` shows. Raises BwaError for a task that cannot be run."""
    assert plan.task is not None
    yield "dry run: no model is asked, and nothing is kept"
    yield from plan_lines(plan, settings)
    if discovers(plan):
        raise InputError("--dry-run opens the first sample: pass the list that was found before")
    audit = audits.read_audit(plan, plan.task, plan.samples)
    if not audit.samples.samples:
        raise InputError(f"the shard {plan.shard} has no sample")
    first = audit.samples.samples[0]
    started = time.monotonic()
    policy, problem = _open_first(plan, audit, settings, browser, base_url)
    seconds = time.monotonic() - started
    if problem := problem or policy.problem:
        raise InputError(f"the first sample, {first.sample_id}, comes to no decision: {problem}")
    yield f"first sample {first.sample_id}: {policy.page}; opened and read in {seconds:.1f} s"
    yield from _prompt_lines(policy.request)
    yield from estimate_lines(
        plan.evidence,
        audit,
        model=settings.model,
        prompt_tokens=sum(_sizes(policy.request).values()),
        most_tokens=prompt_budget(settings.context_window),
        page_seconds=seconds,
        workers=workers,
    )


def _open_first(
    plan: Plan,
    audit: Audit,
    settings: Settings,
    browser: BrowserToLaunch,
    base_url: str | None,
) -> tuple[FirstPrompt, str]:
    """The first prompt, and why there is none."""
    # A key that nobody has: the policy is made, and never asks its server.
    unasked = {"anthropic_api_key": SecretStr(NO_KEY), "context_window": settings.context_window}
    own_settings = settings.model_copy(update=unasked)
    tools = tools_for(audit.task, evaluates=settings.enable_evaluate)
    policy = FirstPrompt(ClaudePolicy(own_settings, audit.task, tools))
    samples = replace(audit.samples, samples=audit.samples.samples[:1])
    record = audit.record.model_copy(update={"policy": policy.name, "samples_in": 1})
    problem = ""
    try:
        with TemporaryDirectory(prefix="bwa-dry-run-") as folder:
            run = RunFolder.create(Path(folder), plan.run_id)
            one = audits.written(Audit(audit.task, samples, record), run)
            with suppress(RunStopped):
                results = run_in_own_browser(one, policy, own_settings, browser, base_url)
                problem = results[0].reason
    finally:
        policy.close()
    return policy, problem


def _sizes(request: dict[str, Any]) -> dict[str, int]:
    """The estimated tokens of each part of a request."""
    return {
        "system": sum(tokens(block["text"]) for block in request["system"]),
        "tools": json_tokens(request["tools"]),
        "message": sum(tokens(message["content"]) for message in request["messages"]),
    }


def _prompt_lines(request: dict[str, Any]) -> Iterator[str]:
    sizes = _sizes(request)
    parts = ", ".join(f"{name} {size:,}" for name, size in sizes.items())
    yield f"first prompt: about {sum(sizes.values()):,} tokens ({parts})"
    for block in request["system"]:
        yield from (f"system  | {line}" for line in block["text"].splitlines())
    yield f"tools   | {', '.join(tool['name'] for tool in request['tools'])}"
    for message in request["messages"]:
        yield from (f"message | {line}" for line in message["content"].splitlines())


DECISIONS = 2.2
"""Decisions a page of a scripted model that makes no mistakes: python tests/bench --decisions."""
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
    check, steps = audit.record.check, audit.task.max_steps
    asked = Counter({model: (listed := len(audit.samples.samples))})
    again = min(listed, checks_in(listed, check.rate)) if check else 0
    asked[(check and check.model) or model] += again
    number = listed + again
    yield f"estimate: {effort.basis}"
    yield (
        f"estimate: {listed} samples{f' and {again} checks' if again else ''} × "
        f"{effort.calls:.1f} calls = {number * effort.calls:,.0f} calls, "
        f"{number * effort.input_tokens:,.0f} tokens in, {number * effort.output_tokens:,.0f} out"
    )
    typical = _price(asked, effort.input_tokens, effort.output_tokens)
    most = _price(asked, steps * most_tokens, steps * OUTPUT_TOKENS)
    models = " and ".join(asked)
    if typical is None or most is None:
        yield f"estimate: money unknown: the price of {models} is not known"
    else:
        yield (
            f"estimate: ${typical:.2f} with {models} (prices of {PRICED_ON}, without what the "
            f"prompt cache saves); at most ${most:.2f}, if all {steps} steps are used and "
            "every prompt is full"
        )
    minutes = number * effort.seconds / workers / 60
    yield f"estimate: {minutes:.1f} minutes with {workers} worker{'s' if workers != 1 else ''}"


def _price(asked: Counter[str], input_tokens: float, output_tokens: float) -> float | None:
    """Of so many samples for each model."""
    prices = [
        cost(model, input_tokens=round(n * input_tokens), output_tokens=round(n * output_tokens))
        for model, n in asked.items()
    ]
    known = [price for price in prices if price is not None]
    return sum(known) if len(known) == len(prices) else None


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
