"""An audit: one task over one samples list, with its run folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from typing import Any

from filelock import FileLock

from pytest_bwa.audit.plan import Plan
from pytest_bwa.errors import EvidenceError, InputError, ResumeRefused
from pytest_bwa.evidence.approvals import ApprovalDesk
from pytest_bwa.evidence.checks import CheckRecord
from pytest_bwa.evidence.file_lock import check_locks
from pytest_bwa.evidence.files import copy_digests, make_folder, sha256_of
from pytest_bwa.evidence.folder import POPULATION, SAMPLES, SPEC, RunFolder, find_run
from pytest_bwa.evidence.integrity.foreign import check_copies, foreign_files, notes_of
from pytest_bwa.evidence.integrity.origin import origin, used_versions
from pytest_bwa.evidence.record import NOT_AS_EXPECTED, ReviewMark
from pytest_bwa.evidence.run_record import (
    FileRecord,
    PopulationRecord,
    ResumedSession,
    RunRecord,
)
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.draw import Draw
from pytest_bwa.spec.known import rows_that_teach
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.redaction import redact_addresses
from pytest_bwa.spec.sample import FAN_OUT_OVER, Sample
from pytest_bwa.spec.samples import (
    SampleList,
    load_samples,
    read_samples,
    restored,
    sample_list_for_url,
    sample_list_of_start_url,
)
from pytest_bwa.spec.secrets import HiddenCells, as_written, check_secrets, with_hidden
from pytest_bwa.spec.shard import ListShard
from pytest_bwa.spec.table.on_disk import kept
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import utc_now

LATEST = "latest"
CHECKED_WITH_RECIPE = 0.02
"""The part of the samples that is run again where a recipe reads them, unless another is asked
for."""


@dataclass(frozen=True, slots=True)
class Audit:
    """``folder`` is None until the audit is opened (never, while pytest only collects)."""

    task: TaskSpec
    samples: SampleList
    record: RunRecord
    folder: RunFolder | None = None
    resumed: bool = False
    notes: tuple[str, ...] = ()
    """What the header says of a folder that is resumed."""

    @property
    def is_incomplete(self) -> bool:
        """Whether the walk over its listing did not come to an end."""
        return self.record.discovery is not None and bool(self.record.discovery.problems)

    def sample(self, sample_id: str) -> Sample:
        return self.samples.get(sample_id)

    def known_bad(self) -> Mapping[str, str]:
        """sample_id to the reason why it is known to be bad; the spec wins over the list."""
        listed = {s.sample_id: s.xfail for s in self.samples.samples if s.xfail}
        return {**listed, **self.task.xfail}

    def known_rows(self) -> list[Sample]:
        """Those that teach a recipe."""
        return rows_that_teach(self.task, self.samples.samples) if self.samples.known else []

    def with_teachers_first(self) -> tuple[Sample, ...]:
        """The samples, beginning with those that teach a recipe best."""
        return self.samples.with_teachers_first(self.known_rows(), without=self.known_bad())


def read_task(plan: Plan, task_file: Path) -> TaskSpec:
    """The spec, with what the command line gives instead of it. Raises SpecError."""
    task = load_task(task_file).model_copy(update=plan.of_task)
    check_secrets(task, task_file)
    return task


def read_audit(plan: Plan, task_file: Path, samples_file: Path | None) -> Audit:
    """The audit with all input checked, and nothing written yet. Raises InputError."""
    task = read_task(plan, task_file)
    samples = samples_of(plan, task, task_file, samples_file)
    _check_groups(plan, task, samples)
    samples = samples.drawn(plan.draw).part(plan.shard)
    return Audit(task, samples, new_record(plan, task, task_file, samples))


def _check_groups(plan: Plan, task: TaskSpec, samples: SampleList) -> None:
    """Raises InputError for groups that nobody could check: the run folder masks secret cells."""
    by = plan.draw.by if plan.draw else ""
    if by not in samples.columns:
        return
    secret = {source.column for source in task.secrets.values()}
    written = (as_written(sample, task).columns[by] for sample in samples.samples)
    if by in secret or any(
        text != sample.columns[by] for text, sample in zip(written, samples.samples, strict=True)
    ):
        raise InputError(f"--by {by}: the column is secret; take another")


def new_record(plan: Plan, task: TaskSpec, task_file: Path, samples: SampleList) -> RunRecord:
    """What run.json says at the beginning of a run."""
    spec = FileRecord(path=str(task_file), sha256=sha256_of(task_file))
    source = redact_addresses(samples.source)
    listed = FileRecord(path=source, sha256=samples.sha256, rows=len(samples.samples))
    record = record_of(plan, task, spec, listed, samples.shard)
    record.fail_on = failing_marks(plan, task, samples)
    record.check = check_asked(plan, task)
    if (population := samples.population) is None:
        return record
    draw = population.draw
    drawn_from = PopulationRecord(
        file=source, rows=len(population.listed.samples), sha256=samples.sha256, seed=draw.seed,
        method=draw.method, by=draw.by,
    )  # fmt: skip
    return record.model_copy(update={"population": drawn_from})


def record_of(
    plan: Plan, task: TaskSpec, spec: FileRecord, listed: FileRecord, shard: ListShard | None
) -> RunRecord:
    """The same, of a task and a list that these files hold."""
    return RunRecord(
        run_id=plan.run_id,
        task_id=task.task_id,
        workpaper=task.workpaper,
        policy=plan.policy,
        model=plan.model,
        base_url=plan.base_url,
        replay=plan.replay,
        not_found=task.not_found,
        fail_on=list(plan.fail_on),
        versions=used_versions(),
        origin=origin(plan.command_line, Path(spec.path)),
        prompt=plan.prompt,
        spec=spec,
        samples=listed,
        shard=shard,
        started_at=utc_now(),
        samples_in=listed.rows or 0,
    )


def failing_marks(plan: Plan, task: TaskSpec, samples: SampleList) -> list[ReviewMark]:
    """What makes a sample fail that has its answer. Raises InputError if known rows are asked for,
    and there are none."""
    if not samples.known:
        if plan.min_known_right is not None:
            raise InputError(
                "--min-known-right: the list has no known rows: add columns expected.<field>"
            )
        return list(plan.fail_on)
    fails = (plan.expected or task.expected) == "fail"
    return [*([NOT_AS_EXPECTED] if fails else []), *plan.fail_on]


def check_asked(plan: Plan, task: TaskSpec) -> CheckRecord | None:
    """Which part of the samples is run again by the policy alone; None for no part. Raises
    InputError if that would send a form twice."""
    is_form = task.read_only is False
    if plan.check and is_form:
        raise InputError(
            "--check would send each form a second time (the spec says read_only: false): pass "
            "--check 0"
        )
    asks_policy = plan.recipe != "only" and task.phase == "execution"
    default = CHECKED_WITH_RECIPE if plan.recipe not in (None, "off") else 0.0
    rate = default if plan.check is None else plan.check
    if not rate or is_form or not asks_policy:
        return None
    return CheckRecord(rate=rate, seed=token_hex(8), model=plan.check_model)


def _check_of_session(plan: Plan, audit: Audit) -> CheckRecord | None:
    """The same of a run that is resumed: a larger part has the samples of the smaller one. Raises
    InputError."""
    asked, before = check_asked(plan, audit.task), audit.record.check
    if before is None or (plan.check is None and not plan.check_model):
        return before or asked
    given = {"rate": asked.rate if asked else 0.0, "model": plan.check_model or before.model}
    return before.model_copy(update=given)


def too_few_known_right(record: RunRecord, plan: Plan) -> bool:
    """Whether fewer of a run's known samples are right than ``--min-known-right`` wants."""
    wanted, known = plan.min_known_right, record.expected
    return wanted is not None and (known.part_right if known else 0.0) < wanted


