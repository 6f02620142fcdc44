"""The columns of a samples list against the spec: input_schema, url, start_url, xfail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.messages import nearest, quoted, shown
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.spec.urls import url_problem

_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def check_columns(
    path: Path, header: Sequence[str], samples: Sequence[Sample], task: TaskSpec
) -> list[str]:
    """Raises SamplesError; returns notes. The placeholders have to be columns already."""
    schema = OutputSchema(task.input_schema)
    notes = []
    for name in task.input_schema:
        if name in header:
            _check_column(path, name, samples, schema)
        elif "null" in schema.kinds(name):
            notes.append(f"{path.name}: no column {quoted(name)}; input_schema lets it be absent")
        else:
            hint = nearest(name, header) or f" (columns: {', '.join(map(shown, header))})"
            raise SamplesError(f"the column is missing{hint}", file=path, row=1, column=shown(name))
    _check_addresses(path, samples, task)
    _check_xfail(path, samples, task)
    return notes


def _check_column(path: Path, name: str, samples: Sequence[Sample], schema: OutputSchema) -> None:
    checked: dict[str, str] = {}  # a column often says the same in many rows
    for sample in samples:
        text = sample.columns[name]
        if text not in checked:
            checked[text] = _unfit(name, text, schema)
        if checked[text]:
            raise SamplesError(checked[text], file=path, row=sample.row, column=shown(name))


def _unfit(name: str, text: str, schema: OutputSchema) -> str:
    """Why the text of a cell does not fit the column's schema; empty if it does."""
    kinds = schema.kinds(name)
    if not text.strip():
        may_be_empty = "null" in kinds or not kinds
        return "" if may_be_empty else "is empty; input_schema allows no null here"
    values = _values(text, kinds)
    if schema.is_short(name):
        wanted = " or ".join(sorted(kinds - {"null"})) or "null"
        return "" if values else f"{quoted(text)} is no {wanted}; input_schema wants one"
    problems = [schema.problems({name: value}) for value in values]
    if values and not all(problems):
        return ""
    said = problems[0][0] if problems else f"{name}: got {quoted(text)}"
    return f"does not fit input_schema: {said}"


def _values(text: str, kinds: frozenset[str]) -> list[Any]:
    """Everything that the text can stand for, of the kinds asked for; a cell knows only text."""
    readers: dict[str, Callable[[str], Any]] = {
        "integer": lambda t: int(t) if _INTEGER.fullmatch(t) else None,
        "number": lambda t: float(t) if _NUMBER.fullmatch(t) else None,
        "boolean": lambda t: {"true": True, "false": False}.get(t.casefold()),
        "date": _date,
        "array": lambda t: _json(t, list),
        "object": lambda t: _json(t, dict),
    }
    found = [read(text.strip()) for kind, read in readers.items() if kind in kinds]
    if "string" in kinds or not kinds:
        found.append(text)
    return [value for value in found if value is not None]


def _date(text: str) -> str | None:
    try:
        return date.fromisoformat(text).isoformat() if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def _json(text: str, kind: type) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, kind) else None


def _check_addresses(path: Path, samples: Sequence[Sample], task: TaskSpec) -> None:
    """A sample opens its url, else the start_url filled with its columns."""
    needed = list(dict.fromkeys(placeholders.names(task.start_url or "")))
    for sample in samples:
        if url := sample.columns.get("url"):
            if problem := url_problem(url):
                raise SamplesError(
                    f"{quoted(url)} {problem}", file=path, row=sample.row, column="url"
                )
            continue
        for name in needed:
            if not sample.columns[name].strip():
                raise SamplesError(
                    "is empty, but start_url is made from it and the row has no url of its own",
                    file=path,
                    row=sample.row,
                    column=name,
                )
        if needed:
            _check_start_url(path, sample, task, needed)


def _check_start_url(path: Path, sample: Sample, task: TaskSpec, needed: Sequence[str]) -> None:
    url = placeholders.filled_url(task.start_url, sample.columns.__getitem__) or ""
    if problem := url_problem(url):
        raise SamplesError(
            f"start_url becomes {quoted(url)}, which {problem}",
            file=path,
            row=sample.row,
            column=needed[0],
        )


def _check_xfail(path: Path, samples: Sequence[Sample], task: TaskSpec) -> None:
    ids = {sample.sample_id for sample in samples}
    for name in task.xfail:
        if name not in ids:
            raise SamplesError(
                f"the spec's xfail names {quoted(name)}, which is no sample{nearest(name, ids)}",
                file=path,
            )
