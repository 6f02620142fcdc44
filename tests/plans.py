"""Plans for tests that call what a session of pytest calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.plan import Plan


def plan_in(folder: Path, **asked: Any) -> Plan:
    """An audit by the rules over spec.json and samples.csv in a folder, with its runs in
    ``evidence/``; ``asked`` has what is different."""
    usual: dict[str, Any] = {
        "evidence": folder / "evidence",
        "run_id": "run_1",
        "policy": "rules",
        "model": "",
        "task": folder / "spec.json",
        "samples": folder / "samples.csv",
    }
    return Plan(**{**usual, **asked})


def opened(plan: Plan) -> Audit:
    """The audit with its run folder."""
    audit = audits.open_option_audit(plan, collect_only=False, ready=lambda task: None)
    assert audit is not None
    assert audit.folder is not None
    return audit
