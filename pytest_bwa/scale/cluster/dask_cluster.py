"""The workers of a Dask cluster, as ``coordinator.py`` needs them."""

from __future__ import annotations

import hashlib
import queue
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask
from distributed import Client, Future, LocalCluster

from pytest_bwa.errors import InputError
from pytest_bwa.scale.cluster import local_worker, worker
from pytest_bwa.scale.cluster.admission import version_question, why_not_this_version
from pytest_bwa.scale.cluster.coordinator import AttemptEnd, AttemptLost, ClusterLost
from pytest_bwa.scale.cluster.job import ChunkEnd, ChunkProgress, Job

CONNECT = 30
"""Seconds until the scheduler must have answered."""
KEEP_WORKERS = {"distributed.deploy.lost-worker-timeout": "24h"}
"""Dask looks 15 seconds after a death whether a local worker has been started again. One that has
died a second time just then would never come back."""
PIECE = 4 * 1024 * 1024
"""Bytes of a run folder that are fetched at a time."""


@contextmanager
def connected(scheduler: str | None, local: int) -> Iterator[Client]:
    """A client of the scheduler, or of a cluster of processes on this machine. Raises InputError if
    the scheduler does not answer."""
    if scheduler is None:
        with (
            dask.config.set(KEEP_WORKERS),
            LocalCluster(
                n_workers=local,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",  # None would take port 8787
                memory_limit=0,
                preload=[local_worker.__name__],
            ) as cluster,
            Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = Client(scheduler, timeout=CONNECT)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"the Dask scheduler {scheduler} cannot be reached: {error}") from error
    with client:
        yield client


def wait_for_threads(client: Client) -> int:
    """How many threads the workers have, when the first is there. Raises InputError."""
    try:
        client.wait_for_workers(1, timeout=CONNECT)
    except TimeoutError:
        raise InputError("the Dask cluster has no worker: start one with dask worker") from None
    return sum(client.nthreads().values())


