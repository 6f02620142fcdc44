"""The samples list: checked before any browser starts; nothing is renamed or dropped."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.load import nearest
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.rows import read_rows
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec

MOST_ID_CHARACTERS = 100
_SAFE_ID = re.compile(r"[A-Za-z0-9_-](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?")
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10)}
_RUN_FOLDER = {
    "memory", "run.json", "task_spec.json", "generated_task_spec.json", "samples.csv",
    "discovered_samples.csv", "combined.csv", "trajectory.db",
}  # fmt: skip
_CHECKS: dict[str, Callable[[str], object]] = {
    "number": lambda text: float(text.replace(",", "")),
    "integer": int,
    "date": date.fromisoformat,
}


@dataclass(frozen=True, slots=True)
class SampleList:
    """Samples in file order. ``notes`` are sentences that the header of the run shows."""

    samples: tuple[Sample, ...]
    columns: tuple[str, ...]
    source: str
    sha256: str
    notes: tuple[str, ...] = ()

    def to_csv(self) -> str:
        """The same list as CSV: comma-separated, LF, sample_id first."""
        columns = ["sample_id", *(c for c in self.columns if c != "sample_id")]
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([sample.columns[c] for c in columns] for sample in self.samples)
        return out.getvalue()

    def get(self, sample_id: str) -> Sample:
        return next(s for s in self.samples if s.sample_id == sample_id)


def load_samples(path: Path, task: TaskSpec) -> SampleList:
    """Every fault is a SamplesError that names the file, the row and the column."""
    read = read_rows(path)
    notes = list(read.notes)
    made = "sample_id" not in read.header
    if made:
        close = nearest("sample_id", [c for c in read.header if c.lower().replace(" ", "") != c])
        notes.append(f"{path.name}: no sample_id column{close}: ids are made from the row numbers")
    samples = []
    for row, cells in read.rows:
        columns = dict(zip(read.header, cells, strict=True))
        if made:
            columns["sample_id"] = f"row_{row}"
        columns["sample_id"] = columns["sample_id"].strip()
        samples.append(Sample(columns["sample_id"], columns, row))
    _check_ids(path, samples)
    _check_columns(path, read.header, samples, task)
    for name in task.xfail:
        if all(name != sample.sample_id for sample in samples):
            hint = nearest(name, [s.sample_id for s in samples])
            raise SamplesError(
                f'the spec\'s xfail names "{name}", which is no sample{hint}', file=path
            )
    columns_all = read.header if not made else ("sample_id", *read.header)
    return SampleList(tuple(samples), columns_all, str(path), read.sha256, tuple(notes))


def one_sample(url: str) -> SampleList:
    """The list of ``--url``: one sample, its id made from the address."""
    parts = urlsplit(url)
    raw = f"{parts.netloc}{parts.path}".strip("/")
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", raw).strip("_")[:60] or "sample"
    sample = Sample(name, {"sample_id": name, "url": url}, 2)
    digest = hashlib.sha256(url.encode()).hexdigest()
    listed = SampleList((sample,), ("sample_id", "url"), url, digest)
    _check_url("--url", sample)
    return listed


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
                f'"{sample.sample_id}" {what} in row {twin.row}',
                file=path,
                row=sample.row,
                column="sample_id",
            )


def _unsafe(name: str) -> str:
    """Why ``name`` cannot be a folder of the run; empty if it can."""
    if not name:
        return "is empty: every sample needs an id"
    if len(name) > MOST_ID_CHARACTERS:
        return f"has {len(name)} characters; {MOST_ID_CHARACTERS} are the most"
    if not _SAFE_ID.fullmatch(name):
        return f'"{name}" is no safe folder name: use letters, digits, ".", "_" and "-"'
    if name.casefold().split(".")[0] in _DEVICES or name.casefold() in _RUN_FOLDER:
        return f'"{name}" is a name that the run folder or Windows keeps for itself'
    return ""


def _check_columns(
    path: Path, header: Sequence[str], samples: Sequence[Sample], task: TaskSpec
) -> None:
    schema = OutputSchema(task.input_schema)
    for name in task.input_schema:
        if name not in header:
            hint = nearest(name, header) or f" (columns: {', '.join(header)})"
            raise SamplesError(f"the column is missing{hint}", file=path, row=1, column=name)
    placeholders.check(task, ["sample_id", *header], task.task_id)
    for sample in samples:
        _check_url(path, sample)
        for name in task.input_schema:
            if problem := _unfit(sample.columns[name].strip(), schema.kinds(name)):
                raise SamplesError(problem, file=path, row=sample.row, column=name)


def _unfit(text: str, kinds: frozenset[str]) -> str:
    if not text:
        return "" if "null" in kinds else "is empty; input_schema allows no null here"
    checked = {kind: _CHECKS[kind] for kind in kinds if kind in _CHECKS}
    if not checked or kinds & {"string", "boolean", "array", "object"}:
        return ""
    for check in checked.values():
        try:
            check(text)
        except ValueError:
            continue
        return ""
    return f'"{text[:60]}" is no {" or ".join(sorted(checked))}'


def _check_url(path: Path | str, sample: Sample) -> None:
    url = (sample.url or "").strip()
    parts = urlsplit(url)
    if url and parts.scheme not in ("", "http", "https"):
        raise SamplesError(
            f'"{url[:80]}" is no web address', file=path, row=sample.row, column="url"
        )


def columns_of(sample: Sample, secrets: Sequence[str] = ()) -> Mapping[str, str]:
    """The sample's own columns as reports and prompts may show them: secrets masked, and
    without what is only said to pytest."""
    return {
        name: "***" if name in secrets and value else value
        for name, value in sample.columns.items()
        if name != "xfail"
    }
