"""Gives the chunks of a job to the workers of a cluster, until each has been run once."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pytest_bwa.errors import BwaError, InputError
from pytest_bwa.scale.cluster.job import ChunkEnd, ChunkProgress, ExitStatus
from pytest_bwa.scale.cluster.kept_shards import KeptShards
from pytest_bwa.steps.text import dollars, one_line

PERIOD = 0.5
"""Seconds between two looks at the workers."""
SHOW_PERIOD = 10.0
"""Seconds between two lines that say how far the run is."""
WORKERS_GONE = 300.0
"""Seconds to wait for other workers if none is left."""
MAX_LOSSES = 6
"""How often a chunk is lost with its worker before it is the chunk that is to blame."""


class ClusterLost(BwaError):
    """The scheduler is gone. What was fetched is kept."""


class AttemptLost(Exception):
    """What a worker made of a chunk cannot be fetched: the chunk is to be run again."""


@dataclass(frozen=True, slots=True)
class AttemptEnd:
    """An attempt to run a chunk came to an end: with what the worker says of it, or a problem; with
    neither if the worker was started anew in the meantime, at the same address."""

    attempt: str
    end: ChunkEnd | None
    problem: str = ""


class Cluster(Protocol):
    """The workers, by their addresses."""

    def workers(self) -> dict[str, int]: ...
    def refusals(self, addresses: Sequence[str]) -> dict[str, str]: ...
    def start(self, address: str, chunk: int, attempt: str, earlier: Path | None) -> None: ...
    def give_up(self, attempt: str) -> None: ...
    def ended(self, seconds: float) -> Iterable[AttemptEnd]: ...
    def fetch(self, end: ChunkEnd, target: Path) -> None: ...
    def stop(self, reason: str, *, at_once: bool) -> None: ...


class Coordinator:
    """Keeps what is waiting, what is running where, and what ended."""

    def __init__(
        self,
        cluster: Cluster,
        kept: KeptShards,
        say: Callable[[str], object],
        *,
        max_cost: float | None = None,
        is_interrupted: Callable[[], bool] = lambda: False,
    ) -> None:
        self._cluster, self._kept, self._say = cluster, kept, say
        self._max_cost, self._is_interrupted = max_cost, is_interrupted
        self._waiting = deque(kept.open_chunks())
        self._free: dict[str, int] = {}
        """The threads of each fit worker that have nothing to do."""
        self._fit: set[str] = set()
        """The workers that were not refused, also those that are gone."""
        self._refused: set[str] = set()
        self._running: dict[str, tuple[int, str]] = {}
        """The chunk and the worker of each attempt."""
        self._packed: deque[ChunkEnd] = deque()
        self._progress: dict[str, ChunkProgress] = {}
        self._losses: Counter[int] = Counter()
        self._was_there = time.monotonic()
        self._announced = (time.monotonic(), "")
        self._has_run = False
        """Whether any worker has run a chunk."""
        self.stop_reason = ""
        self.given_up: list[int] = []

    def take_progress(self, progress: ChunkProgress) -> None:
        """Called in a thread of the cluster's."""
        self._progress[progress.attempt] = progress

    def run(self) -> None:
        """Run all chunks, or as many as a stop allows. Raises InputError if the first workers all
        are refused, and ClusterLost."""
        while self._running or self._packed or (self._waiting and not self.stop_reason):
            self._look_at_workers()
            if self._refused and not self._fit and not self._has_run:
                raise InputError("no worker of the cluster can run this audit")
            self._check_limits()
            self._hand_out()
            for ended in self._cluster.ended(0.0 if self._packed else PERIOD):
                self._take(ended)
            if self._packed:
                self._fetch(self._packed.popleft())
            self._show()

    @property
    def spent(self) -> float:
        """US dollars, with what was spent on attempts that were lost."""
        return sum(progress.cost_usd for progress in list(self._progress.values()))

    def _look_at_workers(self) -> None:
        there = self._cluster.workers()
        # One that was refused in the meantime may still run another chunk.
        at_work = {address for _, address in self._running.values()}
        for address in sorted({*self._free, *at_work} - set(there)):
            self._lose_worker(address)
        new = [a for a in sorted(there) if a not in self._free and a not in self._refused]
        refusals = self._cluster.refusals(new) if new and not self.stop_reason else {}
        for address in new:
            if reason := refusals.get(address):
                self._refuse(address, reason)
            else:
                self._fit.add(address)
                self._free[address] = there[address]
        if self._free:
            self._was_there = time.monotonic()

    def _lose_worker(self, address: str) -> None:
        self._free.pop(address, None)
        for attempt in [a for a, (_, place) in self._running.items() if place == address]:
            self._cluster.give_up(attempt)
            chunk, _ = self._running.pop(attempt)
            self._run_again(chunk, attempt, f"its worker {address} is gone")

    def _refuse(self, address: str, reason: str) -> None:
        self._free.pop(address, None)
        self._fit.discard(address)
        self._refused.add(address)
        self._say(f"worker {address} is refused: {one_line(reason)}")

    def _hand_out(self) -> None:
        while self._waiting and not self.stop_reason:
            address = max(self._free, key=lambda a: self._free[a], default="")
            if not address or self._free[address] <= 0:
                return
            chunk = self._waiting.popleft()
            attempt = self._kept.begin(chunk, address)
            self._free[address] -= 1
            self._running[attempt] = chunk, address
            try:
                self._cluster.start(address, chunk, attempt, self._kept.earlier(chunk))
            except AttemptLost as problem:
                del self._running[attempt]
                self._run_again(chunk, attempt, str(problem))

    def _take(self, ended: AttemptEnd) -> None:
        if ended.attempt not in self._running:  # it was lost in the meantime
            return
        if ended.end is None and not ended.problem:
            self._lose_worker(self._running[ended.attempt][1])  # and ask it again
            return
        chunk, address = self._running.pop(ended.attempt)
        if address in self._free:
            self._free[address] += 1
        end = ended.end
        if end is None:
            self._refuse(address, ended.problem)
            self._run_again(chunk, ended.attempt, ended.problem)
        elif end.exit_status == ExitStatus.USAGE_ERROR:
            self._refuse(address, f"pytest cannot run there: {_last_line(end.output)}")
            self._run_again(chunk, ended.attempt, "pytest cannot run there")
        elif end.size and end.exit_status in set(ExitStatus):
            self._packed.append(end)
            self._has_run = True
        elif self.stop_reason:
            self._run_again(chunk, ended.attempt, "it was stopped before its first sample")
        else:
            why = f"its process ended with {end.exit_status}: {_last_line(end.output)}"
            self._run_again(chunk, ended.attempt, why)

    def _run_again(self, chunk: int, attempt: str, why: str) -> None:
        """Unless the run stops. Only the client decides this, so that no chunk is waiting and kept
        at once."""
        self._kept.lose(attempt, why, self._cost(attempt))
        self._losses[chunk] += 1
        if self._losses[chunk] > MAX_LOSSES:
            self.given_up.append(chunk)
            self._say(f"chunk {chunk} was lost {MAX_LOSSES + 1} times and is given up: {why}")
        elif self.stop_reason:
            self._say(f"chunk {chunk} is left for --resume: {why}")
        else:
            self._say(f"chunk {chunk} runs again: {why}")
            self._waiting.appendleft(chunk)

    def _fetch(self, end: ChunkEnd) -> None:
        try:
            self._kept.take(end, self._cluster.fetch, self._cost(end.attempt))
        except AttemptLost as problem:
            self._run_again(end.chunk, end.attempt, str(problem))
            return
        if end.exit_status == ExitStatus.INTERRUPTED and not self.stop_reason:
            self._stop(f"chunk {end.chunk} stopped: {_last_line(end.output)}", at_once=False)

    def _cost(self, attempt: str) -> float:
        known = self._progress.get(attempt)
        return known.cost_usd if known else 0.0

    def _check_limits(self) -> None:
        if self.stop_reason:
            return
        if self._is_interrupted():
            self._stop("interrupted", at_once=True)
        elif self._max_cost is not None and self.spent >= self._max_cost:
            reason = f"{dollars(self.spent)} spent of --max-cost {self._max_cost:g}"
            self._stop(reason, at_once=False)
        elif not self._free and time.monotonic() - self._was_there > WORKERS_GONE:
            self._stop("no worker is left", at_once=True)

    def _stop(self, reason: str, *, at_once: bool) -> None:
        self.stop_reason = reason
        self._say(f"stopping: {reason}")
        self._cluster.stop(reason, at_once=at_once)

    def _show(self) -> None:
        """A line from time to time, if something is new."""
        running = [p.finished for p in list(self._progress.values()) if p.attempt in self._running]
        finished = self._kept.finished_samples() + sum(running)
        cost = f", {dollars(self.spent)}" if self.spent else ""
        workers = len({address for _, address in self._running.values()})
        noun = "worker" if workers == 1 else "workers"
        line = f"{finished} of {self._kept.samples} samples{cost}; {workers} {noun}"
        now = time.monotonic()
        if line != self._announced[1] and now - self._announced[0] >= SHOW_PERIOD:
            self._say(line)
            self._announced = now, line


def _last_line(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "it wrote nothing"
