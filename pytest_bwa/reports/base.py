"""What a report is, and the records that every report is made from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import SAMPLES, SPEC, RunFolder
from pytest_bwa.evidence.integrity.manifest import manifest_digest
from pytest_bwa.evidence.item_report import ItemReport
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.result_reader import StoredResults
from pytest_bwa.evidence.reviews import Review, read_reviews
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.reports.totals import RunTotals, totals_of
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import SampleList, read_samples
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Step, Usage

KEPT_RESULTS = 1_000
"""Results that are kept in memory, where each takes 17 KB. More are read anew in each pass over
them, which takes 0.1 ms each."""


@dataclass(frozen=True, slots=True)
class FinishedSample:
    """A sample whose result.json is written, with everything that a report may show of it."""

    task: TaskSpec
    sample: Sample
    """As files may say it: without secrets and the tokens of addresses."""
    result: SampleResult
    run: RunFolder
    nodeid: str
    """The pytest item that ran the sample."""
    properties: list[tuple[str, object]] = field(default_factory=list)
    """The ``user_properties`` of that item; what a report appends appears in JUnit XML."""
    reviews: tuple[Review, ...] = ()
    """What people decided of this result; empty while the run lasts."""
    extras: list[object] = field(default_factory=list)
    """What the report of pytest-html is to show of that item."""

    @property
    def item_report(self) -> ItemReport | None:
        """What pytest said of its test, read from disk on each call; None while it runs."""
        return self.run.item_report(self.result.sample_id)

    def read_steps(self) -> list[Step]:
        """The action log, read from disk on each call."""
        return self.run.steps(self.result.sample_id)


def load_run_task(folder: RunFolder, record: RunRecord) -> TaskSpec:
    """The task of a run; not found is taken as the latest session took it. Raises InputError."""
    task = load_task(folder.path / SPEC)
    return task.model_copy(update={"not_found": record.current.not_found})


def as_taken(
    folder: RunFolder, record: RunRecord, task: TaskSpec, samples: SampleList
) -> Callable[[SampleResult], SampleResult]:
    """Sets what a result's file does not say: what passes, as the latest session took it."""

    def taken(result: SampleResult) -> SampleResult:
        name = result.sample_id
        sample = samples.find(name)
        rule = task.not_found_rule(sample) if sample else "fail"
        result.take_not_found_as(rule).fail_on(record.current.fail_on)
        return result.with_location(folder.sample(name), [])

    return taken


def read_results(
    folder: RunFolder, record: RunRecord, task: TaskSpec, samples: SampleList
) -> Collection[SampleResult]:
    """The results of a run in the order of their sample ids. Those of a run of many samples are
    read from their files in each pass over them."""
    taken = as_taken(folder, record, task, samples)
    stored = StoredResults(folder, taken, lambda name: samples.find(name) is not None)
    is_many = record.fan_out or len(stored) > KEPT_RESULTS
    return stored if is_many else tuple(stored)


@dataclass(frozen=True)
class FinishedRun:
    """A run that has ended; no result.json is added or changed any more."""

    folder: RunFolder
    record: RunRecord
    task: TaskSpec
    samples: SampleList
    results: Collection[SampleResult]
    """In the order of their sample ids. Of a run of many samples, each pass over them reads their
    files."""
    problem: str = ""
    """Why run.json or trajectory.db could not be written; empty if they were."""
    reviews: Mapping[str, tuple[Review, ...]] = field(default_factory=dict)
    """By sample_id, what people decided; empty in what the run writes of itself."""
    said_of_run: tuple[Review, ...] = ()
    """The random samples that people drew of it, and their signatures."""
    ended_early: bool = False
    """Whether samples were not run because something ended the run, and not because they were not
    selected."""
    flagged_late: Mapping[str, str] = field(default_factory=dict)
    """Samples that were flagged after their reports had been made, with the notes that say why."""
    cleared_late: Mapping[str, str] = field(default_factory=dict)
    """Samples of which doubts were cleared then, and no new one found, with the notes."""
    counted: RunTotals | None = None
    """What the results come to, if somebody has counted them already."""

    def finished_samples(self, names: Iterable[str], nodeid: str = "") -> Iterator[FinishedSample]:
        """The samples of these names that are on the list and have a result, sorted."""
        for name in sorted(names):
            sample, result = self.samples.find(name), self.result(name)
            if sample is not None and result is not None:
                reviews = self.reviews.get(name, ())
                yield FinishedSample(
                    self.task, sample, result, self.folder, nodeid, reviews=reviews
                )

    @property
    def is_wrong_after_all(self) -> bool:
        """Whether what was found out at the end makes a run fail of which all samples passed."""
        fails = bool(self.flagged_late) and "flagged" in self.record.current.fail_on
        return fails or self.record.has_differing_checks

    @property
    def changed_late(self) -> Mapping[str, str]:
        """The samples of which reports say more at the end, with the notes."""
        return {**self.flagged_late, **self.cleared_late}

    @property
    def manifest_sha256(self) -> str:
        """The SHA-256 of the run's manifest; empty until it is written."""
        return manifest_digest(self.folder.path)

    @property
    def usage(self) -> Usage:
        """Tokens and cost of all samples, of what was done before them, and of the
        checks."""
        check = self.record.check
        others = self.record.preparation_usage + (check.usage if check else Usage())
        return others + self.totals.usage

    @cached_property
    def totals(self) -> RunTotals:
        return self.counted or totals_of(self.results)

    def result(self, sample_id: str) -> SampleResult | None:
        """The result of one sample; None if it was not run."""
        if isinstance(self.results, StoredResults):
            return self.results.get(sample_id)
        return self._by_id.get(sample_id)

    @cached_property
    def _by_id(self) -> dict[str, SampleResult]:
        return {result.sample_id: result for result in self.results}


