"""Known rows: what the list says that the site ought to show, in columns ``expected.<field>``.

The cells are kept apart from a sample's columns, so that nothing that a policy, a prompt or a
lesson is made of has them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.coercion import Uncertain, coerce
from pytest_bwa.spec.messages import quote_value, suggest_name
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.table.cells import check_cells
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.text import text_or_json

PREFIX = "expected."
JUDGMENT, OUTCOME = "judgment", "outcome"
_WORDS: Mapping[str, Sequence[str]] = {
    JUDGMENT: ("yes", "no", "inconclusive"),
    OUTCOME: ("found", "not_found", "access_denied", "blocked", "other"),
}
"""What the two columns may say that are of no field, unless a field has their name."""
EMPTY = "null"
MAX_TEACHERS = 8
"""Known rows that teach a recipe; what so many do not teach, more would not, either."""


def known_numbers(task: TaskSpec) -> frozenset[str]:
    """Those of fields that are numbers: a workbook's digits are read as such."""
    schema = OutputSchema(task.output_schema)
    fields = (n for n in task.output_schema if {"number", "integer"} & schema.kinds(n))
    return frozenset(f"{PREFIX}{name}" for name in fields)


def check_known(
    path: Path, names: Sequence[str], samples: Sequence[Sample], task: TaskSpec
) -> None:
    """``names`` are those of the columns, without the prefix. Raises SamplesError for a column that
    stands for no field, a cell that cannot be read, and two rows that contradict each other."""
    for name in names:
        column = f"{PREFIX}{name}"
        if problem := _column_problem(task, name):
            raise SamplesError(problem, file=path, row=1, column=column)
        cells = ((sample.row, sample.expected.get(name, "")) for sample in samples)
        check_cells(path, column, cells, partial(_problem, task, name))
    _check_contradictions(path, samples, task)


def _column_problem(task: TaskSpec, name: str) -> str:
    """Why a column cannot be used, whatever its cells say; empty if it can."""
    if any(f"{{{PREFIX}{name}}}" in text for text in placeholders.texts(task)):
        return "is no placeholder: what is expected is told to nobody who decides"
    if name in task.output_schema:
        return ""
    if name not in _WORDS:
        hint = suggest_name(name, (*task.output_schema, *_WORDS))
        return f'output_schema has no field "{name}"{hint}'
    if name == JUDGMENT and not task.judgment_required:
        return "the spec asks for no judgment: set judgment_required, or delete the column"
    return ""


def _problem(task: TaskSpec, name: str, text: str) -> str:
    if not text.strip():
        return ""
    try:
        _value(task, name, text)
    except Uncertain as problem:
        return str(problem)
    return ""


def _check_contradictions(path: Path, samples: Sequence[Sample], task: TaskSpec) -> None:
    """Two rows of one record must know the same."""
    if "sample_id" in placeholders.used(task):
        return  # each row asks for a record of its own
    seen: dict[tuple[str, ...], dict[str, tuple[str, int]]] = {}
    for sample in samples:
        if not sample.expected:
            continue
        asked = {n: text for n, text in sample.columns.items() if n not in ("sample_id", "xfail")}
        if not any(asked.values()):
            continue
        own = seen.setdefault((*asked.values(), *sample.secrets.values()), {})
        for name, text in sample.expected.items():
            if not text.strip():
                continue
            known, row = own.setdefault(name, (text, sample.row))
            if text != known and not is_equal(_value(task, name, text), _value(task, name, known)):
                problem = f"{quote_value(text)} contradicts {quote_value(known)} in row {row}"
                raise SamplesError(
                    f"{problem}, which asks for the same record",
                    file=path, row=sample.row, column=f"{PREFIX}{name}",
                )  # fmt: skip


def known_values(task: TaskSpec, sample: Sample) -> dict[str, Any]:
    """What is known of a sample, in the types of the schema; None is known to be empty. A cell
    without text is not known."""
    texts = {name: text for name, text in sample.expected.items() if text.strip()}
    order = dict.fromkeys((*task.output_schema, *_WORDS))
    return {name: _value(task, name, texts[name]) for name in order if name in texts}


def rows_that_teach(task: TaskSpec, samples: Iterable[Sample]) -> list[Sample]:
    """The first rows of which a value is known."""
    known = (s for s in samples if s.xfail is None and _knows_a_value(task, s))
    return list(islice(known, MAX_TEACHERS))


def _knows_a_value(task: TaskSpec, sample: Sample) -> bool:
    if not any(text.strip() for text in sample.expected.values()):
        return False
    known = known_values(task, sample)
    is_there = known.get(OUTCOME, "found") == "found" or OUTCOME in task.output_schema
    return is_there and any(known.get(name) is not None for name in task.output_schema)


def _value(task: TaskSpec, name: str, text: str) -> Any:
    """Raises Uncertain."""
    if name not in task.output_schema:
        word = text.strip().casefold()
        if word in _WORDS[name]:
            return word
        raise Uncertain(text, f"is not one of {', '.join(_WORDS[name])}")
    if text.strip() == EMPTY:
        return None
    schema = _schema(json.dumps(task.output_schema))
    kinds = schema.kinds(name)
    value = _json(text) if kinds & {"array", "object"} else None
    if value is None:
        value = coerce(text, kinds - {"null"}, locale=task.locale)
    if problems := schema.problems({name: value}):
        raise Uncertain(text, f"does not match output_schema: {problems[0]}")
    return value


@cache
def _schema(content: str) -> OutputSchema:
    return OutputSchema(json.loads(content))


def _json(text: str) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list | dict) else None


def known_text(task: TaskSpec, name: str, value: Any) -> str:
    """The cell that says a value; empty if there is none that is read as it."""
    text = EMPTY if value is None else text_or_json(value)
    for cell in (text, f"{text}0"):  # 1.234 may be thousands, 1.2340 is not
        is_read = bool(cell.strip()) and not _problem(task, name, cell)
        if is_read and is_equal(_value(task, name, cell), value):
            return cell
    return ""


def split(columns: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns of a list, and the names of those that say what is known."""
    names = tuple(columns)
    known = tuple(n.removeprefix(PREFIX) for n in names if n.startswith(PREFIX))
    return tuple(n for n in names if not n.startswith(PREFIX)), known


def like_known(name: str) -> str:
    """The field of a column that is called almost like a known one, as ``Expected.cost`` is."""
    match = re.fullmatch(r"\s*expected\s*\.\s*(.+?)\s*", name, re.IGNORECASE)
    return match[1] if match and not name.startswith(PREFIX) else ""


def is_equal(one: Any, other: Any) -> bool:
    """Whether two values are the same: numbers by their value, texts but for white space, items in
    their order. Never similar."""
    if isinstance(one, str) and isinstance(other, str):
        return one.split() == other.split()
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_equal, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        keys = one.keys() | other.keys()
        return all(is_equal(one.get(key), other.get(key)) for key in keys)
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