def samples_of(
    plan: Plan, task: TaskSpec, task_file: Path, samples_file: Path | None
) -> SampleList:
    """The samples that are given, or the one page that the spec names. Raises InputError."""
    is_bound_walk = plan.task is None and task.phase == "discovery"
    if samples_file is not None and not is_bound_walk:
        return load_samples(samples_file, task, spec=task_file)
    if plan.url is None and (task.phase == "discovery" or task.needs_discovery):
        raise InputError(
            f"{task_file}: its samples are discovered, once and before all tests: pass it with "
            "--task, or bind the list that was found to the spec that reads its samples"
        )
    placeholders.check_needs_no_list(task, task_file)
    if plan.url is not None:
        return sample_list_for_url(plan.url)
    if placeholders.is_concrete(task.start_url):
        return sample_list_of_start_url(task)
    raise InputError(
        f"{task_file}: pass --samples FILE, --url URL or --discover with --start-url URL: the spec "
        "names no page of its own"
    )


def open_option_audit(
    plan: Plan,
    *,
    collect_only: bool,
    ready: Callable[[TaskSpec], object],
    folder: RunFolder | None = None,
) -> Audit | None:
    """The audit of ``--task`` (or of the run to resume) with its run folder, which may be there
    already. ``ready`` is called before, and raises InputError if the task cannot be run here."""
    if plan.resume is not None:
        return _resume(plan, ready, collect_only=collect_only)
    if plan.task is None:
        return None
    audit = read_audit(plan, plan.task, plan.samples)
    if collect_only:
        return audit
    ready(audit.task)
    return written(audit, folder or RunFolder.create(plan.evidence, plan.run_id))


