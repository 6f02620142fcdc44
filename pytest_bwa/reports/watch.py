"""A live picture of a run, from its files alone (F-71)."""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import STATUSES, RunRecord, SampleResult
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.reports.terminal import spent
from pytest_bwa.steps import Usage

SECONDS_BETWEEN = 0.5
LAST_SHOWN = 6
_COLOURS = {"done": "green", "partial_success": "yellow", "needs_review": "yellow", "failed": "red"}


class Watched:
    """The results of a run, each file read once and again only when it changed."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self._read: dict[Path, tuple[int, SampleResult]] = {}

    def results(self) -> list[SampleResult]:
        """Oldest first by the time they were finished."""
        for path in self.folder.path.glob(f"*/{RESULT}"):
            changed = path.stat().st_mtime_ns
            if path in self._read and self._read[path][0] == changed:
                continue
            if (found := self.folder.result(path.parent.name)) is not None:
                self._read[path] = (changed, found)
        return sorted((result for _, result in self._read.values()), key=lambda r: r.finished_at)

    def picture(self) -> Group:
        record, results = self.folder.record(), self.results()
        return Group(
            _head(record, results), _at_work(self.folder), _finished(results[-LAST_SHOWN:])
        )


def watch(folder: RunFolder, console: Console, *, once: bool = False) -> None:
    """Until the run has ended, or for one look."""
    watched = Watched(folder)
    if once:
        console.print(watched.picture())
        return
    with Live(watched.picture(), console=console, auto_refresh=False) as live:
        while folder.record().finished_at is None:
            time.sleep(SECONDS_BETWEEN)
            live.update(watched.picture(), refresh=True)
        live.update(watched.picture(), refresh=True)


def _head(record: RunRecord, results: list[SampleResult]) -> Text:
    counts = Counter(result.status for result in results)
    usage = sum((result.usage for result in results), Usage())
    text = Text(f"{record.run_id}  {record.task_id}  ", style="bold")
    text.append(f"{len(results)} of {record.samples_in} samples  ", style="not bold")
    for status in STATUSES:
        if counts[status]:
            text.append(f"{counts[status]} {status}  ", style=_COLOURS[status])
    text.append(f"\n{spent(usage, record)}", style="dim not bold")
    if record.finished_at is not None:
        text.append(f"\nended: {record.exit_reason}", style="not bold")
    return text


def _at_work(folder: RunFolder) -> Table:
    table = Table("worker", "sample", "step", "action", "seconds", "cost", title="at work")
    for live in folder.live():
        begun = datetime.fromisoformat(live.started_at) if live.started_at else datetime.now(UTC)
        seconds = (datetime.now(UTC) - begun).total_seconds()
        cost = "unknown" if live.cost_usd is None else f"${live.cost_usd:.4f}"
        step = f"{live.step} of {live.max_steps}"
        table.add_row(live.worker, live.sample_id, step, live.action, f"{seconds:.0f}", cost)
    return table


def _finished(results: list[SampleResult]) -> Table:
    table = Table("sample", "status", "steps", "reason", title="last finished")
    for result in reversed(results):
        status = Text(result.status, style=_COLOURS[result.status])
        table.add_row(result.sample_id, status, str(result.steps), result.reason[:80])
    return table
