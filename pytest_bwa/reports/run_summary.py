"""The end of a run: count its results, complete run.json and join the trajectories."""

from __future__ import annotations

from collections import Counter

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.folder import LIVE, SAMPLES, RunFolder
from pytest_bwa.evidence.record import STATUSES
from pytest_bwa.memory.events import EVENTS, HINTS_SHOWN, count_events
from pytest_bwa.reports.base import FinishedRun, load_run_task, read_results
from pytest_bwa.spec.samples import read_samples
from pytest_bwa.steps import utc_now
from pytest_bwa.trajectory.merge import merge_parts

_EXIT_REASONS = {
    0: "all passed",
    1: "some failed",
    2: "interrupted",
    3: "internal error",
    5: "nothing ran",
}


def finish_run(folder: RunFolder, exitstatus: int, stop_reason: str) -> FinishedRun:
    """Write the end of run.json and remove the live files.

    ``stop_reason`` is why pytest stopped early, else empty. Raises EvidenceError if run.json cannot
    be read; if it or trajectory.db cannot be written, ``problem`` of the returned run says why.
    """
    record = folder.record()
    task = load_run_task(folder, record)
    samples = read_samples(folder.path / SAMPLES)
    results = read_results(folder, record, task, samples)
    is_run = task.phase == "execution" or bool(results)
    counts = Counter(result.status for result in results)
    changes = {
        "finished_at": utc_now(),
        "results_out": {status: counts[status] for status in STATUSES if counts[status]},
        # What a discovery spec finds is only listed: another spec runs it.
        "not_run": len(samples.samples) - len(results) if is_run else 0,
        "hints_shown": count_events(folder.path / EVENTS, HINTS_SHOWN),
        "exit_reason": stop_reason or _EXIT_REASONS.get(exitstatus, f"exit status {exitstatus}"),
    }
    problems = merge_parts(folder.path, folder.path / LIVE, results)
    try:
        record = folder.update(**changes)
    except EvidenceError as error:
        record = folder.record().model_copy(update=changes)
        problems.insert(0, str(error))
    folder.remove_live_files()
    return FinishedRun(folder, record, task, samples, results, "; ".join(problems))