class DaskCluster:
    """Runs each attempt on the worker that it is given to: which ones are fit, and what is run
    again, is not left to Dask, which cannot ask a worker before it gets work."""

    def __init__(self, client: Client, job: Job) -> None:
        self._client, self._job = client, job
        self._running: dict[str, Future[Any]] = {}
        self._places: dict[str, str] = {}
        """By their attempt, the workers that run them or keep what came of them."""
        self._ended: queue.SimpleQueue[str] = queue.SimpleQueue()

    def on_progress(self, take: Callable[[ChunkProgress], None]) -> None:
        """Call ``take``, in a thread of the client's, when a worker says how far it is."""
        topic = worker.topic(self._job.job_id)
        self._client.subscribe_topic(topic, lambda event: take(ChunkProgress(*event[1])))

    def workers(self) -> dict[str, int]:
        """The threads of each worker that is there now. Raises ClusterLost."""
        with _scheduler_answers():
            return dict(self._client.nthreads())

    def refusals(self, addresses: Sequence[str]) -> dict[str, str]:
        """Ask new workers to take the job; for each that does not, why. One that has gone in the
        meantime is among these."""
        refused: dict[str, str] = {}
        found = self._ask(addresses, version_question())
        for address in addresses:
            answer = found.get(address, "it is gone")
            versions = answer if isinstance(answer, dict) else {}
            reason = why_not_this_version(versions) if versions else f"it did not answer: {answer}"
            if reason:
                refused[address] = _with_host(versions, reason)
        fit = [address for address in addresses if address not in refused]
        for address, answer in self._ask(fit, worker.take, self._job).items():
            if answer != "":
                refused[address] = _with_host(found[address], str(answer))
        return refused

    def _ask(self, addresses: Sequence[str], question: Callable[..., Any], *given: Any) -> Any:
        """The answers of the workers that are there; an exception is an answer, too. Raises
        ClusterLost."""
        # To connect to a worker that is gone takes as long as Dask's timeout, and none means all.
        there = [address for address in addresses if address in self.workers()]
        if not there:
            return {}
        with _scheduler_answers():
            return self._client.run(question, *given, workers=there, on_error="return")

    def start(self, address: str, chunk: int, attempt: str, earlier: Path | None) -> None:
        """Let a worker run a chunk, or go on with the run folder of an ``earlier`` attempt that was
        stopped. Raises AttemptLost if the worker is gone."""
        job_id = self._job.job_id
        if earlier is not None:
            self._send(address, attempt, earlier)
        future = self._client.submit(
            worker.run_chunk,
            job_id,
            chunk,
            attempt,
            key=f"bwa-{job_id}-{attempt}",
            workers=[address],
            allow_other_workers=False,
            pure=False,
        )
        self._running[attempt], self._places[attempt] = future, address
        future.add_done_callback(lambda _: self._ended.put(attempt))

    def give_up(self, attempt: str) -> None:
        """Its worker is gone."""
        if future := self._running.pop(attempt, None):
            future.cancel()

    def ended(self, seconds: float) -> Iterator[AttemptEnd]:
        """The attempts that came to an end, waiting for the first one at most so long."""
        try:
            attempts = [self._ended.get(timeout=seconds)]
        except queue.Empty:
            return
        while not self._ended.empty():
            attempts.append(self._ended.get())
        for attempt in attempts:
            future = self._running.pop(attempt, None)
            if future is not None:  # else it was given up
                yield AttemptEnd(attempt, *_outcome(future))

    def fetch(self, end: ChunkEnd, target: Path) -> None:
        """Write the packed folder of a chunk into a file, and let the worker remove its own. Raises
        AttemptLost if the worker is gone, and OSError if the file cannot be written."""
        job_id, digest, place = self._job.job_id, hashlib.sha256(), self._places[end.attempt]
        with target.open("wb") as packed:
            for offset in range(0, end.size, PIECE):
                piece = self._from(place, worker.read_piece, job_id, end.attempt, offset, PIECE)
                digest.update(piece)
                packed.write(piece)
        if digest.hexdigest() != end.sha256:
            raise AttemptLost("what its worker sent is not what it had packed")
        self._from(place, worker.remove_chunk, job_id, end.attempt)

    def _send(self, address: str, attempt: str, folder: Path) -> None:
        with tempfile.TemporaryFile() as packed:
            with tarfile.open(fileobj=packed, mode="w") as archive:
                archive.add(folder, arcname=folder.name)
            packed.seek(0)
            while piece := packed.read(PIECE):
                self._from(address, worker.write_piece, self._job.job_id, attempt, piece)

    def _from(self, address: str, function: Callable[..., Any], *given: Any) -> Any:
        """A worker's answer. Raises AttemptLost."""
        answers = self._ask([address], function, *given)
        if address not in answers:
            raise AttemptLost(f"its worker {address} is gone")
        if isinstance(answer := answers[address], Exception):
            raise AttemptLost(f"its worker {address} does not answer: {answer}")
        return answer

    def stop(self, reason: str, *, at_once: bool) -> None:
        """Let no further sample begin, on any worker."""
        addresses = sorted({self._places[attempt] for attempt in self._running})
        self._ask(addresses, worker.stop, self._job.job_id, reason, at_once)

    def forget(self) -> None:
        """The run is over: the workers remove what they have of it."""
        self._ask(list(self.workers()), worker.forget, self._job.job_id)


@contextmanager
def _scheduler_answers() -> Iterator[None]:
    """Raises ClusterLost if it does not."""
    try:
        yield
    except (OSError, TimeoutError) as error:
        raise ClusterLost(f"the Dask scheduler does not answer: {error}") from error


def _outcome(future: Future[Any]) -> tuple[ChunkEnd | None, str]:
    """What the worker said of the chunk, or why it said nothing: nothing at all if Dask has lost
    sight of it."""
    if future.status == "finished":
        return future.result(), ""
    if future.status == "error":
        error = future.exception()
        return None, f"{type(error).__name__}: {error}"
    return None, ""


def _with_host(versions: Any, reason: str) -> str:
    host = versions.get("host") if isinstance(versions, dict) else None
    return f"on {host}: {reason}" if host else reason
