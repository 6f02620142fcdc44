"""What runs in a Dask worker: it takes the job, runs chunks of it in processes of pytest, and hands
out their run folders in pieces."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

from distributed import Lock, Worker, get_worker

from pytest_bwa.errors import BwaError
from pytest_bwa.evidence.cost_limit import SpendingReader, spent_in
from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.folder import RUN, RunFolder
from pytest_bwa.scale.cluster.admission import why_not_this_machine
from pytest_bwa.scale.cluster.bridge import Bridge
from pytest_bwa.scale.cluster.job import EVIDENCE, OUTPUT, ChunkEnd, Job
from pytest_bwa.scale.cluster.link import LINK

PERIOD = 0.5
"""Seconds between two looks at a process of pytest."""
PACKED, EARLIER = "packed.tar", "earlier.tar"
SENT = "sent"
OUTPUT_END = 4000
"""Bytes of what pytest wrote that the client gets at once; the rest is in the packed folder."""


@dataclass(slots=True)
class _TakenJob:
    job: Job
    folder: Path
    bridges: set[Bridge] = field(default_factory=set)
    """Of the chunks that are running."""
    stop: tuple[str, bool] | None = None
    """Why the run stops, and whether at once."""


_TAKEN: dict[str, _TakenJob] = {}
"""By the job's id. A process of a worker has several threads, which share this."""
_GUARD = threading.Lock()


def topic(job_id: str) -> str:
    """The topic under which the workers of a job say how far they are."""
    return f"bwa-{job_id}"


def take(job: Job, dask_worker: Worker) -> str:
    """Take the job, unless it cannot run on this machine: then why. The worker removes its own
    folder when it ends."""
    folder = Path(dask_worker.local_directory) / f"bwa-{job.job_id}"
    job.write_files(folder / SENT)
    if problem := why_not_this_machine(job, folder / SENT):
        shutil.rmtree(folder, ignore_errors=True)
        return problem
    _TAKEN[job.job_id] = _TakenJob(job, folder)
    return ""


def run_chunk(job_id: str, chunk: int, attempt: str) -> ChunkEnd | None:
    """Run a chunk in a process of pytest, and pack its run folder. None if this process has not
    taken the job: then it has the address of another one, which was killed."""
    if (taken := _TAKEN.get(job_id)) is None:
        return None
    folder = taken.folder / attempt
    folder.mkdir(parents=True, exist_ok=True)
    with Bridge(wait_for_domain) as bridge:
        with _GUARD:
            taken.bridges.add(bridge)
            if taken.stop is not None:
                bridge.stop(taken.stop[0], at_once=taken.stop[1])
        try:
            status = _run_pytest(taken.job, chunk, attempt, bridge.address, taken.folder)
        finally:
            with _GUARD:
                taken.bridges.discard(bridge)
    size, digest = _pack(folder)
    output = (folder / OUTPUT).read_bytes()[-OUTPUT_END:].decode("utf-8", "replace")
    return ChunkEnd(chunk, attempt, status, size, digest, output)


def _run_pytest(job: Job, chunk: int, attempt: str, link: str, place: Path) -> int:
    """The exit status."""
    folder = place / attempt
    environment = {**os.environ, **job.environment(), LINK: link}
    command = job.command(place / SENT, folder, chunk, *_resumed(folder))
    with (folder / OUTPUT).open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,  # Ctrl-C in the worker's terminal is not for this process
        )
    worker, reader, before = get_worker(), SpendingReader(), (0, 0.0)
    while True:
        try:
            return process.wait(PERIOD)
        except subprocess.TimeoutExpired:
            pass
        finally:
            now = _progress(folder, reader)
            if now is not None and now != before:
                finished, cost = before = now
                worker.log_event(topic(job.job_id), [attempt, finished, cost])


def _resumed(folder: Path) -> list[str]:
    """The option to go on with what an earlier attempt did, if the client has sent it."""
    if not (folder / EARLIER).exists():
        return []
    with tarfile.open(folder / EARLIER) as archive:
        archive.extractall(folder / EVIDENCE, filter="data")
    (folder / EARLIER).unlink()
    run = _run_folder(folder)
    return [f"--resume={run.path}"] if run else []


def _progress(folder: Path, reader: SpendingReader) -> tuple[int, float] | None:
    """How many samples are finished, and what they cost so far, in dollars; None if that cannot be
    read at this moment."""
    run = _run_folder(folder)
    try:
        return (len(reader.results(run)), spent_in(run, reader)) if run else None
    except (BwaError, OSError):  # files that are just being written
        return None


def _run_folder(folder: Path) -> RunFolder | None:
    return next((RunFolder(path.parent) for path in (folder / EVIDENCE).glob(f"*/{RUN}")), None)


def _pack(folder: Path) -> tuple[int, str]:
    """Pack the run folder, and remove it; returns the size and the SHA-256 of what is packed."""
    run = _run_folder(folder)
    if run is None:
        return 0, ""
    path = folder / PACKED
    with tarfile.open(path, "w") as archive:
        archive.add(run.path, arcname=run.path.name)
        archive.add(folder / OUTPUT, arcname=OUTPUT)
    shutil.rmtree(folder / EVIDENCE)
    return path.stat().st_size, sha256_of(path)


def read_piece(job_id: str, attempt: str, offset: int, size: int) -> bytes:
    """A piece of the packed folder of a chunk."""
    with (_TAKEN[job_id].folder / attempt / PACKED).open("rb") as packed:
        packed.seek(offset)
        return packed.read(size)


def write_piece(job_id: str, attempt: str, piece: bytes) -> None:
    """Add a piece to the packed run folder that an attempt is to go on with."""
    folder = _TAKEN[job_id].folder / attempt
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / EARLIER).open("ab") as packed:
        packed.write(piece)


def remove_chunk(job_id: str, attempt: str) -> None:
    """Remove what a chunk left here: its run folder was fetched."""
    shutil.rmtree(_TAKEN[job_id].folder / attempt, ignore_errors=True)


def stop(job_id: str, reason: str, at_once: bool) -> None:
    """Let no further sample begin; ``at_once`` interrupts those that are running."""
    if (taken := _TAKEN.get(job_id)) is None:
        return
    with _GUARD:
        taken.stop = reason, at_once
        for bridge in taken.bridges:
            bridge.stop(reason, at_once=at_once)


def forget(job_id: str) -> None:
    """The run is over, also for what still runs because nobody waits for it any more."""
    stop(job_id, "the run is over", at_once=True)
    if taken := _TAKEN.pop(job_id, None):
        shutil.rmtree(taken.folder, ignore_errors=True)


# -- the rate limits of all machines together: a lock of the scheduler for each domain ------------
#
# Whoever loads a page holds the lock as long as the next one has to wait. Thus no two clocks are
# compared, and what is held by a machine that is gone comes free when its lease times out
# (``distributed.scheduler.locks.lease-timeout``, 30 s by default).

PATIENCE = 2.0
"""Seconds that one request waits in the scheduler: it would still wait there, and get the lock, if
its machine were gone."""
_LOCKS: dict[str, Lock] = {}


def wait_for_domain(domain: str, seconds: float) -> None:
    """Wait until a page of the domain may be loaded; the next one may be ``seconds`` later. Called
    in a thread that knows its Dask worker."""
    with _GUARD:
        if domain not in _LOCKS:
            _LOCKS[domain] = Lock(f"bwa-rate-limit-{domain}")
        lock = _LOCKS[domain]
    while not lock.acquire(timeout=PATIENCE):
        pass
    release = threading.Timer(seconds, lock.release)
    release.daemon = True
    release.start()
