"""The run folder: what is in it, and who is at work in it (DESIGN 4.4)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.files import write_json, write_whole
from pytest_bwa.evidence.record import Checkpoint, RunRecord, SampleResult
from pytest_bwa.evidence.writer import CHECKPOINT, LOG, RESULT
from pytest_bwa.steps import Step, utc_now

RUN, SPEC, SAMPLES, COMBINED = "run.json", "task_spec.json", "samples.csv", "combined.csv"
LIVE = ".live"

Record = TypeVar("Record", bound=BaseModel)


class LiveSample(BaseModel):
    """What one worker is doing now; a file of its own, gone when the sample is finished."""

    worker: str
    sample_id: str
    nodeid: str
    step: int = 0
    max_steps: int = 0
    action: str = ""
    cost_usd: float | None = 0.0
    policy: str = ""
    model: str = ""
    started_at: str = ""
    updated_at: str = ""


class RunFolder:
    """Reads and writes the files of one run; holds nothing that is not on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, root: Path, run_id: str) -> RunFolder:
        """A new folder below ``root``; a name that is taken gets ``_2``, ``_3``, …"""
        number = 1
        while True:
            name = run_id if number == 1 else f"{run_id}_{number}"
            try:
                root.mkdir(parents=True, exist_ok=True)
                (root / name).mkdir()
            except FileExistsError:
                number += 1
                continue
            except OSError as error:
                raise EvidenceError(
                    f"cannot make a run folder in {root}: {error.strerror or error}; "
                    "pass --evidence with a folder that can be written"
                ) from error
            return cls(root / name)

    def sample(self, sample_id: str) -> Path:
        return self.path / sample_id

    # -- the records -------------------------------------------------------------------------

    def record(self) -> RunRecord:
        """run.json; EvidenceError where there is none that can be read."""
        found = _read(self.path / RUN, RunRecord)
        if found is None:
            raise EvidenceError(f"{self.path} is no run folder: it has no readable {RUN}")
        return found

    def write_inputs(self, record: RunRecord, spec: Any, samples_csv: str) -> None:
        write_json(self.path / SPEC, spec)
        write_whole(self.path / SAMPLES, samples_csv.encode())
        write_json(self.path / RUN, record)

    def update(self, **changes: Any) -> RunRecord:
        """run.json with these fields changed."""
        record = self.record().model_copy(update=changes)
        write_json(self.path / RUN, record)
        return record

    def result(self, sample_id: str) -> SampleResult | None:
        """The sample's result, or None while there is none that can be read."""
        return _read(self.sample(sample_id) / RESULT, SampleResult)

    def checkpoint(self, sample_id: str) -> Checkpoint | None:
        return _read(self.sample(sample_id) / CHECKPOINT, Checkpoint)

    def steps(self, sample_id: str) -> list[Step]:
        """The action log; empty while there is none."""
        try:
            content = json.loads((self.sample(sample_id) / LOG).read_bytes())
            return [Step.model_validate(entry) for entry in content]
        except (OSError, ValueError):
            return []

    def results(self) -> Iterator[SampleResult]:
        """Every finished sample, sorted by sample_id."""
        folders = sorted(p.parent.name for p in self.path.glob(f"*/{RESULT}"))
        return (found for name in folders if (found := self.result(name)) is not None)

    # -- who is at work ----------------------------------------------------------------------

    def announce(self, live: LiveSample) -> None:
        """Say what a worker is doing; the controller reads it if the worker is killed."""
        folder = self.path / LIVE
        folder.mkdir(exist_ok=True)
        fresh = live.model_copy(update={"updated_at": utc_now()})
        write_json(folder / f"{live.worker}.json", fresh, durable=False)

    def retire(self, worker: str) -> None:
        (self.path / LIVE / f"{worker}.json").unlink(missing_ok=True)

    def live(self) -> list[LiveSample]:
        """What every worker is doing; read from disk, so it also tells what a dead one did."""
        paths = sorted((self.path / LIVE).glob("*.json"))
        return [found for p in paths if (found := _read(p, LiveSample)) is not None]

    def sweep(self) -> None:
        """Remove what only lives while the run does."""
        shutil.rmtree(self.path / LIVE, ignore_errors=True)


def find_run(root: Path, name: str = "") -> RunFolder:
    """The run called ``name`` (a path, or a name below ``root``), else the newest. InputError
    where there is none."""
    if not name:
        if found := latest_run(root):
            return found
        raise InputError(f"there is no run in {root}")
    for path in (Path(name), root / name):
        if (path / RUN).is_file():
            return RunFolder(path)
    raise InputError(f"{name}: there is no such run folder")


def latest_run(root: Path) -> RunFolder | None:
    """The newest run folder below ``root`` by its start time, or None."""
    runs = [RunFolder(p.parent) for p in root.glob(f"*/{RUN}")]
    dated = [(record.started_at, run.path.name, run) for run in runs if (record := _read_run(run))]
    return max(dated, default=(None, None, None), key=lambda entry: entry[:2])[2]


def _read_run(run: RunFolder) -> RunRecord | None:
    return _read(run.path / RUN, RunRecord)


def _read(path: Path, kind: type[Record]) -> Record | None:
    """None for a file that is missing or was not written by us; a reader never fails on it."""
    try:
        return kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
