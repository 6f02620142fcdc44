"""The run folder: its records, and the samples that are running now."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.file_lock import check_locks, locked
from pytest_bwa.evidence.files import (
    HALF_WRITTEN,
    copy_digests,
    make_folder,
    replacing,
    to_json,
    write_atomically,
    write_json,
)
from pytest_bwa.evidence.integrity.chain import last_hash
from pytest_bwa.evidence.integrity.origin import PACKAGES, installed_packages
from pytest_bwa.evidence.item_report import ITEM_REPORT, ItemReport
from pytest_bwa.evidence.record import Checkpoint, SampleResult
from pytest_bwa.evidence.run_record import BrowserRecord, RunRecord
from pytest_bwa.evidence.writer import CHECKPOINT, LOG, RESULT
from pytest_bwa.spec.sample import folders_in_run, place_in_run
from pytest_bwa.spec.table.on_disk import sorted_names
from pytest_bwa.steps.step import Step, Usage, utc_now

RUN, SPEC, SAMPLES, COMBINED = "run.json", "task_spec.json", "samples.csv", "combined.csv"
PAGE = "index.html"
POPULATION = "population.csv"
COMBINED_XLSX = "combined.xlsx"
LIVE = ".live"
STEP_LINES = "steps"
"""The suffix of the file to which a worker adds a line after each step."""

Record = TypeVar("Record", bound=BaseModel)
Entry = TypeVar("Entry")


class LiveSample(BaseModel):
    """The sample that a worker is running now; its file is deleted when the sample is finished."""

    worker: str
    sample_id: str
    nodeid: str
    step: int = 0
    max_steps: int = 0
    action: str = ""
    state: str = ""
    """The state of the loop: PLANNING while the policy decides, EXECUTING while the page acts."""
    cost_usd: float | None = 0.0
    usage: Usage = Field(default_factory=Usage)
    """All model calls of the sample so far: what it had cost if its worker is killed."""
    policy: str = ""
    model: str = ""
    url: str = ""
    """The address of the page at the last step."""
    is_check: bool = False
    """Whether the sample has its result, and is run again to check it."""
    started_at: str = ""
    updated_at: str = ""


class RunFolder:
    """Reads and writes the files of one run; keeps nothing in memory but where samples lie."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fan_out: bool | None = None

    @classmethod
    def create(cls, root: Path, run_id: str) -> RunFolder:
        """Make a new folder below ``root``; if the name is taken, add ``_2``, ``_3``, …"""
        number = 1
        while True:
            name = run_id if number == 1 else f"{run_id}_{number}"
            try:
                root.mkdir(parents=True, exist_ok=True)
                check_locks(root)
                (root / name).mkdir()
            except FileExistsError:
                number += 1
                continue
            except OSError as error:
                raise EvidenceError(
                    f"cannot make a run folder in {root}: {error.strerror or error}; "
                    "pass --evidence with a folder that you may write to"
                ) from error
            return cls(root / name)

    def remove(self) -> None:
        """Remove a run that never began, and the folder of all runs if there is no other."""
        shutil.rmtree(self.path, ignore_errors=True)
        with suppress(OSError):
            self.path.parent.rmdir()

    def sample(self, sample_id: str) -> Path:
        """The folder of one sample."""
        return self.path / self.place(sample_id)

    def place(self, sample_id: str) -> str:
        """The sample's folder, relative to that of the run, with forward slashes."""
        if self._fan_out is None and (record := _read_run(self)) is not None:
            self._fan_out = record.fan_out  # no session changes it
        return place_in_run(sample_id, fan_out=bool(self._fan_out))

    # -- the records -------------------------------------------------------------------------

    def record(self) -> RunRecord:
        """run.json. Raises EvidenceError if it is missing or cannot be read."""
        record = _read(self.path / RUN, RunRecord)
        if record is None:
            raise EvidenceError(f"{self.path} is not a run folder: it has no readable {RUN}")
        return record

    def write_inputs(
        self,
        record: RunRecord,
        spec: Any,
        samples_csv: Iterable[str],
        population_csv: Iterable[str] = (),
    ) -> None:
        write_atomically(self.path / PACKAGES, installed_packages())
        write_atomically(self.path / SPEC, to_json(spec))
        self.write_list(samples_csv)
        copies = copy_digests(self.path, (SPEC, SAMPLES))
        if record.population:
            self.write_list(population_csv, POPULATION)
            copy = copy_digests(self.path, (POPULATION,))[POPULATION]
            population = record.population.model_copy(update=copy)
            record = record.model_copy(update={"population": population})
        spec_file = record.spec.model_copy(update=copies[SPEC])
        samples_file = record.samples.model_copy(update=copies[SAMPLES])
        files = {"spec": spec_file, "samples": samples_file}
        write_json(self.path / RUN, record.model_copy(update=files))

    def write_list(self, samples_csv: Iterable[str], name: str = SAMPLES) -> None:
        """Write samples.csv, or another list, of which these are the parts."""
        with replacing(self.path / name) as stream:
            stream.writelines(part.encode() for part in samples_csv)

    def update(self, **changes: Any) -> RunRecord:
        """Change these fields of run.json; return the new record."""
        return self._change(lambda record: changes)

    def add_browser(self, browser: BrowserRecord) -> RunRecord:
        """Name the browser in run.json, unless another worker has done it; return the record."""
        return self._change(lambda record: {"browsers": _with(record.browsers, browser)})

    def set_clock_offset(self, seconds: int) -> None:
        """Say in run.json how far the clock is off, unless another worker has done it."""

        def offset(record: RunRecord) -> dict[str, Any]:
            origin = record.origin
            if origin is None or origin.clock_offset_seconds is not None:
                return {}
            return {"origin": origin.model_copy(update={"clock_offset_seconds": seconds})}

        self._change(offset)

    def add_note(self, note: str) -> None:
        """Add a note about the run to run.json, unless it is there."""
        self._change(lambda record: {"notes": _with(record.notes, note)})

    def _change(self, changes_of: Callable[[RunRecord], dict[str, Any]]) -> RunRecord:
        """Change run.json, which no other process changes meanwhile. Raises EvidenceError."""
        with locked(self.path / RUN, self.path / LIVE / "run.lock"):
            record = self.record()
            changed = record.model_copy(update=changes_of(record))
            if changed != record:
                write_json(self.path / RUN, changed)
        return changed

    def result(self, sample_id: str) -> SampleResult | None:
        """The sample's result, or None if there is none that can be read."""
        return _read(self.sample(sample_id) / RESULT, SampleResult)

    def has_result(self, sample_id: str) -> bool:
        return (self.sample(sample_id) / RESULT).is_file()

    def item_report(self, sample_id: str) -> ItemReport | None:
        """What pytest said of the sample's test; None if it was killed before it said anything."""
        return _read(self.sample(sample_id) / ITEM_REPORT, ItemReport)

    def write_item_report(self, reported: ItemReport) -> None:
        write_json(self.sample(reported.sample_id) / ITEM_REPORT, reported, durable=False)

    def checkpoint(self, sample_id: str) -> Checkpoint | None:
        return _read(self.sample(sample_id) / CHECKPOINT, Checkpoint)

    def steps(self, sample_id: str) -> list[Step]:
        """The action log; empty if there is none that can be read."""
        try:
            return [Step.model_validate(entry) for entry in self._log(sample_id)]
        except ValueError:
            return []

    def log_hash(self, sample_id: str) -> str:
        """The end of the action log's chain; empty if there is none that can be read."""
        return last_hash(self._log(sample_id))

    def final_address(self, sample_id: str) -> str:
        """The address of the page on which the sample ended; empty if that is not known."""
        log = self._log(sample_id)
        return next((str(entry["url"]) for entry in reversed(log) if entry.get("url")), "")

    def _log(self, sample_id: str) -> list[dict[str, Any]]:
        """The entries of the action log; empty if it cannot be read as a list of them."""
        try:
            content = json.loads((self.sample(sample_id) / LOG).read_bytes())
        except (OSError, ValueError):
            return []
        is_log = isinstance(content, list) and all(isinstance(entry, dict) for entry in content)
        return content if is_log else []

    def finished(self, is_listed: Callable[[str], bool] = lambda name: True) -> Collection[str]:
        """The ids of all samples that have a result, sorted."""
        found = (p.name for p in folders_in_run(self.path) if (p / RESULT).is_file())
        return sorted_names(filter(is_listed, found))

    def results(self) -> Iterator[SampleResult]:
        """Every finished sample, sorted by sample_id."""
        return (found for name in self.finished() if (found := self.result(name)) is not None)

    # -- the running samples -----------------------------------------------------------------

    def write_live(self, live: LiveSample) -> None:
        """Write what a worker is doing; the controller reads it if the worker is killed. If it
        cannot be replaced because somebody reads it (on Windows), it keeps saying what was before:
        that costs no sample."""
        folder = self.path / LIVE
        make_folder(folder)
        updated = live.model_copy(update={"updated_at": utc_now()})
        path = folder / f"{live.worker}.json"
        try:
            write_json(path, updated, durable=False)
        except EvidenceError as error:
            if not (isinstance(error.__cause__, PermissionError) and path.exists()):
                raise

    def remove_live(self, worker: str) -> None:
        """Delete a worker's file: its sample is finished."""
        with suppress(OSError):  # the run's end deletes the folder
            (self.path / LIVE / f"{worker}.json").unlink()

    def add_step_line(self, worker: str, line: str) -> None:
        """Note a step for those who follow the run; nothing depends on it."""
        with suppress(OSError), (self.path / LIVE / f"{worker}.{STEP_LINES}").open("ab") as stream:
            stream.write(f"{line}\n".encode(errors="replace"))

    def live_samples(self) -> list[LiveSample]:
        """What each worker is doing, or was doing when it was killed."""
        paths = sorted((self.path / LIVE).glob("*.json"))
        return [live for p in paths if (live := _read(p, LiveSample)) is not None]

    def remove_live_files(self) -> None:
        """Delete the files that are only needed while the run lasts, and those that a killed
        process had not written to the end."""
        shutil.rmtree(self.path / LIVE, ignore_errors=True)
        for path in self.path.rglob(HALF_WRITTEN):
            with suppress(OSError):  # it disturbs nobody: the manifest names it
                path.unlink()


