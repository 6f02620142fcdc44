"""Flags that a run's end gave to samples whose Allure results had been written before."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from pytest_bwa.evidence.files import write_json
from pytest_bwa.reports.base import FinishedRun


def add_flags(folder: Path, run: FinishedRun) -> None:
    """Add the flag and its note to the results of this run. Raises EvidenceError."""
    if not run.flagged_late:
        return
    begun = datetime.fromisoformat(run.record.started_at).timestamp() * 1000
    for path in folder.glob("*-result.json"):
        test = json.loads(path.read_text("utf-8"))
        suite = {"name": "suite", "value": run.task.task_id}
        note = run.flagged_late.get(test.get("name", ""))
        if note and suite in test.get("labels", ()) and test.get("start", 0) >= begun:
            tag = {"name": "tag", "value": "flagged"}
            test["labels"] += [tag] if tag not in test["labels"] else []
            test["description"] = f"{test.get('description', '')}\n\n**flagged**: {note}"
            write_json(path, test)
