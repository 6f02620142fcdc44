"""The live view of a run (`bwa watch`), made from its files alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from pytest_bwa.evidence.folder import RUN, LiveSample, RunFolder
from pytest_bwa.evidence.record import STATUSES, SampleResult
from pytest_bwa.evidence.result_reader import ResultReader, for_display
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.evidence.writer import ATTEMPTS, RESULT
from pytest_bwa.reports.handover.words import ending_in_words, in_words, status_in_words
from pytest_bwa.reports.terminal import describe_usage, duration
from pytest_bwa.reports.totals import totals_of
from pytest_bwa.steps.text import dollars, one_line, show_controls

REFRESH_SECONDS = 0.5
UPDATE_SECONDS = 5.0
"""Between two looks at a store, each of which is paid."""
MAX_FINISHED = 6
"""Maximum finished samples that are listed, the newest first."""
MAX_REASON = 80
"""Maximum characters of a reason in the table."""
_COLOURS = {"done": "green", "partial_success": "yellow", "needs_review": "yellow", "failed": "red"}


class RunView:
    """Draws a run as it is now."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self._reader = ResultReader(for_display)

    def render(self) -> Group:
        record, results = self.folder.record(), self._reader.results(self.folder)
        return Group(
            _heading(record, results),
            _running_table(self.folder.live_samples()),
            _finished_table(results[-MAX_FINISHED:]),
        )


def is_watched(name: str) -> bool:
    """Whether this file of a run is needed to watch it from a copy."""
    return name == RUN or (name.endswith(f"/{RESULT}") and f"/{ATTEMPTS}/" not in name)


def watch(
    folder: RunFolder,
    console: Console,
    *,
    once: bool = False,
    update: Callable[[], None] | None = None,
) -> None:
    """Show the run until it has ended; with ``once``, print its present state and return. If the
    folder is a copy of a run elsewhere, ``update`` renews it."""
    view = RunView(folder)
    if once:
        console.print(view.render())
        return
    with Live(view.render(), console=console, auto_refresh=False) as live:
        while folder.record().finished_at is None:
            time.sleep(REFRESH_SECONDS if update is None else UPDATE_SECONDS)
            if update is not None:
                update()
            live.update(view.render(), refresh=True)
        live.update(RunView(folder).render(), refresh=True)  # whatever was read last


def _heading(record: RunRecord, results: list[SampleResult]) -> Text:
    totals = totals_of(results)
    counts, usage = totals.statuses, record.preparation_usage + totals.usage
    text = Text(show_controls(f"{record.run_id}  {record.task_id}  "), style="bold")
    text.append(f"{len(results)} of {record.samples_in} samples  ", style="not bold")
    for status in STATUSES:
        if counts[status]:
            text.append(f"{counts[status]} {status_in_words(status)}  ", style=_COLOURS[status])
    for mark, samples in totals.to_review.items():
        if mark != "needs_review":  # a status, which is counted above
            text.append(f"{len(samples)} {in_words(mark)}  ", style="yellow")
    text.append(show_controls(f"\n{describe_usage(usage, record)}"), style="dim not bold")
    text.append(f"\n{times_text(record, len(results))}", style="dim not bold")
    if record.finished_at is not None:
        text.append(show_controls(f"\nended: {record.exit_reason}"), style="not bold")
    return text


def times_text(record: RunRecord, finished: int) -> str:
    """How long the session has lasted, and how long it will at this rate."""
    started = datetime.fromisoformat((record.resumed_at or [record.started_at])[-1])
    ended = datetime.fromisoformat(record.finished_at) if record.finished_at else datetime.now(UTC)
    seconds = (ended - started).total_seconds()
    text = f"{duration(seconds)} so far" if record.finished_at is None else duration(seconds)
    left = record.samples_in - finished
    if record.finished_at or not finished or not left or record.resumed_at:
        return text  # of a resumed run nobody knows which samples this session has finished
    return f"{text}, about {duration(seconds / finished * left)} left"


def _seconds(live: LiveSample) -> str:
    now = datetime.now(UTC)
    started = datetime.fromisoformat(live.started_at) if live.started_at else now
    return f"{(now - started).total_seconds():.0f}"


_RUNNING_COLUMNS: dict[str, Callable[[LiveSample], str]] = {
    "worker": lambda live: live.worker,
    "sample": lambda live: live.sample_id,
    "step": lambda live: f"{live.step} of {live.max_steps}",
    "state": lambda live: live.state.lower(),
    "last action": lambda live: live.action,
    "page": lambda live: live.url,
    "seconds": _seconds,
    "cost": lambda live: dollars(live.cost_usd),
}
"""Columns of the table of running samples; a new one takes one line here."""


def _running_table(samples: list[LiveSample]) -> Table:
    table = Table(*_RUNNING_COLUMNS, title="running")
    for live in samples:
        table.add_row(*(_cell(value(live)) for value in _RUNNING_COLUMNS.values()))
    return table


def _finished_table(results: list[SampleResult]) -> Table:
    table = Table("sample", "status", "steps", "reason", title="last finished")
    for result in reversed(results):
        ending = ending_in_words(result)
        status = Text(ending, style=_COLOURS["done" if result.passed else result.status])
        marks = [in_words(mark) for mark in result.review_marks if mark != "needs_review"]
        status.append("".join(f" {mark}" for mark in marks if mark not in ending), style="yellow")
        reason = _cell(one_line(result.reason)[:MAX_REASON])
        table.add_row(_cell(result.sample_id), status, str(result.steps), reason)
    return table


def _cell(text: str) -> Text:
    """Text as it is: a str would be read as markup, and its control characters obeyed."""
    return Text(show_controls(text))
