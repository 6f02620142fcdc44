"""A whole run: run.json and the tables against the results, and every sample's folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_bwa.errors import BwaError
from pytest_bwa.evidence.folder import RUN, SAMPLES, SPEC, RunFolder
from pytest_bwa.evidence.integrity.manifest import MANIFEST, below, sample_folders
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import FileRecord, RunRecord
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.reports.base import FinishedRun, load_run_task
from pytest_bwa.spec.samples import SampleList, read_samples
from pytest_bwa.verify.fault import Fault, Unreadable, read_record
from pytest_bwa.verify.files import check_files
from pytest_bwa.verify.sample import check_sample
from pytest_bwa.verify.tables import check_tables


def check_run(folder: Path, digests: Mapping[str, str]) -> Iterator[Fault]:
    """What does not fit in a run; ``digests`` are those of its files."""
    for place in sample_folders(folder):
        # Without a manifest of the run, those of the samples are not there either.
        if (folder / MANIFEST).is_file():
            own = {n: d for n, d in below(place.name, digests).items() if n != MANIFEST}
            yield from (fault.below(place.name) for fault in check_files(place, own))
        yield from (fault.below(place.name) for fault in check_sample(place))
    try:
        record = read_record(folder / RUN, RunRecord)
    except Unreadable as problem:
        yield Fault(RUN, str(problem))
        return
    yield from _check_copy(SPEC, record.spec, digests)
    yield from _check_copy(SAMPLES, record.samples, digests)
    run = RunFolder(folder)
    results = {p.name: r for p in sample_folders(folder) if (r := run.result(p.name))}
    try:
        samples = read_samples(folder / SAMPLES)
    except (BwaError, OSError) as problem:
        yield Fault(SAMPLES, f"cannot be read: {problem}")
        return
    yield from _check_names(record, samples, results)
    yield from _check_counts(record, samples, results)
    try:
        task = load_run_task(run, record)
    except (BwaError, OSError) as problem:
        yield Fault(SPEC, f"cannot be read: {problem}")
        return
    yield from check_tables(FinishedRun(run, record, task, samples, tuple(results.values())))


def _check_copy(name: str, record: FileRecord, digests: Mapping[str, str]) -> Iterator[Fault]:
    if record.copy_sha256 is None:
        yield Fault(RUN, f"has no SHA-256 of {name}: it is from an earlier version, or was changed")
    elif name in digests and digests[name] != record.copy_sha256:
        yield Fault(name, f"has another SHA-256 than {RUN} says")


def _check_names(
    record: RunRecord, samples: SampleList, results: Mapping[str, SampleResult]
) -> Iterator[Fault]:
    listed = {sample.sample_id for sample in samples.samples}
    for name, result in results.items():
        file = f"{name}/{RESULT}"
        if result.sample_id != name:
            yield Fault(file, f"is the result of the sample {result.sample_id}")
        if name not in listed:
            yield Fault(file, f"is of a sample that {SAMPLES} does not have")
        if result.task_id != record.task_id:
            yield Fault(file, f"is of the task {result.task_id}, and the run is of another")


def _check_counts(
    record: RunRecord, samples: SampleList, results: Mapping[str, SampleResult]
) -> Iterator[Fault]:
    if record.finished_at is None:
        yield Fault(RUN, "has no end: the run is still running, or was killed")
        return
    rows = len(samples.samples)
    found = dict(Counter(result.status for result in results.values()))
    counts = {
        "samples_in": (record.samples_in, rows),
        "samples.rows": (record.samples.rows, rows),
        "results_out": (record.results_out, found),
        "not_run": (record.not_run, rows - len(results)),
    }
    for key, (recorded, counted) in counts.items():
        if recorded != counted:
            yield Fault(RUN, f"{key} is {recorded}, and the folder has {counted}")
