"""The samples list: checked before any browser starts; nothing is renamed or dropped."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.columns import check_columns
from pytest_bwa.spec.messages import quoted, shown
from pytest_bwa.spec.rows import read_rows
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.secrets import MASK
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.spec.urls import url_problem

MAX_ID_CHARACTERS = 100
RESERVED_COLUMNS = ("sample_id", "url", "xfail")
_SAFE_ID = re.compile(r"[A-Za-z0-9_-](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?")
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10)}
_RUN_FOLDER = {
    "memory", "run.json", "task_spec.json", "generated_task_spec.json", "samples.csv",
    "discovered_samples.csv", "combined.csv", "trajectory.db",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SampleList:
    """Samples in file order. ``notes`` are sentences that the header of the run shows."""

    samples: tuple[Sample, ...]
    columns: tuple[str, ...]
    source: str
    sha256: str
    notes: tuple[str, ...] = ()

    def to_csv(self) -> str:
        """The same list as CSV, values as they are: comma-separated, CRLF, sample_id first."""
        columns = ["sample_id", *(c for c in self.columns if c != "sample_id")]
        out = io.StringIO(newline="")
        # CRLF: the writer quotes only the line ends that it writes, and a cell may hold either.
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(columns)
        writer.writerows([sample.columns[c] for c in columns] for sample in self.samples)
        return out.getvalue()

    def get(self, sample_id: str) -> Sample:
        return next(s for s in self.samples if s.sample_id == sample_id)


def load_samples(path: Path, task: TaskSpec, *, spec: Path | None = None) -> SampleList:
    """Every fault is a SamplesError that names the file, the row and the column; a placeholder
    that is no column is a SpecError, which names ``spec`` if it is given."""
    listed = read_samples(path, _names_expected(task))
    placeholders.check(task, listed.columns, spec or task.task_id)
    notes = check_columns(path, listed.columns, listed.samples, task)
    return SampleList(
        listed.samples, listed.columns, listed.source, listed.sha256, (*listed.notes, *notes)
    )


def read_samples(path: Path, known: Sequence[str] = RESERVED_COLUMNS) -> SampleList:
    """The list by itself, not held against a task: rows and ids are sound. For a list that was
    checked when its run began, and for one that has no task yet."""
    read = read_rows(path, known)
    notes = [*read.notes, *_lookalikes(path, read.header, known)]
    made = "sample_id" not in read.header
    if made:
        notes.append(f"{path.name}: no sample_id column: ids are made from the row numbers")
    samples = []
    for row, cells in read.rows:
        columns = {"sample_id": f"row_{row}"} if made else {}
        columns.update(zip(read.header, cells, strict=True))
        samples.append(Sample(columns["sample_id"], columns, row))
    _check_ids(path, samples)
    header = ("sample_id", *read.header) if made else read.header
    return SampleList(tuple(samples), header, str(path), read.sha256, tuple(notes))


def one_sample(url: str) -> SampleList:
    """The list of ``--url``: one sample, its id made from the address."""
    if problem := url_problem(url):
        raise SamplesError(f"{quoted(url)} {problem}", file="--url")
    parts = urlsplit(url)
    raw = f"{parts.netloc.rpartition('@')[2]}{parts.path}"
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", raw).strip("_")[:60] or "sample"
    if _unsafe(name):
        name = f"url_{name}"
    sample = Sample(name, {"sample_id": name, "url": url}, 2)
    digest = hashlib.sha256(url.encode()).hexdigest()
    return SampleList((sample,), ("sample_id", "url"), url, digest)


def columns_of(sample: Sample, secrets: Sequence[str] = ()) -> Mapping[str, str]:
    """The sample's own columns as reports and prompts may show them: secrets masked, and
    without what is only said to pytest."""
    return {
        name: MASK if name in secrets and value else value
        for name, value in sample.columns.items()
        if name != "xfail"
    }


def _names_expected(task: TaskSpec) -> tuple[str, ...]:
    used = [
        name for key in placeholders.FILLED for name in placeholders.names(getattr(task, key) or "")
    ]
    return (*RESERVED_COLUMNS, *task.input_schema, *used)


def _lookalikes(path: Path, header: Sequence[str], known: Sequence[str]) -> list[str]:
    """ "Sample ID" is no sample_id: made-up ids in its place would be a bad surprise."""
    notes = []
    for reserved in RESERVED_COLUMNS:
        for name in header:
            same = re.sub(r"[^a-z0-9]", "", name.casefold()) == reserved.replace("_", "")
            if reserved in header or not same or name in known:
                continue
            if reserved == "sample_id":
                raise SamplesError(
                    'rename the column to "sample_id"', file=path, row=1, column=shown(name)
                )
            notes.append(
                f'{path.name}: the column "{shown(name)}" is not read as "{reserved}"; rename it'
            )
    return notes


def _check_ids(path: Path, samples: Sequence[Sample]) -> None:
    seen: dict[str, Sample] = {}
    for sample in samples:
        if problem := _unsafe(sample.sample_id):
            raise SamplesError(problem, file=path, row=sample.row, column="sample_id")
        twin = seen.setdefault(sample.sample_id.casefold(), sample)
        if twin is not sample:
            same = twin.sample_id == sample.sample_id
            what = "is there already" if same else f'differs only by case from "{twin.sample_id}"'
            raise SamplesError(
                f'"{sample.sample_id}" {what} in row {twin.row}; rename one',
                file=path,
                row=sample.row,
                column="sample_id",
            )


def _unsafe(name: str) -> str:
    """Why ``name`` cannot be a folder of the run; empty if it can."""
    if not name.strip():
        return "is empty: every sample needs an id"
    if len(name) > MAX_ID_CHARACTERS:
        return f"has {len(name)} characters; {MAX_ID_CHARACTERS} are the most"
    if not _SAFE_ID.fullmatch(name):
        return (
            f'{quoted(name)} is no safe folder name: use letters, digits, ".", "_" and "-", '
            "with no dot at either end"
        )
    if name.casefold().split(".")[0] in _DEVICES or name.casefold() in _RUN_FOLDER:
        return f'"{name}" is a name that the run folder or Windows keeps for itself'
    return ""
