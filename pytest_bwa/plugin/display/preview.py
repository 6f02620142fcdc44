"""``--plan-only`` and ``--dry-run``: show what would run, and run nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import pytest

from pytest_bwa.audit import audits, prepare
from pytest_bwa.audit.discovery import discovers
from pytest_bwa.audit.plan import Plan
from pytest_bwa.errors import BwaError, InputError
from pytest_bwa.plugin import command_line
from pytest_bwa.plugin.browser_choice import browser_to_launch, check_browser
from pytest_bwa.plugin.checks.base_url import ADVICE, may_be_named_by_fixtures
from pytest_bwa.settings import Settings
from pytest_bwa.spec.sample_inputs import relative_url_problem
from pytest_bwa.steps.text import in_encoding, show_controls


def show_preview(config: pytest.Config) -> int | None:
    """The exit status after the plan was shown; None if the tests are to be run. Raises UsageError
    for a task that cannot be run."""
    try:
        plan = command_line.plan(config)
        if plan.task is None and plan.prompt is None:
            return None
        for line in _lines(config, plan, command_line.settings_for(plan)):
            text = show_controls(f"bwa: {line}")
            print(in_encoding(text, sys.stdout.encoding), flush=True)
    except BwaError as problem:
        raise pytest.UsageError(show_controls(str(problem))) from None
    return int(pytest.ExitCode.OK)


def _lines(config: pytest.Config, plan: Plan, settings: Settings) -> Iterable[str]:
    if not plan.dry_run:
        prepared = prepare.planned(plan, settings)
        lines = prepared.notes or prepare.plan_lines(prepared.plan, settings)
        return [*lines, *_unknown_site(config, prepared.plan)]
    # Imported here: it loads the SDK, which takes seconds.
    from pytest_bwa.audit.dry_run import dry_run_lines

    check_browser(config, settings)
    browser = browser_to_launch(config, settings)
    workers = getattr(config.option, "numprocesses", None) or 1
    return dry_run_lines(plan, settings, browser, plan.base_url, workers)


def _unknown_site(config: pytest.Config, plan: Plan) -> list[str]:
    """What is to be said of addresses that only a fixture can complete. Raises InputError if there
    is none."""
    assert plan.task is not None
    if plan.base_url or discovers(plan):
        return []
    audit = audits.read_audit(plan, plan.task, plan.samples)
    problem = relative_url_problem(audit.task, audit.samples.samples, None, ADVICE)
    if problem and not may_be_named_by_fixtures(config):
        raise InputError(problem)
    return ["plan: relative addresses belong to the site that a fixture names"] if problem else []