def read_run(folder: RunFolder) -> FinishedRun:
    """A run as it is in its folder, with its reviews, for what is made of it later. Raises
    BwaError."""
    record = folder.record()
    task, samples = load_run_task(folder, record), read_samples(folder.path / SAMPLES)
    results = read_results(folder, record, task, samples)
    found = read_reviews(folder.path)
    reviews = found.of_results(folder.path, record.finished_at or "")
    return FinishedRun(
        folder, record, task, samples, results, reviews=reviews, said_of_run=found.of_run
    )


def read_finished_run(folder: RunFolder) -> FinishedRun:
    """The same of a run that has ended. Raises BwaError."""
    run = read_run(folder)
    if run.record.finished_at is None:
        raise InputError(f"{folder.path} has no end: the run is still going on, or was killed")
    return run


@dataclass(frozen=True, slots=True)
class ReportContext:
    """What the pytest process offers to its reports."""

    allure_folder: Path | None = None
    """The folder of ``--alluredir``; None if no Allure results are wanted."""
    allure_listener: Any = None
    """allure-pytest's own listener, which writes the test that is running."""
    plugin_fixtures: set[str] = field(default_factory=set)
    """The names of fixtures that say nothing of a sample, because plugins define them. They are
    added while tests run."""
    junit_file: Path | None = None
    """The file of ``--junitxml``; pytest has written it when the runs are sealed."""
    combined: tuple[str, ...] = ()
    """The forms of the tables that ``--combined`` asks for; CSV is always written."""
    html_file: Path | None = None
    """The file of pytest-html's ``--html``, if that plugin is there."""
    command: tuple[str, ...] = ("pytest",)
    """The command that started pytest, word by word."""
    store: str | None = None
    """The address to which this process uploads the runs; None if it uploads nothing."""


class Terminal(Protocol):
    """The part of pytest's terminal reporter that a report may use."""

    def write_sep(self, sep: str, title: str) -> None: ...

    def write_line(self, line: str, **markup: bool) -> None: ...


class Report:
    """One report. A subclass overrides the methods it needs and is listed in registry.py.

    One object is made in each pytest process: without pytest-xdist in the only process, else in
    the controller and in every worker.
    """

    name = ""
    """Names the report in a message that says why it could not be made."""
    is_incomplete = False
    """Whether something is missing that was asked for, so that the session does not pass."""

    def __init__(self, context: ReportContext) -> None:
        self.context = context

    def run_opened(self, run: RunFolder) -> list[str]:
        """The run folder of the command line's audit is made, or resumed; called in the controller.
        Returns lines for the header. Raises InputError for what makes the run useless."""
        return []

    def sample_closed(self, run: RunFolder, sample_id: str) -> None:
        """The test of a sample is torn down: what follows at the end of the run are manifests.
        Called in the controller."""

    def sample_finished(self, finished: FinishedSample) -> None:
        """A sample has its result; called in the process that ran it."""

    def recordings_kept(self, finished: FinishedSample) -> None:
        """The pictures, traces and videos of pytest-playwright were moved into the evidence of a
        sample that has finished; called in the process that ran it, when its test has ended."""

    def sample_lost(self, finished: FinishedSample) -> None:
        """The controller, in which this is called, wrote the result of a killed worker's sample."""

    def item_reported(self, finished: FinishedSample) -> None:
        """pytest has reported the test of a sample, which is written; called in its process."""

    def redact_details(self, redact: Callable[[str], str]) -> None:
        """pytest has reported a phase of the test that is running; called in its process. Whatever
        this report says of the exception must go through ``redact``."""

    def run_finished(self, runs: tuple[FinishedRun, ...]) -> None:
        """The pytest session is over. Called in the controller (or the only process) with one run
        for each audit; empty if no audit ran."""

    def run_sealed(self, runs: tuple[FinishedRun, ...]) -> None:
        """The manifests are written: from here on nothing may be written into a run folder. Called
        after every report's ``run_finished``."""

    def write_terminal_summary(self, terminal: Terminal) -> None:
        """pytest writes its summary; called in the controller, after ``run_sealed``."""
