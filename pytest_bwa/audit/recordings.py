"""Recorded runs, as --policy replay performs them again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from pydantic import ValidationError

from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.plan import Plan
from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.folder import SAMPLES, SPEC, RunFolder, find_run
from pytest_bwa.evidence.grounding import leaves_of
from pytest_bwa.evidence.record import SCHEMA_VERSION, SampleResult
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.evidence.writer import LOG, RESULT
from pytest_bwa.policy.recorded import RecordedRun, RecordedSample, performed_again
from pytest_bwa.proof.rereading import RecordedValues
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.network.urls import host_of
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import read_samples
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import FailKind, Step

_WITHOUT_MODEL = frozenset({"rules", "replay"})


def open_audit(
    plan: Plan, *, collect_only: bool, ready: Callable[[TaskSpec], object]
) -> Audit | None:
    """The audit of --replay with its run folder: the given task, else the recorded run's own.
    Everything that it needs is read, so that nothing is found to be missing later. Raises
    InputError."""
    folder, record = _recorded_run(plan)
    audit = _audit(plan, folder, record)
    read(plan, audit, plan.base_url)
    if collect_only:
        return audit
    ready(audit.task)
    return audits.written(audit, RunFolder.create(plan.evidence, plan.run_id))


def read(plan: Plan, audit: Audit, base_url: str | None) -> RecordedRun | None:
    """What the run that --replay names did for each sample of the audit; None without --replay.
    Raises InputError for a recording that is broken or was written by another version."""
    if plan.replay is None:
        return None
    folder, record = _recorded_run(plan)
    samples = {}
    moved = (host_of(record.base_url or ""), host_of(base_url or record.base_url or ""))
    for sample in audit.samples.samples:
        if (folder.sample(sample.sample_id) / RESULT).exists():
            samples[sample.sample_id] = _sample(folder, audit.task, sample, moved)
    return RecordedRun(
        name=folder.path.name,
        samples=samples,
        labels_proved=bool(_WITHOUT_MODEL & set(record.policies)),
        base_url=record.base_url,
        present_base_url=base_url or record.base_url,
    )


def _recorded_run(plan: Plan) -> tuple[RunFolder, RunRecord]:
    folder = find_run(plan.evidence, plan.replay or "")
    try:
        record = folder.record()
    except EvidenceError as problem:
        raise InputError(str(problem)) from None
    if record.schema_version > SCHEMA_VERSION:
        raise InputError(
            f"{folder.path} cannot be replayed: a newer version wrote it (schema_version "
            f"{record.schema_version}, and this version reads up to {SCHEMA_VERSION})"
        )
    return folder, record


def _audit(plan: Plan, folder: RunFolder, record: RunRecord) -> Audit:
    if plan.task is None:
        task = load_task(folder.path / SPEC).model_copy(update=plan.of_task)
        if plan.shard and record.shard:
            raise InputError(f"{folder.path} is a shard, and is replayed whole: leave out --shard")
        samples = read_samples(folder.path / SAMPLES).part(plan.shard)
        listed = record.samples.model_copy(update={"rows": len(samples.samples)})
        shard = samples.shard or record.shard
        audit = Audit(task, samples, audits.record_of(plan, task, record.spec, listed, shard))
        return replace(audit, samples=audits.with_left_out(plan, audit))
    audit = audits.read_audit(plan, plan.task, plan.samples)
    if changes := audits.spec_changes(folder, record, audit, plan):
        raise InputError(f"{folder.path} cannot be replayed with {plan.task}: {changes[0]}")
    return audit


def _sample(
    folder: RunFolder, task: TaskSpec, sample: Sample, moved: tuple[str, str]
) -> RecordedSample:
    path = folder.sample(sample.sample_id)
    result = folder.result(sample.sample_id)
    if result is None:
        raise InputError(f"{path / RESULT} cannot be replayed: it is not a readable result")
    log = _log(folder, sample.sample_id)
    steps = performed_again(log)
    if _is_older(result, [recorded.step for recorded in steps]):
        raise InputError(
            f"{path} cannot be replayed: an older version wrote it, which did not record "
            "where on a page elements and values stood"
        )
    given = list(sample.columns.values())
    not_done = f"{folder.path.name} has this sample as {result.ending}: {result.reason}"
    failed = next((step for step in reversed(log) if step.action == "fail"), None)
    return RecordedSample(
        steps,
        values=RecordedValues(task, result.extracted, result.grounding, given, moved),
        not_done="" if result.status == "done" else not_done,
        failed_as=_fail_kind(result),
        page_hash=failed.page_hash if failed else "",
    )


def _fail_kind(result: SampleResult) -> FailKind | None:
    if result.status != "failed":
        return None
    return "other" if result.outcome == "found" else result.outcome


def _log(folder: RunFolder, sample_id: str) -> list[Step]:
    path = folder.sample(sample_id) / LOG
    try:
        return [Step.model_validate(entry) for entry in json.loads(path.read_bytes())]
    except OSError as error:
        raise InputError(f"{path} cannot be replayed: {error.strerror or error}") from None
    except (ValueError, TypeError, ValidationError):
        raise InputError(f"{path} cannot be replayed: it is not a readable action log") from None


def _is_older(result: SampleResult, steps: list[Step]) -> bool:
    """Whether the files lack what this version always writes."""
    records = [record for tree in result.grounding.values() for record in leaves_of(tree)]
    targets = [step.target for step in steps if step.target is not None]
    return any("place" not in record.model_fields_set for record in records) or any(
        target.identity is None for target in targets
    )
