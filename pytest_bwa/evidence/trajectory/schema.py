"""The tables of trajectory.db, ``schema_version`` 1.

| table | one row for | columns |
|---|---|---|
| `meta` | the file | `key`, `value`: `schema_version` |
| `samples` | each sample, its newest attempt | what was asked (`goal`, `columns` as JSON, without secrets), `policy`, `model`, how it ended (`status`, `outcome`, `reason`, `extracted` as JSON; null if its worker was killed), `started_at`, `finished_at` |
| `observations` | each look at the page that differs from the one before | `number` from 0, `url`, `title`, `state` (hash), `http_status`, `lines` → `texts`: the page as the prompt lists it, `labelled` → `texts`: the labelled values that a policy without a model reads |
| `calls` | each call of a model | `number`, `step`, `purpose` (`decision`, `summary`, `last_answer`, `vision`, `advice`: for later samples), `model`, `observation`, what was sent (`system`: JSON array of ids of `texts`, `messages`, `tools`) and what came (`reply`), tokens, `cost_usd` (null: unknown), `seconds`, `error` (why the answer could not be used), `at` |
| `steps` | each step, in order | `number` from 0, `step`, `action`, `success`, `seconds`, `call` (the decision that chose it, null without a model), `before` and `after` (numbers of observations), `verdict` (JSON, null if nothing was compared), `record` → `texts`: the step as action_log.json has it |
| `texts` | each text once | `id` (a hash), `body`: TEXT, or a BLOB that zlib has compressed |
| `done_samples` | each done sample, for full-text search | `sample_id`, `words` |
"""  # noqa: E501 - a table

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from pathlib import Path

FILE = "trajectory.db"
PART = "trajectory-{worker}.db"
PARTS = "trajectory-*.db"
PROBLEM = ".problem"
"""The suffix of the file that says why a worker's part is not complete."""
SCHEMA_VERSION = 1
SAMPLE_TABLES = ("samples", "observations", "calls", "steps")
COMPRESSED_FROM = 1000
"""Characters from which a text is compressed."""
LOCK_SECONDS = 1.0
"""Maximum seconds to wait for another process that has locked the file."""

TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS texts (id TEXT PRIMARY KEY, body NOT NULL);
CREATE TABLE IF NOT EXISTS samples (
    sample_id TEXT PRIMARY KEY, task_id TEXT, goal TEXT, columns TEXT, policy TEXT, model TEXT,
    status TEXT, outcome TEXT, reason TEXT, extracted TEXT, started_at TEXT, finished_at TEXT);
CREATE TABLE IF NOT EXISTS observations (
    sample_id TEXT, number INTEGER, url TEXT, title TEXT, state TEXT, http_status INTEGER,
    lines TEXT, labelled TEXT, PRIMARY KEY (sample_id, number));
CREATE TABLE IF NOT EXISTS calls (
    sample_id TEXT, number INTEGER, step INTEGER, purpose TEXT, model TEXT, observation INTEGER,
    system TEXT, messages TEXT, tools TEXT, reply TEXT, input_tokens INTEGER,
    output_tokens INTEGER, cache_read INTEGER, cache_write INTEGER, cost_usd REAL, seconds REAL,
    error TEXT, at TEXT, PRIMARY KEY (sample_id, number));
CREATE TABLE IF NOT EXISTS steps (
    sample_id TEXT, number INTEGER, step INTEGER, action TEXT, success INTEGER, seconds REAL,
    call INTEGER, before INTEGER, after INTEGER, verdict TEXT, record TEXT,
    PRIMARY KEY (sample_id, number));
"""
FULL_TEXT_TABLE = """
CREATE VIRTUAL TABLE IF NOT EXISTS done_samples USING fts5(sample_id UNINDEXED, words)
"""


class OtherVersion(sqlite3.DatabaseError):
    """The file was written by a version with other tables."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection for writing, with all tables. Raises sqlite3.Error."""
    connection = sqlite3.connect(path, timeout=LOCK_SECONDS, isolation_level=None)
    try:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(TABLES)
        version = ("schema_version", str(SCHEMA_VERSION))
        connection.execute("INSERT OR IGNORE INTO meta VALUES (?, ?)", version)
        check_version(connection)
    except BaseException:  # an interrupt must not leave the file open either
        connection.close()
        raise
    return connection


def check_version(connection: sqlite3.Connection, schema: str = "main") -> None:
    """Raises OtherVersion."""
    row = connection.execute(
        f"SELECT value FROM {schema}.meta WHERE key = 'schema_version'"
    ).fetchone()
    version = row[0] if row else "unknown"
    if version != str(SCHEMA_VERSION):
        raise OtherVersion(
            f"its schema_version is {version}, and this version of pytest-bwa reads "
            f"{SCHEMA_VERSION}"
        )


def text_id(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def pack(text: str) -> str | bytes:
    """A text as it is stored."""
    return text if len(text) < COMPRESSED_FROM else zlib.compress(text.encode(), 3)


def unpack(body: str | bytes) -> str:
    return body if isinstance(body, str) else zlib.decompress(body).decode()
