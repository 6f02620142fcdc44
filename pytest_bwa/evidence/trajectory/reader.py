"""Reads the trajectory of a run, also while it lasts or after it was killed."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.trajectory.schema import FILE, LOCK_SECONDS, PARTS, check_version, unpack


@dataclass(frozen=True)
class RecordedPage:
    """One observation."""

    url: str
    title: str
    state: str
    lines: str
    """As the prompt lists the page."""
    labelled: str
    """The labelled values, one a line, if the policy has no model."""


@dataclass(frozen=True)
class RecordedCall:
    """One call of a model."""

    number: int
    step: int
    purpose: str
    model: str
    system: list[str]
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    reply: list[dict[str, Any]]
    usage: dict[str, Any]
    """``input_tokens``, ``output_tokens``, ``cache_read``, ``cache_write``, ``cost_usd``."""
    seconds: float
    error: str | None


@dataclass(frozen=True)
class RecordedStep:
    """One step with the call that decided it, and the other calls that were made for it: answers
    that could not be used, summaries, pictures that were read."""

    number: int
    seconds: float
    record: dict[str, Any]
    """As in action_log.json."""
    before: RecordedPage
    after: RecordedPage
    verdict: dict[str, Any] | None
    decision: RecordedCall | None
    other_calls: list[RecordedCall] = field(default_factory=list)

    @property
    def step(self) -> int:
        return int(self.record["step"])


@dataclass(frozen=True)
class RecordedSample:
    """What is known of one sample; ``status`` is empty as long as it runs."""

    file: Path
    sample_id: str
    task_id: str
    goal: str
    columns: dict[str, str]
    policy: str
    model: str
    status: str
    outcome: str
    reason: str
    extracted: dict[str, Any]
    started_at: str


class TrajectoryReader:
    """The samples of one run, from trajectory.db and from what its workers have written since."""

    def __init__(self, run: Path, live: Path) -> None:
        """Raises InputError if there is nothing to read."""
        self._files = [path for path in [run / FILE] if path.is_file()]
        self._files += sorted([*run.glob(PARTS), *live.glob(PARTS)])
        if not self._files:
            raise InputError(f"{run} has no {FILE}: an earlier version made the run")

    def samples(self) -> list[RecordedSample]:
        """The newest attempt at each sample, sorted by sample_id. Raises InputError."""
        found: dict[str, RecordedSample] = {}
        for sample in (sample for file in self._files for sample in samples_in(file)):
            earlier = found.get(sample.sample_id)
            if earlier is None or earlier.started_at <= sample.started_at:
                found[sample.sample_id] = sample
        return [found[name] for name in sorted(found)]

    def sample(self, sample_id: str) -> RecordedSample:
        """Raises InputError if the trajectory does not have it."""
        samples = self.samples()
        for sample in samples:
            if sample.sample_id == sample_id:
                return sample
        names = ", ".join(sample.sample_id for sample in samples[:10])
        raise InputError(f'the trajectory has no sample "{sample_id}"; it has {names or "none"}')

    def steps(self, sample: RecordedSample) -> list[RecordedStep]:
        """Its steps in order. Raises InputError."""
        return steps_in(sample)


def samples_in(file: Path) -> list[RecordedSample]:
    """All samples of one file. Raises InputError."""
    with _readable(file) as connection:
        return [_sample(file, row) for row in connection.execute("SELECT * FROM samples")]


def steps_in(sample: RecordedSample) -> list[RecordedStep]:
    """The steps of a sample, in order. Raises InputError."""
    with _readable(sample.file) as connection:
        return _Rows(connection, sample.sample_id).steps()


class _Rows:
    """The rows of one sample."""

    def __init__(self, connection: sqlite3.Connection, sample_id: str) -> None:
        self._connection, self._sample_id = connection, sample_id

    def steps(self) -> list[RecordedStep]:
        pages = {row["number"]: self._page(row) for row in self._all("observations")}
        calls = {row["number"]: self._call(row) for row in self._all("calls")}
        steps = [
            RecordedStep(
                row["number"],
                row["seconds"],
                self._json(row["record"]),
                pages[row["before"]],
                pages[row["after"]],
                json.loads(row["verdict"]) if row["verdict"] else None,
                calls.get(row["call"]),
            )
            for row in self._all("steps")
        ]
        deciding = {step.decision.number for step in steps if step.decision}
        for call in calls.values():
            if call.number not in deciding and steps:
                _step_of(call, steps).other_calls.append(call)
        return steps

    def _all(self, table: str) -> list[sqlite3.Row]:
        statement = f"SELECT * FROM {table} WHERE sample_id = ? ORDER BY number"
        return self._connection.execute(statement, (self._sample_id,)).fetchall()

    def _page(self, row: sqlite3.Row) -> RecordedPage:
        labelled = self._text(row["labelled"]) if row["labelled"] else ""
        lines = self._text(row["lines"])
        return RecordedPage(row["url"], row["title"], row["state"], lines, labelled)

    def _call(self, row: sqlite3.Row) -> RecordedCall:
        names = ("input_tokens", "output_tokens", "cache_read", "cache_write", "cost_usd")
        return RecordedCall(
            row["number"],
            row["step"],
            row["purpose"],
            row["model"],
            [self._text(name) for name in json.loads(row["system"])],
            self._json(row["messages"]),
            self._json(row["tools"]) if row["tools"] else [],
            self._json(row["reply"]) if row["reply"] else [],
            {name: row[name] for name in names},
            row["seconds"],
            row["error"],
        )

    def _json(self, name: str) -> Any:
        return json.loads(self._text(name))

    def _text(self, name: str) -> str:
        row = self._connection.execute("SELECT body FROM texts WHERE id = ?", (name,)).fetchone()
        return unpack(row["body"])


def _step_of(call: RecordedCall, steps: Sequence[RecordedStep]) -> RecordedStep:
    """The first step for which a call can have been made; the last one if the sample ended."""
    return next((step for step in steps if step.step >= call.step), steps[-1])


def _sample(file: Path, row: sqlite3.Row) -> RecordedSample:
    return RecordedSample(
        file,
        row["sample_id"],
        row["task_id"],
        row["goal"],
        json.loads(row["columns"]),
        row["policy"],
        row["model"],
        row["status"] or "",
        row["outcome"] or "",
        row["reason"] or "",
        json.loads(row["extracted"] or "{}"),
        row["started_at"],
    )


def open_to_read(file: Path) -> sqlite3.Connection:
    """A connection that only reads. Raises sqlite3.Error."""
    address = f"{file.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=LOCK_SECONDS)
    connection.row_factory = sqlite3.Row
    try:
        check_version(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


@contextmanager
def _readable(file: Path) -> Iterator[sqlite3.Connection]:
    """Raises InputError for a file that cannot be read."""
    try:
        with closing(open_to_read(file)) as connection:
            yield connection
    except (sqlite3.Error, zlib.error, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{file} cannot be read ({error})") from error
