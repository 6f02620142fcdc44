"""Pages that are opened as a run opens them, and read before there is a spec for them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from pytest_bwa.audit import audits
from pytest_bwa.audit.own_browser import BrowserToLaunch, run_in_own_browser
from pytest_bwa.audit.page_needs import PageNeeds, page_needs
from pytest_bwa.audit.plan import Plan
from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.facts.page import asks_for_password
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.policy.rules.endings import end_of_closed_page
from pytest_bwa.policy.rules.policy import RulesPolicy
from pytest_bwa.policy.rules.subject import subject_of
from pytest_bwa.settings import Settings
from pytest_bwa.spec.sample import COLUMNS_OF_PAGE
from pytest_bwa.steps.step import Action, Decision

UNASKED = "bwa_init_asks_for_nothing"
"""A field that no page has: a spec needs one."""


class _OnePage:
    """A policy that keeps what a page is when nothing of it is still to come, and ends there."""

    name = "rules"
    model = ""
    reads_labelled_values = True
    helpers = ModelHelpers()

    def __init__(self) -> None:
        self._rules = RulesPolicy()
        self.turns: list[Turn] = []

    def decide(self, turn: Turn) -> Decision:
        decision = self._rules.decide(turn)
        if decision.actions[0].action in ("wait", "goto"):
            return decision
        len(turn.observation.labelled)  # they are read now, or never
        self.turns.append(turn)
        return Decision((Action(action="fail", note="the page was read"),))

    def close(self) -> None:
        """Holds nothing open."""


def open_pages(
    urls: Sequence[tuple[str, str]], spec: dict[str, Any], settings: Settings
) -> tuple[list[Turn], dict[str, Any]]:
    """Each page as it is read within the boundary of ``spec``, to which is added what the first
    one asks for; and the spec with that. ``urls`` are sample_ids and addresses. Raises BwaError,
    also for a page that is none of a record."""
    to_launch = BrowserToLaunch("chromium", launch_arguments(find_browser(settings.browser)))
    with TemporaryDirectory(prefix="bwa-init-") as temporary:
        folder, policy = Path(temporary), _OnePage()
        task, samples = folder / "spec.yaml", folder / "samples.csv"
        samples.write_text(listed(urls), "utf-8")
        _write(task, spec)
        spec = _with_needs(spec, page_needs(task, samples, None, settings))
        _write(task, spec)
        plan = Plan(folder, "init", policy.name, "", task=task, samples=samples)
        audit = audits.read_audit(plan, task, samples)
        audit = audits.written(audit, RunFolder.create(folder, plan.run_id))
        results = run_in_own_browser(audit, policy, settings, to_launch, None)
    by_sample = {turn.sample.sample_id: turn for turn in policy.turns}
    for (sample_id, url), result in zip(urls, results, strict=True):
        if sample_id not in by_sample:
            raise InputError(f"{url}: {result.reason}")
        _check(url, by_sample[sample_id])
    return policy.turns, spec


def _write(task: Path, spec: dict[str, Any]) -> None:
    content = {**spec, "output_schema": {UNASKED: "string"}}
    task.write_text(yaml.safe_dump(content, allow_unicode=True), "utf-8")


def _with_needs(spec: dict[str, Any], needs: PageNeeds) -> dict[str, Any]:
    """The spec with what its page asks for when it is opened; what may write is none of it."""
    added = {
        "allowed_domains": [*spec["allowed_domains"], *needs.domains],
        "allowed_resources": needs.resources,
        "allow_requests": needs.requests,
    }
    return spec | {key: value for key, value in added.items() if value}


def listed(urls: Sequence[tuple[str, str]]) -> str:
    """The samples list."""
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows((COLUMNS_OF_PAGE, *urls))
    return stream.getvalue()


def _check(url: str, turn: Turn) -> None:
    """Raise InputError for a page that cannot be the record's."""
    page, profile = turn.observation, turn.task.auth_profile
    if asks_for_password(page):
        advice = f"save one with `bwa login NAME {url}`, and pass --login NAME"
        if profile:
            advice = f"that of --login may have expired: `bwa login {profile} {url}`"
        raise InputError(f"{url} asks for a login: {advice}")
    opened = turn.history[0]
    if "a PDF" in f"{opened.result}{opened.error}":
        raise InputError(
            f"{url} is a PDF, which labels nothing: give the page of the record, or let a model "
            "read the file"
        )
    if not opened.success:
        raise InputError(f"{url}: {opened.error}")
    if closed := next(end_of_closed_page(turn, subject_of(turn)), None):
        raise InputError(f"{url}: {closed.action.note}")
