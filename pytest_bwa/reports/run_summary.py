"""The end of a run: count its results, complete run.json and join the trajectories."""

from __future__ import annotations

from collections.abc import Callable

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.folder import LIVE, SAMPLES, RunFolder
from pytest_bwa.evidence.item_report import ItemReport
from pytest_bwa.evidence.memory_events import EVENTS, HINTS_SHOWN, count_events
from pytest_bwa.evidence.record import STATUSES
from pytest_bwa.evidence.result_reader import Checks
from pytest_bwa.evidence.trajectory.merge import merge_parts
from pytest_bwa.reports.base import FinishedRun, load_run_task, read_results
from pytest_bwa.reports.totals import RunTotals, totals_of
from pytest_bwa.spec.samples import SampleList, read_samples
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import utc_now

_ENDED_EARLY = {2: "interrupted", 3: "internal error"}


def finish_run(folder: RunFolder, exitstatus: int, stop_reason: str) -> FinishedRun:
    """Write the end of run.json and remove the live files.

    ``stop_reason`` is why pytest stopped early, else empty. The exit status is that of the whole
    session, in which other audits may have failed. Raises EvidenceError if run.json cannot
    be read; if it or trajectory.db cannot be written, ``problem`` of the returned run says why.
    """
    from pytest_bwa.reports import late_flags, recipe_summary  # not in workers

    record = folder.record()
    task = load_run_task(folder, record)
    samples = read_samples(folder.path / SAMPLES)
    results = read_results(folder, record, task, samples)
    recipe = recipe_summary.recipe_record(folder, record, results)
    check = record.check.with_checks(Checks(folder).read()) if record.check else None
    late = late_flags.flag_late(folder, task, samples, check, results)
    totals = totals_of(results)
    # What a discovery spec finds is only listed: another spec runs it.
    is_run = task.phase == "execution" or bool(results)
    not_run = len(samples.samples) - len(results) if is_run else 0
    is_cut_short = bool(not_run) or totals.has_broken
    early = (stop_reason or _ENDED_EARLY.get(exitstatus, "")) if is_cut_short else ""
    changes = {
        "finished_at": utc_now(),
        "results_out": {status: n for status in STATUSES if (n := totals.statuses[status])},
        "not_run": not_run,
        "expected": totals.known_record(recipe),
        "recipe": recipe,
        "check": check,
        "hints_shown": count_events(folder.path / EVENTS, HINTS_SHOWN),
        "exit_reason": early or what_came_out(task, samples, totals, folder.item_report),
    }
    problems = late.problems + merge_parts(folder.path, folder.path / LIVE, results)
    try:
        record = folder.update(**changes)
    except EvidenceError as error:
        record = folder.record().model_copy(update=changes)
        problems.insert(0, str(error))
    folder.remove_live_files()
    return FinishedRun(
        folder, record, task, samples, results, "; ".join(problems),
        ended_early=bool(early and not_run), flagged_late=late.flagged, cleared_late=late.cleared,
        counted=totals,
    )  # fmt: skip


def what_came_out(
    task: TaskSpec,
    samples: SampleList,
    totals: RunTotals,
    report_of: Callable[[str], ItemReport | None],
) -> str:
    """The end of a run that nothing cut short, in the words of its counts; ``report_of`` finds what
    pytest said of a sample."""
    known_bad = {sample.sample_id for sample in samples.samples if sample.xfail} | set(task.xfail)
    failed = set(totals.not_passed)
    if not totals.statuses:
        return "nothing ran"
    if failed - known_bad:
        return "some failed"
    is_whole = totals.statuses.total() >= len(samples.samples)
    passed = "all passed" if is_whole else "all that ran passed"
    reports = (report_of(s.sample_id) for s in samples.samples if s.sample_id not in failed)
    except_for = ["those known to be bad"] if failed else []
    if any(report is not None and report.outcome == "failed" for report in reports):
        except_for.append("tests that check more")
    return f"{passed}, but {' and '.join(except_for)}" if except_for else passed
