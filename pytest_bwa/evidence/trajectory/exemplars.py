"""How similar samples of the same task were done in earlier runs, as a few lines for the prompt."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.trajectory import describe
from pytest_bwa.evidence.trajectory.reader import (
    RecordedSample,
    RecordedStep,
    open_to_read,
    samples_in,
    steps_in,
)
from pytest_bwa.evidence.trajectory.schema import FILE
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.text import one_line, whole_words

MAX_RUNS, MAX_STEPS, MAX_WORDS = 20, 12, 60
LINE_CHARACTERS = 140
MIN_VALUE = 2
"""Characters from which a value of the other sample is replaced; a single one says nothing."""
_ANSWERS = ("save_progress", "done")
_SEARCH = """
SELECT d.sample_id, bm25(done_samples) AS rank FROM done_samples AS d
JOIN samples AS s ON s.sample_id = d.sample_id
WHERE done_samples MATCH ? AND s.task_id = ? AND s.status = 'done' ORDER BY rank LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class _Match:
    rank: float
    """Lower is better."""
    file: Path
    sample_id: str


def find_exemplars(
    evidence: Path, own_run: Path, task: TaskSpec, sample: Sample, limit: int
) -> tuple[str, ...]:
    """How the most similar done samples of this task were done, each in a few lines. Only the
    newest runs below ``evidence`` are searched; one that cannot be read is left out."""
    files = [p for p in evidence.glob(f"*/{FILE}") if p.parent != own_run]
    newest = sorted(files, key=lambda path: path.parent.name, reverse=True)[:MAX_RUNS]
    query = _query(task, sample)
    matches = [match for file in newest for match in _search(file, query, task.task_id, limit)]
    best = {match.sample_id: match for match in sorted(matches, key=lambda m: -m.rank)}
    ranked = sorted(best.values(), key=lambda match: match.rank)[:limit]
    return tuple(text for match in ranked if (text := _exemplar(match)))


def _query(task: TaskSpec, sample: Sample) -> str:
    """Any of the words of the goal and of the sample's columns."""
    columns = list(sample.plain_columns.values())
    words = re.findall(r"\w+", " ".join([*columns, task.goal]))
    return " OR ".join(f'"{word}"' for word in list(dict.fromkeys(words))[:MAX_WORDS])


def _search(file: Path, query: str, task_id: str, limit: int) -> Iterator[_Match]:
    try:
        with closing(open_to_read(file)) as connection:
            rows = connection.execute(_SEARCH, (query, task_id, limit)).fetchall()
    except sqlite3.Error:  # another version, damaged, or without a full-text table
        return
    for row in rows:
        yield _Match(row["rank"], file, row["sample_id"])


def _exemplar(match: _Match) -> str:
    try:
        sample = next(s for s in samples_in(match.file) if s.sample_id == match.sample_id)
        steps = steps_in(sample)
    except (InputError, StopIteration):
        return ""
    useful = [step for step in steps if step.record.get("success") and _is_chosen(step)]
    replace = _Generalizer(sample)
    lines = [f"- {one_line(replace(_line(step)), LINE_CHARACTERS)}" for step in useful]
    if len(lines) > MAX_STEPS:
        lines = [*lines[: MAX_STEPS - 1], f"- … {len(lines) - MAX_STEPS} more …", lines[-1]]
    return "\n".join(lines)


def _is_chosen(step: RecordedStep) -> bool:
    return step.record.get("intent") in ("", "open_sample", None)


def _line(step: RecordedStep) -> str:
    """The step without values: of an answer, only the fields."""
    record = step.record
    if record["action"] in _ANSWERS:
        return f"{record['action']}: {', '.join(record['params'].get('extracted') or {})}"
    # The number of an element says nothing about another page.
    params = {k: v for k, v in record["params"].items() if k != "selector" or not str(v).isdigit()}
    return describe.action_text({**record, "params": params})


class _Generalizer:
    """Replaces what belongs to one sample: the values of its columns by their names in braces, and
    what was found for it by an ellipsis."""

    def __init__(self, sample: RecordedSample) -> None:
        columns = {v: f"{{{name}}}" for name, v in sample.columns.items() if name != "xfail"}
        found = dict.fromkeys(_values(sample.extracted), "…")
        self._names = {k: v for k, v in {**found, **columns}.items() if len(k) >= MIN_VALUE}
        self._pattern = whole_words(self._names)

    def __call__(self, text: str) -> str:
        return self._pattern.sub(lambda match: self._names[match[0]], text)


def _values(value: Any) -> Iterator[str]:
    """The texts and numbers of an answer."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for entry in value:
            yield from _values(entry)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value if isinstance(value, str) else json.dumps(value)
