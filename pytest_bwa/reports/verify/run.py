"""A whole run: run.json and the tables against the results, and every sample's folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from pytest_bwa.errors import BwaError
from pytest_bwa.evidence.checks import check_of, names_of
from pytest_bwa.evidence.expected import compared
from pytest_bwa.evidence.folder import POPULATION, RUN, SAMPLES, SPEC, RunFolder
from pytest_bwa.evidence.integrity.manifest import MANIFEST, Part, parts_of
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.result_reader import CHECKS, Checks, StoredResults
from pytest_bwa.evidence.run_record import FileRecord, PopulationRecord, RunRecord
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.reports.base import FinishedRun, load_run_task
from pytest_bwa.reports.verify.fault import Fault, Unreadable, read_record
from pytest_bwa.reports.verify.files import ManifestCheck, check_own_manifest
from pytest_bwa.reports.verify.sample import check_sample, read_sample
from pytest_bwa.reports.verify.shards import check_shards
from pytest_bwa.reports.verify.tables import check_tables
from pytest_bwa.spec.draw import Draw
from pytest_bwa.spec.known import known_values
from pytest_bwa.spec.samples import SampleList, read_samples
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.spec.typed_secrets import is_redacted


class RunCheck:
    """Goes through the files of a run once, one sample after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = 0
        self.samples = 0
        self.system_files: list[str] = []
        self._unreadable: list[Fault] = []
        self._run = RunFolder(folder)
        self._has_manifest = (folder / MANIFEST).is_file()
        self._inputs: dict[str, str] = {}
        self._statuses: Counter[str] = Counter()
        self._record = self._read_record()
        self._list = self._read_list() if self._record else None

    def check(self) -> list[Fault]:
        """Every fault: of the manifest, of the samples, and of the run's records."""
        manifest = ManifestCheck(self.folder)
        in_samples: list[Fault] = []
        for part in parts_of(self.folder):
            for name, digest in sorted(part.digests.items()):
                manifest.see(name, digest)
            self._inputs |= {
                n: d for n, d in part.digests.items() if n in (SPEC, SAMPLES, POPULATION)
            }
            if part.place:
                self.samples += 1
                in_samples += self._sample(part)
        self.files, self.system_files = manifest.files, manifest.system_files
        return [*manifest.end(), *in_samples, *self._own_records()]

    def _sample(self, part: Part) -> Iterator[Fault]:
        """What is wrong in the folder of one sample."""
        folder = self.folder / part.place
        result = read_sample(folder)
        found = list(check_sample(folder, result))
        if self._has_manifest:  # without a manifest of the run, the samples have none either
            found = [*check_own_manifest(folder, part.own_digests), *found]
        yield from (fault.in_folder(part.place) for fault in found)
        if isinstance(result, SampleResult) and self._record and self._list:
            if self._list.find(part.place.rpartition("/")[2]) is not None:
                self._statuses[result.status] += 1
            yield from self._check_names(part.place, result)

    def _check_names(self, place: str, result: SampleResult) -> Iterator[Fault]:
        name, file = place.rpartition("/")[2], f"{place}/{RESULT}"
        assert self._record is not None
        assert self._list is not None
        if result.sample_id != name:
            yield Fault(file, f"is the result of the sample {result.sample_id}")
        if self._list.find(name) is None:
            yield Fault(file, f"is of a sample that {SAMPLES} does not have")
        if self._run.place(name) != place:
            yield Fault(file, f"is not in {self._run.place(name)}, where {RUN} says it is")
        if result.task_id != self._record.task_id:
            yield Fault(file, f"is of the task {result.task_id}, but the run is of another")

    def _read_record(self) -> RunRecord | None:
        try:
            return read_record(self.folder / RUN, RunRecord)
        except Unreadable as problem:
            self._unreadable.append(Fault(RUN, str(problem)))
            return None

    def _read_list(self) -> SampleList | None:
        try:
            return read_samples(self.folder / SAMPLES)
        except (BwaError, OSError) as problem:
            self._unreadable.append(Fault(SAMPLES, f"cannot be read: {problem}"))
            return None

    def _own_records(self) -> Iterator[Fault]:
        """What is wrong with the files of the run itself."""
        record, samples = self._record, self._list
        if record is not None:
            yield from _check_copy(SPEC, record.spec, self._inputs)
            yield from _check_copy(SAMPLES, record.samples, self._inputs)
        yield from self._unreadable
        if record and (population := record.population):
            yield from _check_copy(POPULATION, population, self._inputs)
            yield from _check_draw(self.folder, population, record, samples)
        if record is None or samples is None:
            return
        yield from _check_counts(record, samples, self._statuses)
        yield from check_shards(self.folder, record, samples)
        try:
            task = load_run_task(self._run, record)
        except (BwaError, OSError) as problem:
            yield Fault(SPEC, f"cannot be read: {problem}")
            return
        results = StoredResults(self._run, is_listed=lambda name: samples.find(name) is not None)
        yield from _check_known(task, samples, results)
        yield from _check_checks(self._run, record, task)
        run = FinishedRun(self._run, record, task, samples, results)
        is_known = bool(samples.known or record.expected)
        is_ended = record.finished_at is not None
        if is_known and is_ended and record.expected != run.totals.known_record(record.recipe):
            yield Fault(RUN, "expected does not say how many known samples are right")
        yield from check_tables(run)