def open_bound_audit(plan: Plan, audit: Audit) -> Audit:
    """The audit that a marker binds, with its folder: the first worker that needs it makes it."""
    folder = RunFolder(plan.evidence / f"{plan.run_id}_{audit.task.task_id}")
    try:
        make_folder(plan.evidence)
        check_locks(plan.evidence)
        with FileLock(plan.evidence / f".{plan.run_id}.lock"):
            if not folder.path.exists():
                folder.path.mkdir()
                return written(audit, folder)
    except OSError as error:
        raise EvidenceError(f"cannot write in {plan.evidence}: {error.strerror}") from error
    record, own = folder.record(), audit.record
    if (record.spec.sha256, record.samples.sha256) != (own.spec.sha256, own.samples.sha256):
        raise InputError(f'two bound audits share the task_id "{audit.task.task_id}": rename one')
    return Audit(audit.task, audit.samples, record, folder)


def reopen(
    folder: RunFolder,
    *,
    resumed: bool,
    options: Mapping[str, Any] | None = None,
    hidden: HiddenCells | None = None,
) -> Audit:
    """The audit as the controller wrote it. All workers read the same files.

    ``options`` are what the command line of this session gives instead of the spec, and ``hidden``
    has the values that stand in no file of the run."""
    record = folder.record()
    task = load_task(folder.path / SPEC).model_copy(update=options)
    samples = read_samples(folder.path / SAMPLES)
    samples = replace(samples, samples=with_hidden(samples.samples, task, hidden or {}))
    return Audit(task, samples, record, folder, resumed)


def written(audit: Audit, folder: RunFolder) -> Audit:
    """The audit with its input files in its run folder: the list without secrets and tokens of
    addresses, unless the list itself lies there, as a discovered one does."""
    fan_out = audit.record.listed_samples > FAN_OUT_OVER
    record = audit.record.model_copy(update={"run_id": folder.path.name, "fan_out": fan_out})
    samples, population = audit.samples, audit.samples.population
    if Path(samples.source).resolve().parent != folder.path.resolve():
        samples = _as_written(samples, audit.task)
    drawn_from = _as_written(population.listed, audit.task).csv_lines() if population else ()
    spec = audit.task.model_dump(mode="json")
    folder.write_inputs(record, spec, samples.csv_lines(), drawn_from)
    return Audit(audit.task, audit.samples, record, folder)


def _as_written(listed: SampleList, task: TaskSpec) -> SampleList:
    return replace(listed, samples=kept(as_written(s, task) for s in listed.samples))


def _resume(plan: Plan, ready: Callable[[TaskSpec], object], *, collect_only: bool) -> Audit:
    folder = find_run(plan.evidence, "" if plan.resume == LATEST else plan.resume or "")
    _check_shard(plan, folder, record := folder.record())
    if plan.task is not None:
        # A list that was discovered is not discovered again, and a shard stays the same.
        listed = folder.path / Path(record.samples.path).name if record.discovery else plan.samples
        shard = record.shard.shard if record.shard else None
        asked = read_audit(replace(plan, shard=shard, draw=None), plan.task, listed)
        if changes := _changes(folder, record, asked, plan):
            raise ResumeRefused(
                f"{folder.path} cannot be resumed: {'; '.join(changes)}. "
                "Start a new run, or use the files it was made from"
            )
    check_copies(folder.path, record)
    more = _further_draw(plan, folder, record)
    audit = reopen(folder, resumed=True, options=plan.of_task)
    if more:
        audit = replace(audit, samples=read_samples(folder.path / POPULATION).drawn(more))
    written_list = audit.samples
    audit = replace(audit, samples=with_left_out(plan, audit))
    if collect_only:
        return replace(audit, folder=None)
    ready(audit.task)
    ApprovalDesk(folder.path).clear()
    check = _check_of_session(plan, audit)
    if more:
        _extend(folder, record, written_list)
    session = ResumedSession(
        time=utc_now(),
        policy=plan.policy,
        model=plan.model,
        max_steps=audit.task.max_steps,
        not_found=audit.task.not_found,
        fail_on=failing_marks(plan, audit.task, audit.samples),
        versions=used_versions(),
        origin=origin(plan.command_line, plan.task or Path(record.spec.path)),
    )
    record = folder.update(
        foreign=(foreign := foreign_files(folder.path, record)),
        resumed_at=[*record.resumed_at, session.time],
        resumed=[*record.resumed, session],
        check=check,
        exit_reason=None,
        finished_at=None,
    )
    return replace(audit, record=record, notes=notes_of(folder.path, foreign))


