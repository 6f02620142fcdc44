"""The live view of a run, from its files alone."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.folder import LiveSample, RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import FileRecord, RunRecord
from pytest_bwa.reports.watch import watch


def printed(folder: RunFolder) -> str:
    console = Console(file=io.StringIO(), width=120)
    watch(folder, console, once=True)
    return console.file.getvalue()


def test_text_of_a_page_is_shown_and_neither_obeyed_nor_read_as_markup(tmp_path: Path):
    folder = RunFolder.create(tmp_path, "run_1")
    source = FileRecord(path="x", sha256="0")
    record = RunRecord(
        run_id="run_1", task_id="hr", policy="claude", spec=source, samples=source,
        started_at="2026-11-21T09:00:00.000Z", samples_in=2, finished_at="2026-11-21T09:01:00.000Z",
        exit_reason="the server says \x1b[2J",
    )  # fmt: skip
    folder.write_inputs(record, {}, "")
    folder.write_live(LiveSample(worker="gw0", sample_id="a", nodeid="n", action="[/b]\x1b[1A"))
    folder.sample("b").mkdir()
    result = SampleResult(
        sample_id="b", task_id="hr", status="failed", reason="[/b] [red]no\x1b]0;x\x07 \u202eend"
    )
    write_json(folder.sample("b") / "result.json", result)
    text = printed(folder)
    assert r"[/b]\x1b[1A" in text
    assert r"[/b] [red]no\x1b]0;x\x07 \u202eend" in text
    assert r"the server says \x1b[2J" in text
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


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
    text = printed(folder)
    assert "0 of 2 samples" in text
    for cell in ("gw0", "p-001", "3 of 25", "planning", "click"):
        assert cell in text