def _check_draw(
    folder: Path, population: PopulationRecord, record: RunRecord, samples: SampleList | None
) -> Iterator[Fault]:
    """The samples are drawn again."""
    draw = Draw(record.listed_samples, population.seed, population.by)
    try:
        whole = read_samples(folder / POPULATION)
        drawn = whole.drawn(draw)
    except (BwaError, OSError) as problem:
        yield Fault(POPULATION, f"cannot be read: {problem}")
        return
    source = (population.method, population.file, population.sha256)
    if source != (draw.method, record.samples.path, record.samples.sha256):
        yield Fault(RUN, "population does not say how, and from which list, the samples were drawn")
    if population.rows != (rows := len(whole.samples)):
        yield Fault(RUN, f"population.rows is {population.rows}, and {POPULATION} has {rows}")
    if samples is None:
        return
    own = drawn.part(record.shard.shard if record.shard else None)
    if any(one != other for one, other in zip_longest(own.csv_lines(), samples.csv_lines())):
        yield Fault(
            SAMPLES,
            f"does not have the rows that the seed {population.seed} draws from {POPULATION}",
        )


def _check_known(
    task: TaskSpec, samples: SampleList, results: Iterable[SampleResult]
) -> Iterator[Fault]:
    """What each result says of its known values is compared again."""
    for result in results if samples.known else ():
        sample = samples.find(result.sample_id)
        if sample is None:
            continue
        written = {name: text for name, text in sample.expected.items() if not is_redacted(text)}
        known = known_values(task, replace(sample, expected=written))
        again = compared(known, task.output_schema.keys(), result)
        hidden = sample.expected.keys() - written.keys()
        if again != {n: v for n, v in result.expected.items() if n not in hidden}:
            yield Fault(
                f"{result.sample_id}/{RESULT}", f"does not say what {SAMPLES} expects of it"
            )


def _check_checks(run: RunFolder, record: RunRecord, task: TaskSpec) -> Iterator[Fault]:
    """What the run says of samples that were run again; those of a merged run lie with its shards.
    Only the recipe knew what it had read, and so what to compare."""
    if record.check is None or record.finished_at is None or record.merged:
        return
    folders = Checks(run)
    if record.check != record.check.with_checks(folders.read()):
        yield Fault(RUN, f"check does not say what the samples in {CHECKS} do")
    for check in record.check.checks if record.recipe is None else ():
        first, again = run.result(check.sample_id), folders.result(check.sample_id)
        if first is None or again is None:
            yield Fault(RUN, f"check names {check.sample_id}, which has no two results")
        elif check != check_of(first, again, names_of(task), task.output_schema.keys()):
            yield Fault(RUN, f"check does not say how {check.sample_id} was read twice")


def _check_copy(
    name: str, record: FileRecord | PopulationRecord, digests: Mapping[str, str]
) -> Iterator[Fault]:
    if record.copy_sha256 is None:
        yield Fault(RUN, f"has no SHA-256 of {name}: it is from an earlier version, or was changed")
    elif name in digests and digests[name] != record.copy_sha256:
        yield Fault(name, f"has a SHA-256 other than {RUN} says")


def _check_counts(
    record: RunRecord, samples: SampleList, statuses: Counter[str]
) -> Iterator[Fault]:
    if record.finished_at is None:
        yield Fault(RUN, "has no end: the run is still running, or was killed")
        return
    rows = len(samples.samples)
    counts: dict[str, tuple[object, object]] = {
        "samples_in": (record.samples_in, rows),
        "samples.rows": (record.samples.rows, rows),
        "results_out": (record.results_out, dict(statuses)),
        "not_run": (record.not_run, rows - statuses.total()),
    }
    if record.shard is not None:
        counts["shard"] = (record.shard.samples, rows)
    for key, (recorded, counted) in counts.items():
        if recorded != counted:
            yield Fault(RUN, f"{key} is {recorded}, and the folder has {counted}")
