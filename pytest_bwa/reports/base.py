"""What a report is, and the records that every report is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import SAMPLES, SPEC, RunFolder
from pytest_bwa.evidence.integrity.manifest import manifest_digest
from pytest_bwa.evidence.record import REVIEW_MARKS, ReviewMark, SampleResult
from pytest_bwa.evidence.reviews import Review, read_reviews
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import SampleList, read_samples
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Step, Usage


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

    def read_steps(self) -> list[Step]:
        """The action log, read from disk on each call."""
        return self.run.steps(self.result.sample_id)


def load_run_task(folder: RunFolder, record: RunRecord) -> TaskSpec:
    """The task of a run; not found is taken as the latest session took it. Raises InputError."""
    task = load_task(folder.path / SPEC)
    return task.model_copy(update={"not_found": record.current.not_found})


def read_results(
    folder: RunFolder, record: RunRecord, task: TaskSpec, samples: SampleList
) -> tuple[SampleResult, ...]:
    """The results of a run; what passes is as the latest session took it."""
    rules = {sample.sample_id: task.not_found_rule(sample) for sample in samples.samples}
    return tuple(
        result.take_not_found_as(rules.get(result.sample_id, "fail"))
        .fail_on(record.current.fail_on)
        .with_location(folder.sample(result.sample_id), [])
        for result in folder.results()
    )


def to_review(results: Iterable[SampleResult]) -> dict[ReviewMark, list[str]]:
    """The samples that a person should look at, by each reason that a sample has for it."""
    found: dict[ReviewMark, list[str]] = {mark: [] for mark in REVIEW_MARKS}
    for result in results:
        for mark in result.review_marks:
            found[mark].append(result.sample_id)
    return {mark: names for mark, names in found.items() if names}


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run that has ended; no result.json is added or changed any more."""

    folder: RunFolder
    record: RunRecord
    task: TaskSpec
    samples: SampleList
    results: tuple[SampleResult, ...]
    """In the order of their sample ids."""
    problem: str = ""
    """Why run.json or trajectory.db could not be written; empty if they were."""
    reviews: Mapping[str, tuple[Review, ...]] = field(default_factory=dict)
    """By sample_id, what people decided; empty in what the run writes of itself."""
    ended_early: bool = False
    """Whether samples were not run because something ended the run, and not because they were not
    selected."""

    @property
    def manifest_sha256(self) -> str:
        """The SHA-256 of the run's manifest; empty until it is written."""
        return manifest_digest(self.folder.path)

    @property
    def usage(self) -> Usage:
        """Tokens and cost of all samples, and of what was done before them."""
        return sum((result.usage for result in self.results), self.record.preparation_usage)

    @property
    def steps(self) -> int:
        """Number of steps of all samples."""
        return sum(result.steps for result in self.results)

    @property
    def seconds(self) -> float:
        """How long at least one of its samples was running, in all sessions of the run."""
        times = sorted((_time(r.started_at), _time(r.finished_at)) for r in self.results)
        total, until = 0.0, datetime.min.replace(tzinfo=UTC)
        for started, finished in times:
            total += max(0.0, (finished - max(started, until)).total_seconds())
            until = max(until, finished)
        return total

    @property
    def not_passed(self) -> tuple[SampleResult, ...]:
        return tuple(result for result in self.results if not result.passed)

    @property
    def failed_for_review(self) -> tuple[SampleResult, ...]:
        """The samples that only fail because a person should look at them."""
        return tuple(result for result in self.results if result.failed_marks)

    @property
    def passed_as_not_found(self) -> tuple[SampleResult, ...]:
        """The samples that do not exist, if that is taken as a pass."""
        return tuple(r for r in self.results if r.passed and r.status != "done")


def read_finished_run(folder: RunFolder) -> FinishedRun:
    """A run that has ended, with its reviews, for what is made of it later. Raises BwaError."""
    record = folder.record()
    if record.finished_at is None:
        raise InputError(f"{folder.path} has no end: the run is still running, or was killed")
    task, samples = load_run_task(folder, record), read_samples(folder.path / SAMPLES)
    results = read_results(folder, record, task, samples)
    reviews = read_reviews(folder.path).of_results(folder.path)
    return FinishedRun(folder, record, task, samples, results, reviews=reviews)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


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

    def __init__(self, context: ReportContext) -> None:
        self.context = context

    def sample_finished(self, finished: FinishedSample) -> None:
        """A sample has its result; called in the process that ran it."""

    def recordings_kept(self, finished: FinishedSample) -> None:
        """The pictures, traces and videos of pytest-playwright were moved into the evidence of a
        sample that has finished; called in the process that ran it, when its test has ended."""

    def sample_lost(self, finished: FinishedSample) -> None:
        """The controller, in which this is called, wrote the result of a killed worker's sample."""

    def known_bad_reported(self, finished: FinishedSample) -> None:
        """pytest has reported the test of a sample that is known to be bad; called in its
        process."""

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
