"""``bwa run``: one audit on the workers of a Dask cluster, from its files to the merged run."""

from __future__ import annotations

import signal
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pytest_bwa.errors import BwaError, InputError
from pytest_bwa.evidence.files import checked_run_id
from pytest_bwa.evidence.folder import SAMPLES, SPEC
from pytest_bwa.evidence.integrity.origin import used_versions
from pytest_bwa.policy.registry import POLICIES
from pytest_bwa.reports.base import read_finished_run
from pytest_bwa.reports.terminal import summary_lines
from pytest_bwa.scale.cluster.coordinator import ClusterLost, Coordinator
from pytest_bwa.scale.cluster.dask_cluster import DaskCluster, connected, wait_for_threads
from pytest_bwa.scale.cluster.inputs import Inputs, chosen_policy, read_inputs
from pytest_bwa.scale.cluster.job import ExitStatus, Job, number_of_chunks, settings_to_send
from pytest_bwa.scale.cluster.kept_shards import SHARDS, ClusterRecord, KeptShards
from pytest_bwa.scale.cluster.not_run import write_missing
from pytest_bwa.scale.merging.merge import merge_runs
from pytest_bwa.settings import Settings, read_settings
from pytest_bwa.spec.shard import new_run_id
from pytest_bwa.steps.text import dollars

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line of ``bwa run`` asks for."""

    task: Path
    samples: Path
    evidence: Path
    scheduler: str | None
    local: int
    """Workers on this machine, if no scheduler is named."""
    run_id: str | None
    resume: str | None
    policy: str
    model: str | None
    max_cost: float | None
    chunk: int | None
    """The most samples of a chunk."""
    arguments: Sequence[str]


def run_on_cluster(asked: Asked, say: Say) -> int:
    """Run the audit; returns pytest's exit status. Raises InputError, before anything runs, and
    EvidenceError."""
    settings = read_settings()
    settings = settings.model_copy(update={"model": asked.model or settings.model})
    policy = chosen_policy(asked.policy, settings)
    inputs = read_inputs(asked.task, asked.samples, asked.arguments)
    run_id = _run_id(asked)
    out = asked.evidence / run_id
    with _interrupts() as is_interrupted, connected(asked.scheduler, asked.local) as client:
        threads = wait_for_threads(client)
        kept = _kept_shards(asked, out, inputs, threads)
        job = _job(inputs, settings, policy, kept.record, asked.max_cost)
        rows = f"{inputs.sample_count} samples in {kept.record.chunks} chunks"
        say(f"{rows}, for {threads} threads of workers; evidence {out}")
        cluster = DaskCluster(client, job)
        status, reason = _run_chunks(cluster, kept, asked.max_cost, is_interrupted, say)
    return _finish(asked, kept, out, status, reason, say)


def _run_id(asked: Asked) -> str:
    """The name of the run. Raises InputError."""
    if asked.resume is not None:
        return Path(asked.resume).name
    name = checked_run_id(asked.run_id or new_run_id())
    for taken in (asked.evidence / name, asked.evidence / (name + SHARDS)):
        if taken.exists():
            raise InputError(f"{taken} already exists: continue it with --resume {name}, or take "
                             "another --run-id")  # fmt: skip
    return name


def _kept_shards(asked: Asked, out: Path, inputs: Inputs, threads: int) -> KeptShards:
    folder = out.with_name(out.name + SHARDS)
    digests = inputs.spec_sha256, inputs.samples_sha256
    if asked.resume is not None:
        return KeptShards.reopen(folder, *digests)
    record = ClusterRecord(
        run_id=out.name,
        spec_sha256=digests[0],
        samples_sha256=digests[1],
        samples=inputs.sample_count,
        chunks=number_of_chunks(inputs.sample_count, threads, asked.chunk),
    )
    return KeptShards.create(folder, record)


def _job(
    inputs: Inputs,
    settings: Settings,
    policy: str,
    record: ClusterRecord,
    max_cost: float | None,
) -> Job:
    return Job(
        job_id=uuid.uuid4().hex[:12],
        inputs=inputs,
        settings=settings_to_send(settings),
        policy=policy,
        model=settings.model if POLICIES[policy].needs_model else "",
        run_id=record.run_id,
        chunks=record.chunks,
        max_cost=max_cost,
        versions=used_versions(),
    )


def _run_chunks(
    cluster: DaskCluster,
    kept: KeptShards,
    max_cost: float | None,
    is_interrupted: Callable[[], bool],
    say: Say,
) -> tuple[ExitStatus, str]:
    """The exit status, and why the run stopped early, if it did."""
    coordinator = Coordinator(cluster, kept, say, max_cost=max_cost, is_interrupted=is_interrupted)
    cluster.on_progress(coordinator.take_progress)
    try:
        coordinator.run()
    except ClusterLost as problem:
        return ExitStatus.INTERRUPTED, str(problem)
    except InputError:
        if not kept.folders():
            kept.remove()
        raise
    finally:
        with suppress(ClusterLost):
            cluster.forget()
    if coordinator.stop_reason:
        return ExitStatus.INTERRUPTED, coordinator.stop_reason
    statuses = kept.exit_statuses()
    if ExitStatus.INTERNAL_ERROR in statuses:
        return ExitStatus.INTERNAL_ERROR, ""
    given_up = coordinator.given_up
    is_failed = given_up or statuses - {ExitStatus.PASSED}
    why = f"chunks were given up: {', '.join(map(str, given_up))}" if given_up else ""
    return (ExitStatus.FAILED if is_failed else ExitStatus.PASSED), why


def _finish(
    asked: Asked, kept: KeptShards, out: Path, status: ExitStatus, reason: str, say: Say
) -> int:
    """Merge what came back, also of a run that was stopped, and show it."""
    lost = kept.lost_attempts()
    if lost:
        cost = sum(attempt.cost_usd for attempt in lost)
        spent = f", which had cost {dollars(cost)}" if cost else ""
        say(f"attempts that do not count: {len(lost)}{spent}")
    is_cut_short = bool(reason or kept.missing())
    if is_cut_short:
        say(f"{kept.finished_samples()} of {kept.samples} samples are finished: {reason}")
    try:
        if kept.folders():
            _merge(asked, kept, out, reason, say)
    except (BwaError, OSError) as problem:
        say(f"the shards in {kept.folder} cannot be merged: {problem}")
        status = status if is_cut_short else ExitStatus.INTERNAL_ERROR
    if is_cut_short:
        say(f"go on with: bwa run … --resume {out.name}")
    elif status == ExitStatus.PASSED:
        kept.finish(out)
    return status


def _merge(asked: Asked, kept: KeptShards, out: Path, reason: str, say: Say) -> None:
    """Make the run folder; samples that no chunk came back of were not run. Raises BwaError or
    OSError."""
    named = {SPEC: str(asked.task), SAMPLES: str(asked.samples)}
    if out.exists():
        kept.set_aside(out)
    with TemporaryDirectory(dir=kept.folder) as folder:
        missing = write_missing(kept, asked.samples, Path(folder), reason)
        merged = merge_runs([*kept.folders(), *missing], out, named)
    for line in summary_lines(read_finished_run(merged.folder)):
        say(line)


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C or SIGTERM asked to stop. The second Ctrl-C ends this process at once."""
    asked: list[int] = []

    def stop(number: int, frame: object) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(asked)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
