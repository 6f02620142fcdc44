"""The end of a run: combined.csv and the totals, made from what is on disk."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from pytest_bwa.evidence.files import write_whole
from pytest_bwa.evidence.folder import COMBINED, SAMPLES, SPEC, RunFolder
from pytest_bwa.evidence.record import STATUSES, RunRecord, SampleResult
from pytest_bwa.reports.combined import combined_csv
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.samples import read_samples
from pytest_bwa.steps import Usage, utc_now

_EXITS = {
    0: "all passed",
    1: "some failed",
    2: "interrupted",
    3: "internal error",
    5: "nothing ran",
}


@dataclass(frozen=True, slots=True)
class ClosedRun:
    """A run that has ended, with the totals that the terminal shows (F-72)."""

    folder: RunFolder
    record: RunRecord
    usage: Usage
    steps: int
    unfinished: tuple[SampleResult, ...]
    """Results that are not done, in the order of their ids."""


def close(folder: RunFolder, exitstatus: int, why: str) -> ClosedRun:
    """Write combined.csv and the end of run.json; the live files go."""
    task = load_task(folder.path / SPEC)
    listed = read_samples(folder.path / SAMPLES)
    results = list(folder.results())
    text = combined_csv(task, listed.samples, listed.columns, results)
    write_whole(folder.path / COMBINED, text.encode("utf-8"))
    counted = Counter(result.status for result in results)
    record = folder.update(
        finished_at=utc_now(),
        results_out={status: counted[status] for status in STATUSES if counted[status]},
        not_run=len(listed.samples) - len(results),
        exit_reason=why or _EXITS.get(exitstatus, f"exit status {exitstatus}"),
    )
    folder.sweep()
    usage = Usage()
    for result in results:
        usage = usage + result.usage
    unfinished = tuple(result for result in results if result.status != "done")
    return ClosedRun(folder, record, usage, sum(r.steps for r in results), unfinished)
