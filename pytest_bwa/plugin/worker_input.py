"""What a worker needs of the controller's session, in a form that pytest-xdist can pass on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.plan import Plan
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.plugin import command_line
from pytest_bwa.spec.secrets import hidden_cells


def of(plan: Plan, audit: Audit | None) -> dict[str, Any]:
    folder = audit.folder.path if audit and audit.folder else None
    return {
        "plan": plan.portable(),
        "folder": str(folder) if folder else None,
        "resumed": bool(audit and audit.resumed),
        "hidden": hidden_cells(audit.samples.samples, audit.task) if audit else None,
    }


def keep_results(config: pytest.Config) -> bool:
    """Whether there are workers. Allure's plugin has emptied its folder in the controller: a worker
    that replaces a killed one must not do it again."""
    if hasattr(config.option, "clean_alluredir"):
        config.option.clean_alluredir = False
    return bool(getattr(config.option, "numprocesses", None))


def plan_and_audit(
    config: pytest.Config, run_id: str, received: dict[str, Any]
) -> tuple[Plan, Audit | None]:
    """The controller's plan and audit. Raises BwaError."""
    if received["plan"] is None:  # the controller knows of no audit: a marker binds it
        started_with = tuple(received["command_line"])
        own = command_line.plan(config)
        return replace(own, run_id=run_id, command_line=started_with), None
    plan = Plan.from_portable(received["plan"])
    if not received["folder"]:
        return plan, None
    audit = audits.reopen(
        RunFolder(Path(received["folder"])),
        resumed=received["resumed"],
        options=plan.of_task,
        hidden=received["hidden"],
    )
    # A worker parses the command line anew.
    command_line.stop_recordings(config, audit.task)
    return plan, audit
