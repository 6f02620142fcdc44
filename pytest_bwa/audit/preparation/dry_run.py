"""``--dry-run``: the first prompt of a run, and what its list would cost; no model is asked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import SecretStr

from pytest_bwa.actions.catalog import tools_for
from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.preparation.discovery_walk import discovers
from pytest_bwa.audit.preparation.estimate import estimate_lines
from pytest_bwa.audit.preparation.own_browser import BrowserToLaunch, run_in_own_browser
from pytest_bwa.audit.preparation.prepare import plan_lines
from pytest_bwa.errors import InputError, RunStopped
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.policy.claude.policy import ClaudePolicy
from pytest_bwa.policy.claude.token_budget import json_tokens, prompt_budget, tokens
from pytest_bwa.settings import Settings
from pytest_bwa.steps.step import Decision

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
