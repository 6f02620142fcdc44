"""The end of a run: count its results, complete run.json and join the trajectories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.folder import LIVE, SAMPLES, RunFolder
from pytest_bwa.evidence.record import STATUSES, SampleResult
from pytest_bwa.memory.events import EVENTS, HINTS_SHOWN, count_events
from pytest_bwa.reports.base import FinishedRun, load_run_task, read_results
from pytest_bwa.spec.samples import read_samples
from pytest_bwa.steps import utc_now
from pytest_bwa.trajectory.merge import merge_parts

_ENDED_EARLY = {2: "interrupted", 3: "internal error"}


def finish_run(folder: RunFolder, exitstatus: int, stop_reason: str) -> FinishedRun:
    """Write the end of run.json and remove the live files.

    ``stop_reason`` is why pytest stopped early, else empty. The exit status is that of the whole
    session, in which other audits may have failed. Raises EvidenceError if run.json cannot
    be read; if it or trajectory.db cannot be written, ``problem`` of the returned run says why.
    """
    record = folder.record()
    task = load_run_task(folder, record)
    samples = read_samples(folder.path / SAMPLES)
    results = read_results(folder, record, task, samples)
    is_run = task.phase == "execution" or bool(results)
    not_run = len(samples.samples) - len(results) if is_run else 0
    is_cut_short = bool(not_run) or any(result.broken for result in results)
    early = (stop_reason or _ENDED_EARLY.get(exitstatus, "")) if is_cut_short else ""
    known_bad = {sample.sample_id for sample in samples.samples if sample.xfail} | set(task.xfail)
    counts = Counter(result.status for result in results)
    changes = {
        "finished_at": utc_now(),
        "results_out": {status: counts[status] for status in STATUSES if counts[status]},
        # What a discovery spec finds is only listed: another spec runs it.
        "not_run": not_run,
        "hints_shown": count_events(folder.path / EVENTS, HINTS_SHOWN),
        "exit_reason": early or _what_came_out(results, not_run, known_bad),
    }
    problems = merge_parts(folder.path, folder.path / LIVE, results)
    try:
        record = folder.update(**changes)
    except EvidenceError as error:
        record = folder.record().model_copy(update=changes)
        problems.insert(0, str(error))
    folder.remove_live_files()
    ended_early = bool(early and not_run)
    problem = "; ".join(problems)
    return FinishedRun(folder, record, task, samples, results, problem, ended_early=ended_early)


def _what_came_out(
    results: Sequence[SampleResult], not_run: int, known_bad: Collection[str]
) -> str:
    """The end of a run that nothing cut short, in the words of its counts."""
    failed = {result.sample_id for result in results if not result.passed}
    if not results:
        return "nothing ran"
    if failed - set(known_bad):
        return "some failed"
    passed = "all that ran passed" if not_run else "all passed"
    return f"{passed}, but those known to be bad" if failed else passed
