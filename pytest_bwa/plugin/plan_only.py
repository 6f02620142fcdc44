"""``--plan-only``: show what would run, and run nothing."""

from __future__ import annotations

import pytest

from pytest_bwa.errors import BwaError
from pytest_bwa.plugin import command_line
from pytest_bwa.preparation import prepare
from pytest_bwa.text import show_controls


def show_plan(config: pytest.Config) -> int | None:
    """The exit status after the plan was shown; None if the tests are to be run. Raises UsageError
    for a task that cannot be run."""
    try:
        plan = command_line.plan(config)
        if plan.task is None and plan.prompt is None:
            return None
        settings = command_line.settings_for(plan)
        prepared = prepare.planned(plan, settings)
        lines = prepared.notes or prepare.plan_lines(prepared.plan, settings)
    except BwaError as problem:
        raise pytest.UsageError(show_controls(str(problem))) from None
    for line in lines:
        print(show_controls(f"bwa: {line}"))
    return int(pytest.ExitCode.OK)