def find_run(root: Path, name: str = "") -> RunFolder:
    """The run called ``name`` (a path, or a name below ``root``); without a name the newest.

    Raises InputError if there is none.
    """
    if not name:
        if latest := latest_run(root):
            return latest
        raise InputError(f"there is no run in {root}")
    for path in (Path(name), root / name):
        if (path / RUN).is_file():
            return RunFolder(path)
    raise InputError(f"{name}: no such run folder")


def latest_run(root: Path) -> RunFolder | None:
    """The newest run folder below ``root`` by its start time, or None."""
    return next((run for run, _ in runs_in(root)), None)


def runs_in(root: Path) -> list[tuple[RunFolder, RunRecord]]:
    """The runs below ``root`` whose run.json can be read, the newest first."""
    found = [RunFolder(path.parent) for path in root.glob(f"*/{RUN}")]
    runs = [(run, record) for run in found if (record := _read_run(run))]
    return sorted(runs, key=lambda run: (run[1].started_at, run[0].path.name), reverse=True)


def _read_run(run: RunFolder) -> RunRecord | None:
    return _read(run.path / RUN, RunRecord)


def _read(path: Path, kind: type[Record]) -> Record | None:
    """The record, or None if the file is missing or does not hold one."""
    try:
        return kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _with(entries: list[Entry], one: Entry) -> list[Entry]:
    return entries if one in entries else [*entries, one]
