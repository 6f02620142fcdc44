"""The live view of a run, from its files alone."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from pytest_bwa.evidence.folder import LiveSample, RunFolder
from pytest_bwa.evidence.record import FileRecord, RunRecord
from pytest_bwa.reports.watch import watch


def test_a_running_sample_is_shown_with_its_state(tmp_path: Path):
    folder = RunFolder.create(tmp_path, "run_1")
    source = FileRecord(path="x", sha256="0")
    record = RunRecord(
        run_id="run_1", task_id="hr", policy="claude", spec=source, samples=source,
        started_at="2026-11-21T09:00:00.000Z", samples_in=2,
    )  # fmt: skip
    folder.write_inputs(record, {}, "")
    folder.write_live(
        LiveSample(
            worker="gw0", sample_id="p-001", nodeid="n", step=3, max_steps=25, state="PLANNING",
            action="click", started_at="2026-11-21T09:00:00.000Z",
        )
    )  # fmt: skip
    console = Console(file=io.StringIO(), width=120)
    watch(folder, console, once=True)
    shown = console.file.getvalue()
    assert "0 of 2 samples" in shown
    for cell in ("gw0", "p-001", "3 of 25", "planning", "click"):
        assert cell in shown