def _further_draw(plan: Plan, folder: RunFolder, record: RunRecord) -> Draw | None:
    """The draw that adds rows to those of a run; None if none are asked for. Raises
    ResumeRefused."""
    asked, drawn = plan.draw, record.population
    if asked is None:
        return None
    count = record.listed_samples

    def refused(why: str) -> ResumeRefused:
        return ResumeRefused(f"{folder.path} cannot be resumed with --pick {asked.count}: {why}")

    if drawn is None:
        raise refused("it runs its whole list")
    if plan.is_seed_given and asked.seed != drawn.seed:
        raise refused(f"its samples were drawn with --seed {drawn.seed}, not {asked.seed}")
    if asked.by not in ("", drawn.by):
        raise refused(f"its samples were drawn {drawn.method}, not by {asked.by}")
    if asked.count < count:
        raise refused(f"it has {count} samples, and a sample can only grow")
    if asked.count > drawn.rows:
        raise refused(f"its population has {drawn.rows} rows")
    if asked.count > count and record.shard:
        raise refused("it is a shard, and further rows would belong to others: start a new run")
    return Draw(asked.count, drawn.seed, drawn.by) if asked.count > count else None


def _extend(folder: RunFolder, record: RunRecord, drawn: SampleList) -> None:
    """List in the run folder what was drawn of its population, with the further rows."""
    folder.write_list(drawn.csv_lines())
    copy, rows = copy_digests(folder.path, (SAMPLES,))[SAMPLES], len(drawn.samples)
    listed = record.samples.model_copy(update={**copy, "rows": rows})
    folder.update(samples=listed, samples_in=rows)


def _check_shard(plan: Plan, folder: RunFolder, record: RunRecord) -> None:
    """A resumed run goes on with its own shard, whether --shard says so or not. Raises
    ResumeRefused for another one, and for a merged run."""
    if record.merged:
        raise ResumeRefused(f"{folder.path} was merged: resume its shards and merge them again")
    own = record.shard.shard if record.shard else None
    if plan.shard not in (None, own):
        what = f"the shard {own}" if own else "the whole list"
        raise ResumeRefused(f"{folder.path} is a run of {what}, not of {plan.shard}")


def with_left_out(plan: Plan, audit: Audit) -> SampleList:
    """The samples of a run with what its folder does not say. Raises SamplesError."""
    of = audit.record.samples
    return restored(audit.samples, audit.task, of.path, of.sha256, plan.url)


def _changes(folder: RunFolder, record: RunRecord, asked: Audit, plan: Plan) -> list[str]:
    """How the input differs from the run's, in words. Each session may have its own --max-steps,
    --not-found and --approve."""
    changes = spec_changes(folder, record, asked, plan)
    if record.samples.sha256 != asked.record.samples.sha256:
        changes.append(_samples_changes(folder, record, asked))
    return changes


def spec_changes(folder: RunFolder, record: RunRecord, asked: Audit, plan: Plan) -> list[str]:
    """How the task differs from the run's, in one sentence; empty if it does not."""
    if record.spec.sha256 == asked.record.spec.sha256:
        return []
    old, new = json.loads((folder.path / SPEC).read_bytes()), asked.task.model_dump(mode="json")
    keys = [key for key in new if key not in plan.of_task and new[key] != old.get(key)]
    return [f"the spec changed in {', '.join(keys)}"] if keys else []


def _samples_changes(folder: RunFolder, record: RunRecord, asked: Audit) -> str:
    listed = folder.path / (POPULATION if record.population else SAMPLES)
    old = {s.sample_id: (s.columns, s.expected) for s in read_samples(listed).samples}
    new = {s.sample_id: (s.columns, s.expected) for s in asked.samples.samples}
    differences = [
        (f"{len(new.keys() - old.keys())} added", new.keys() - old.keys()),
        (f"{len(old.keys() - new.keys())} removed", old.keys() - new.keys()),
        ("others changed", {k for k in old.keys() & new.keys() if old[k] != new[k]}),
    ]
    found = [f"{what} ({', '.join(sorted(ids)[:3])})" for what, ids in differences if ids]
    return "the samples file changed: " + ("; ".join(found) or "its bytes differ")
