"""Writes the trajectory of one sample as it goes, into the file of its worker."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.trajectory.masking import TYPED, Masking
from pytest_bwa.evidence.trajectory.schema import (
    PART,
    PROBLEM,
    SAMPLE_TABLES,
    connect,
    pack,
    text_id,
    unpack,
)
from pytest_bwa.spec.redaction import Redactor
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.exchange import Exchange
from pytest_bwa.steps.step import (
    LOOPS_OWN,
    LabelledValue,
    Observation,
    Step,
    Usage,
    Verdict,
    utc_now,
)
from pytest_bwa.steps.text import one_line

P = ParamSpec("P")
PROBLEM_CHARACTERS = 200
_WITHOUT_CALL = LOOPS_OWN - {"last_answer"}
"""The steps that no model decided, whatever the policy is."""


def _guarded(
    write: Callable[Concatenate[TrajectoryRecorder, P], None],
) -> Callable[Concatenate[TrajectoryRecorder, P], None]:
    """What the method writes stands in one transaction; after an error, nothing is written any
    more."""

    @wraps(write)
    def guarded(self: TrajectoryRecorder, /, *args: P.args, **kwargs: P.kwargs) -> None:
        self._write(lambda: write(self, *args, **kwargs))

    return guarded


class TrajectoryRecorder:
    """The trajectory of one sample. Secrets are masked in everything that is written. Nothing is
    raised: after the first error nothing more is written, and a file beside the worker's says why
    (``merge.py`` shows it).

    What a model wants to type is masked in its answer until a step shows that it was typed, and
    not into a password field.
    """

    def __init__(
        self,
        folder: Path,
        worker: str,
        *,
        task: TaskSpec,
        sample: Sample,
        policy: str,
        model: str,
        started_at: str,
        redactor: Redactor | None = None,
    ) -> None:
        self._path = folder / PART.format(worker=worker)
        self._sample_id = sample.sample_id
        self._masking = Masking(redactor or Redactor())
        self._decision: tuple[int, Exchange] | None = None
        self._pages: list[Observation] = []
        """The latest observations, of which the last has the number ``_page_count - 1``."""
        self._page_count, self._call_count, self._step_count, self._last_step = 0, 0, 0, -1
        self._row = {
            "task_id": task.task_id,
            "goal": task.goal,
            "columns": dict(sample.columns),
            "policy": policy,
            "model": model,
            "started_at": started_at,
        }
        self._connection: sqlite3.Connection | None = None
        """None before the beginning, after an error and after the end."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = connect(self._path)
        except (OSError, sqlite3.Error) as problem:
            self._note(problem)
        self._begin()

    @_guarded
    def _begin(self) -> None:
        for table in SAMPLE_TABLES:  # an earlier attempt in this worker's file
            self._execute(f"DELETE FROM {table} WHERE sample_id = ?", self._sample_id)
        self._insert("samples", sample_id=self._sample_id, **self._row)

    # -- what the loop calls -------------------------------------------------------------------

    @_guarded
    def add_call(
        self,
        exchange: Exchange | None,
        usage: Usage,
        *,
        step: int | None = None,
        page: Observation | None = None,
        error: str = "",
    ) -> None:
        """Keep one call of a model; None if the policy has none. ``page`` is what it was about,
        ``error`` why the answer could not be used, and without ``step`` it was for the next."""
        number = None if page is None else self._observation(page)
        self._decision = None
        if exchange is None:
            return
        if exchange.purpose in ("decision", "last_answer") and not error:
            self._decision = (self._call_count, exchange)
            self._masking.begin_decision()
        self._insert(
            "calls",
            sample_id=self._sample_id,
            number=self._call_count,
            step=self._last_step + 1 if step is None else step,
            purpose=exchange.purpose,
            model=exchange.model,
            observation=number,
            system=[self._text(block) for block in exchange.system],
            messages=self._text(exchange.messages),
            tools=self._text(exchange.tools) if exchange.tools else None,
            reply=self._text(self._masking.reply(exchange.reply)) if exchange.reply else None,
            **usage.model_dump(exclude={"calls"}),
            seconds=exchange.seconds,
            error=error or None,
            at=utc_now(),
        )
        self._call_count += 1

    @_guarded
    def add_step(
        self,
        step: Step,
        before: Observation,
        after: Observation,
        verdict: Verdict | None,
        *,
        secret: str = "",
    ) -> None:
        """Keep one step as it is logged. ``secret`` was typed into a password field."""
        self._learn_typed(step, secret)
        number = self._observation(before)
        call = self._decision[0] if self._decision and step.intent not in _WITHOUT_CALL else None
        self._insert(
            "steps",
            sample_id=self._sample_id,
            number=self._step_count,
            step=step.step,
            action=step.action,
            success=step.success,
            seconds=round(sum(step.seconds.values()), 3),
            call=call,
            before=number,
            after=number if after is before else self._observation(after),
            verdict=None if verdict is None else {**asdict(verdict), "changed": verdict.changed},
            record=self._text(step.model_dump(mode="json")),
        )
        self._step_count, self._last_step = self._step_count + 1, step.step

    def finish(self, result: SampleResult) -> None:
        """Note how the sample ended, and close the file."""
        self._end(result)
        self._close()

    @_guarded
    def _end(self, result: SampleResult) -> None:
        self._update(
            "samples",
            {"sample_id": self._sample_id},
            status=result.status,
            outcome=result.outcome,
            reason=result.reason,
            extracted=result.extracted,
            finished_at=result.finished_at,
        )

    # -- what is written -----------------------------------------------------------------------

    def _observation(self, page: Observation) -> int:
        """The number of an observation, which is written unless it is one of the last two."""
        for back, known in enumerate(reversed(self._pages)):
            if known is page or known == page:
                return self._page_count - 1 - back
        self._insert(
            "observations",
            sample_id=self._sample_id,
            number=self._page_count,
            url=page.url,
            title=page.title,
            state=page.state,
            http_status=page.http_status,
            lines=self._text("\n".join(map(one_line, page.lines()))),
            labelled=None if self._row["model"] else self._labelled(page),
        )
        self._pages = [*self._pages[-1:], page]
        self._page_count += 1
        return self._page_count - 1

    def _labelled(self, page: Observation) -> str:
        """What a policy without a model reads."""
        return self._text("\n".join(one_line(labelled_line(value)) for value in page.labelled))

    def _learn_typed(self, step: Step, secret: str) -> None:
        if secret:
            if self._masking.learn_secret(secret):
                self._mask_written_texts()
        elif TYPED in step.params and self._decision is not None:
            number, exchange = self._decision
            self._masking.learn_plain(str(step.params[TYPED]))
            key = {"sample_id": self._sample_id, "number": number}
            self._update("calls", key, reply=self._text(self._masking.reply(exchange.reply)))

    def _mask_written_texts(self) -> None:
        """Mask what was typed into a password field also in what was sent before, such as a goal
        that contains it."""
        for name, body in self._execute("SELECT id, body FROM texts").fetchall():
            text = unpack(body)
            if (masked := self._masking.stored(text)) != text:
                self._update("texts", {"id": name}, body=pack(masked))
        fields = {name: self._row[name] for name in ("goal", "columns")}
        self._update("samples", {"sample_id": self._sample_id}, **fields)

    # -- the file ------------------------------------------------------------------------------

    def _text(self, content: Any) -> str:
        """Write a text, or anything else as JSON, unless it is there; returns its id."""
        text = self._masking.value(content)
        name = text_id(text)
        self._execute("INSERT OR IGNORE INTO texts VALUES (?, ?)", name, pack(text))
        return name

    def _insert(self, table: str, **row: Any) -> None:
        places = ", ".join("?" * len(row))
        statement = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})"
        self._execute(statement, *map(self._masking.value, row.values()))

    def _update(self, table: str, key: Mapping[str, Any], **row: Any) -> None:
        changes, keys = (", ".join(f"{n} = ?" for n in row), " AND ".join(f"{n} = ?" for n in key))
        statement = f"UPDATE {table} SET {changes} WHERE {keys}"
        self._execute(statement, *map(self._masking.value, row.values()), *key.values())

    def _execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        assert self._connection is not None
        return self._connection.execute(statement, values)

    def _write(self, write: Callable[[], None]) -> None:
        if self._connection is None:
            return
        try:
            with self._connection:
                self._execute("BEGIN IMMEDIATE")
                write()
        except Exception as problem:  # noqa: BLE001 - a trajectory costs no sample
            self._close()
            self._note(problem)

    def _note(self, problem: Exception) -> None:
        """Say in a file of its own why the trajectory is not complete."""
        with suppress(OSError):
            self._path.with_suffix(PROBLEM).write_text(
                one_line(f"{self._sample_id}: {problem}", PROBLEM_CHARACTERS), "utf-8", "replace"
            )

    def _close(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None


def labelled_line(value: LabelledValue) -> str:
    """``kind | label | value``, then where the value stands, what its record is called, and what
    speaks against it."""
    place = value.place
    where = {
        "in": " > ".join(place.regions),
        "under": " > ".join(place.headings),
        "of": place.record_name if place.record else "",
        "cut": "yes" if value.cut else "",
        "doubt": value.doubt or "",
    }
    line = f"{value.kind} | {value.label} | {value.value}".replace("\n", " ⏎ ")
    return "".join([line, *(f" ({name}: {text})" for name, text in where.items() if text)])
