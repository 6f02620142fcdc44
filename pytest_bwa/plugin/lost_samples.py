"""Results of samples whose worker or session was killed, made from the files on disk."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.salvage import result_of_lost_worker
from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import RUN, LiveSample, RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.reports.base import FinishedSample
from pytest_bwa.reports.registry import Reports
from pytest_bwa.steps.step import utc_now


def write_results(folder: RunFolder, reason: str) -> None:
    """Write the result of every sample that a process was running which is no longer there."""
    for live in folder.live_samples():
        _write_result(folder, live, reason)


def of_killed_worker(
    folders: Sequence[RunFolder], audit: Audit | None, nodeid: str, reason: str
) -> SampleResult | None:
    """The result of the sample of an item whose worker was killed; None if nothing names it."""
    for folder in folders:
        for live in folder.live_samples():
            if live.nodeid == nodeid:
                return _write_result(folder, live, reason)
    return _between_samples(audit, nodeid, reason)


def _between_samples(audit: Audit | None, nodeid: str, reason: str) -> SampleResult | None:
    """The worker was killed after it had finished a sample, or before it began one: xdist gives
    its next item up all the same. The brackets of that item hold the sample's id, and maybe
    other parameters of the user, with which it is no sample of the list."""
    sample_id = nodeid.rpartition("[")[2].removesuffix("]")
    if audit is None or audit.folder is None:
        return None
    if audit.samples.find(sample_id) is None:
        return None
    if result := audit.folder.result(sample_id):
        return result.with_location(audit.folder.sample(sample_id), [])
    record = audit.record
    live = LiveSample(
        worker="",
        sample_id=sample_id,
        nodeid=nodeid,
        policy=record.policy,
        model=record.model,
        started_at=utc_now(),
    )
    return result_of_lost_worker(audit.folder, live, record.task_id, reason)


def begin_reports(
    reports: Reports, folder: RunFolder, audit: Audit | None, plan: Plan
) -> list[str]:
    """What the reports say of a run that begins. If one raises InputError, no folder is left of a
    run in which nothing was done."""
    try:
        return reports.run_opened(folder)
    except InputError:
        if is_unused(folder, audit, plan):
            folder.remove()
        raise


def is_unused(folder: RunFolder, audit: Audit | None, plan: Plan) -> bool:
    """Whether nothing was done in a run for which pytest found no test: no sample was run, and none
    was planned, walked for or resumed before."""
    if audit is None or audit.resumed or audit.record.discovery or plan.prompt:
        return False
    return not any(folder.results())


def _write_result(folder: RunFolder, live: LiveSample, reason: str) -> SampleResult:
    result = result_of_lost_worker(folder, live, folder.record().task_id, reason)
    folder.remove_live(live.worker)
    return result


def finished(result: SampleResult, nodeid: str, plan: Plan) -> FinishedSample | None:
    """What the reports get of a sample that its worker could not report; None if no result was
    written."""
    if result.folder is None:
        return None
    folder = next(RunFolder(p) for p in result.folder.parents if (p / RUN).is_file())
    audit = audits.reopen(folder, resumed=False, options=plan.of_task)
    sample = audit.sample(result.sample_id)
    result.take_not_found_as(audit.task.not_found_rule(sample)).fail_on(
        audit.record.current.fail_on
    )
    return FinishedSample(audit.task, sample, result, folder, nodeid)
