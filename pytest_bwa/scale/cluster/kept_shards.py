"""The run folders that came back from the workers, beside the run that is merged of them."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, Field

from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.files import make_folder, write_json
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.reviews import REVIEWS
from pytest_bwa.scale.cluster.job import OUTPUT, ChunkEnd, ExitStatus, shard_run_id
from pytest_bwa.steps.step import utc_now

SHARDS, RECORD = ".shards", "cluster.json"


class AttemptRecord(BaseModel):
    """One attempt to run a chunk. Exactly one of a chunk's attempts is ``kept``."""

    attempt: str
    worker: str
    started_at: str
    ended_at: str | None = None
    lost: str = ""
    """Why what it did does not count."""
    kept: bool = False
    continued_by: str | None = None
    """The attempt that went on with it after it was stopped."""
    exit_status: int | None = None
    cost_usd: float = 0.0


class ClusterRecord(BaseModel):
    """cluster.json: which attempt of each chunk counts, and what became of the others."""

    run_id: str
    spec_sha256: str
    samples_sha256: str
    samples: int
    chunks: int
    attempts: dict[int, list[AttemptRecord]] = Field(default_factory=dict)
    """By chunk, from 1."""


class KeptShards:
    """A folder with the shards of one run, and the record of how they came there."""

    def __init__(self, folder: Path, record: ClusterRecord) -> None:
        self.folder, self.record = folder, record
        self._finished: dict[int, int] = {}

    @classmethod
    def create(cls, folder: Path, record: ClusterRecord) -> KeptShards:
        """Raises EvidenceError."""
        make_folder(folder)
        kept = cls(folder, record)
        kept._write()
        return kept

    @classmethod
    def reopen(cls, folder: Path, spec_sha256: str, samples_sha256: str) -> KeptShards:
        """The shards of a run to go on with. Raises InputError for other input than its own."""
        try:
            record = ClusterRecord.model_validate_json((folder / RECORD).read_bytes())
        except (OSError, ValueError):
            raise InputError(
                f"{folder}: no run of a cluster can go on from here: it has no readable {RECORD}"
            ) from None
        if (record.spec_sha256, record.samples_sha256) != (spec_sha256, samples_sha256):
            raise InputError(f"{folder} was made of another spec or list: start a new run")
        kept = cls(folder, record)
        for chunk in set(kept._chunks()) - set(kept.open_chunks()):
            kept._count(chunk)
        return kept

    @property
    def samples(self) -> int:
        """Of the whole list."""
        return self.record.samples

    def folders(self) -> list[Path]:
        """The run folders of the chunks that came back, in the order of the chunks."""
        return [self._path(chunk) for chunk in self._chunks() if self._kept(chunk)]

    def missing(self) -> list[int]:
        """The chunks of which no run folder is there."""
        return [chunk for chunk in self._chunks() if not self._kept(chunk)]

    def open_chunks(self) -> list[int]:
        """Those that did not come back, and those of which a sample did not pass: as with pytest's
        --resume, samples that passed are not run again."""
        return [chunk for chunk in self._chunks() if self._is_open(chunk)]

    def finished_samples(self) -> int:
        """Of the chunks that came back and are not run on."""
        return sum(self._finished.values())

    def exit_statuses(self) -> set[int]:
        """Of the attempts that count."""
        kept = (self._kept(chunk) for chunk in self._chunks())
        return {found.exit_status or 0 for found in kept if found}

    def lost_attempts(self) -> list[AttemptRecord]:
        return [a for attempts in self.record.attempts.values() for a in attempts if a.lost]

    def begin(self, chunk: int, worker: str) -> str:
        """Note an attempt; returns its name."""
        before = self.record.attempts.setdefault(chunk, [])
        attempt = f"{chunk}.{len(before) + 1}"
        before.append(AttemptRecord(attempt=attempt, worker=worker, started_at=utc_now()))
        self._write()
        return attempt

    def earlier(self, chunk: int) -> Path | None:
        """The run folder of a chunk that was stopped, with which its next attempt goes on."""
        return self._path(chunk) if self._kept(chunk) else None

    def lose(self, attempt: str, why: str, cost_usd: float) -> None:
        """What the attempt did does not count."""
        found = self._attempt(attempt)
        found.ended_at, found.lost, found.cost_usd = utc_now(), why, cost_usd
        self._write()

    def take(self, end: ChunkEnd, fetch: Callable[[ChunkEnd, Path], None], cost_usd: float) -> None:
        """Let ``fetch`` write the packed run folder of an attempt, and keep it as the chunk's. What
        fetch raises, and EvidenceError."""
        packed, place = self.folder / "fetched.tar", self.folder / "fetched"
        shutil.rmtree(place, ignore_errors=True)
        try:
            fetch(end, packed)
            with tarfile.open(packed) as archive:
                archive.extractall(place, filter="data")
            path = self._path(end.chunk)
            shutil.rmtree(path, ignore_errors=True)
            (place / path.name).replace(path)
            (place / OUTPUT).replace(path.with_suffix(".txt"))
        except (OSError, tarfile.TarError) as error:
            raise EvidenceError(f"chunk {end.chunk} cannot be kept: {error}") from error
        finally:
            packed.unlink(missing_ok=True)
            shutil.rmtree(place, ignore_errors=True)
        self._count(end.chunk)
        self._keep(end, cost_usd)

    def _count(self, chunk: int) -> None:
        self._finished[chunk] = sum(RunFolder(self._path(chunk)).record().results_out.values())

    def _keep(self, end: ChunkEnd, cost_usd: float) -> None:
        for earlier in self.record.attempts[end.chunk]:
            if earlier.kept:
                earlier.kept, earlier.continued_by = False, end.attempt
        found = self._attempt(end.attempt)
        found.ended_at, found.kept, found.cost_usd = utc_now(), True, cost_usd
        found.exit_status = end.exit_status
        self._write()

    def set_aside(self, merged: Path) -> None:
        """Keep the run that was merged before this session."""
        number = 1 + len(list(self.folder.glob("merged_before_*")))
        merged.rename(self.folder / f"merged_before_{number}")

    def finish(self, merged: Path) -> None:
        """All is in the merged run; only the record stays, beside it, and what people reviewed that
        was merged before."""
        with suppress(OSError):  # then the whole folder stays, which harms nobody
            (self.folder / RECORD).replace(merged.with_name(f"{merged.name}.{RECORD}"))
            for path in self.folder.iterdir():
                if path.is_file():
                    path.unlink()
                elif not (path / REVIEWS).exists():
                    shutil.rmtree(path)
            self.folder.rmdir()

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _chunks(self) -> range:
        return range(1, self.record.chunks + 1)

    def _path(self, chunk: int) -> Path:
        return self.folder / shard_run_id(self.record.run_id, chunk, self.record.chunks)

    def _kept(self, chunk: int) -> AttemptRecord | None:
        return next((a for a in self.record.attempts.get(chunk, ()) if a.kept), None)

    def _is_open(self, chunk: int) -> bool:
        kept = self._kept(chunk)
        return kept is None or kept.exit_status != ExitStatus.PASSED

    def _attempt(self, name: str) -> AttemptRecord:
        chunk = int(name.partition(".")[0])
        return next(a for a in self.record.attempts[chunk] if a.attempt == name)

    def _write(self) -> None:
        write_json(self.folder / RECORD, self.record, durable=False)
