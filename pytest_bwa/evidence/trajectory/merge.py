"""Joins what the workers wrote into the trajectory.db of the run."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.trajectory.schema import (
    FILE,
    FULL_TEXT_TABLE,
    PARTS,
    PROBLEM,
    SAMPLE_TABLES,
    check_version,
    connect,
)
from pytest_bwa.steps.text import one_line

_USED_TEXTS = """
SELECT lines FROM {0}.observations UNION SELECT labelled FROM {0}.observations
UNION SELECT record FROM {0}.steps UNION SELECT messages FROM {0}.calls
UNION SELECT tools FROM {0}.calls UNION SELECT reply FROM {0}.calls
UNION SELECT block.value FROM {0}.calls, json_each({0}.calls.system) AS block
"""
_NEWER = """
CREATE TEMP TABLE newer AS SELECT sample_id FROM part.samples AS p WHERE NOT EXISTS (
    SELECT 1 FROM main.samples AS m
    WHERE m.sample_id = p.sample_id AND m.started_at > p.started_at)
"""
_WORDS = """
SELECT s.sample_id, s.goal, s.columns,
    (SELECT group_concat(o.url || ' ' || o.title, ' ') FROM observations AS o
     WHERE o.sample_id = s.sample_id) AS pages
FROM samples AS s WHERE s.status = 'done'
"""


def merge_parts(run: Path, live: Path, results: Iterable[SampleResult]) -> list[str]:
    """Move the samples of every worker's file, which are in ``live`` or were kept in the run
    folder, to trajectory.db; a sample that was run again takes the place of its earlier attempt.

    Returns what went wrong, one line each. What cannot be merged is kept in the run folder.
    """
    parts = sorted([*live.glob(PARTS), *run.glob(PARTS)])
    problems = _noted_problems(live)
    if not parts:
        return problems
    try:
        with closing(connect(run / FILE)) as connection:
            problems += [line for part in parts if (line := _merge(connection, part, run))]
            _complete(connection, results)
            connection.execute("PRAGMA journal_mode = DELETE")  # one file, also on a read-only disk
    except (OSError, ValueError, sqlite3.Error) as error:
        left = [_keep(part, run) for part in parts if part.exists()]
        kept = f"; kept as {', '.join(left)}" if left else ""
        problems.append(f"{FILE} could not be written ({error}){kept}")
    return problems


def join_files(files: Iterable[Path], run: Path) -> list[str]:
    """Make the trajectory.db of a run of those of several runs, which stay as they are. Returns
    what went wrong, in one line; there is no file then."""
    try:
        with closing(connect(run / FILE)) as connection:
            for file in files:
                _add(connection, file)
            _complete(connection, ())
            connection.execute("PRAGMA journal_mode = DELETE")  # one file, also on a read-only disk
    except (OSError, ValueError, sqlite3.Error) as error:
        (run / FILE).unlink(missing_ok=True)
        return [f"{FILE} could not be written ({error})"]
    return []


def _noted_problems(live: Path) -> list[str]:
    """The first problem that a worker noted, and how many others did."""
    notes = []
    for path in sorted(live.glob(f"*{PROBLEM}")):
        with suppress(OSError):
            notes.append(one_line(path.read_text("utf-8", "replace")))
    more = f" (and {len(notes) - 1} more workers)" if notes[1:] else ""
    return [f"{FILE} does not have every sample: {note}{more}" for note in notes[:1]]


def _merge(connection: sqlite3.Connection, part: Path, run: Path) -> str:
    """Add one worker's samples and delete its file; returns what went wrong, or nothing."""
    try:
        _add(connection, part)
    except sqlite3.Error as error:
        return f"{_keep(part, run)} could not be added to {FILE} ({error})"
    for path in part.parent.glob(f"{part.name}*"):
        path.unlink(missing_ok=True)
    return ""


def _add(connection: sqlite3.Connection, part: Path) -> None:
    """Raises sqlite3.Error."""
    connection.execute("ATTACH ? AS part", (str(part),))
    try:
        check_version(connection, "part")
        _copy(connection)
    finally:
        connection.execute("DETACH part")


def _copy(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(_NEWER)
        chosen = "WHERE sample_id IN (SELECT sample_id FROM newer)"
        for table in SAMPLE_TABLES:
            connection.execute(f"DELETE FROM main.{table} {chosen}")
            connection.execute(f"INSERT INTO main.{table} SELECT * FROM part.{table} {chosen}")
        used = _USED_TEXTS.format("part")
        connection.execute(
            f"INSERT OR IGNORE INTO main.texts SELECT * FROM part.texts WHERE id IN ({used})"
        )
        connection.execute("DROP TABLE newer")
        connection.execute("COMMIT")
    except BaseException:  # an interrupt must leave no half of a part either
        connection.execute("ROLLBACK")
        raise


def _keep(part: Path, run: Path) -> str:
    """Move a worker's file to the run folder, where the next session finds it; returns its name
    there."""
    if part.parent == run:
        return part.name
    target, number = run / part.name, 2
    while target.exists():
        target, number = run / f"{part.stem}_{number}{part.suffix}", number + 1
    for path in part.parent.glob(f"{part.name}*"):  # with what is not in the main file yet
        with suppress(OSError):
            path.rename(run / path.name.replace(part.name, target.name))
    return target.name


def _complete(connection: sqlite3.Connection, results: Iterable[SampleResult]) -> None:
    """Note how samples ended whose worker was killed, drop what nothing refers to any more, and
    index the done samples."""
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(
        "UPDATE samples SET status = ?, outcome = ?, reason = ?, extracted = ?, finished_at = ? "
        "WHERE sample_id = ? AND started_at = ? AND status IS NULL",
        (
            (r.status, r.outcome, r.reason, json.dumps(r.extracted, default=str),
             r.finished_at, r.sample_id, r.started_at)
            for r in results
        ),
    )  # fmt: skip
    used = f"SELECT lines FROM ({_USED_TEXTS.format('main')}) WHERE lines IS NOT NULL"
    connection.execute(f"DELETE FROM texts WHERE id NOT IN ({used})")
    with suppress(sqlite3.OperationalError):  # this SQLite was built without full-text search
        _index_done_samples(connection)
    connection.execute("COMMIT")


def _index_done_samples(connection: sqlite3.Connection) -> None:
    connection.execute(FULL_TEXT_TABLE)
    connection.execute("DELETE FROM done_samples")
    rows = (
        (row["sample_id"], " ".join([row["goal"], *_column_values(row), row["pages"] or ""]))
        for row in connection.execute(_WORDS)
    )
    connection.executemany("INSERT INTO done_samples VALUES (?, ?)", rows)


def _column_values(row: sqlite3.Row) -> list[str]:
    return [str(value) for value in json.loads(row["columns"]).values()]
