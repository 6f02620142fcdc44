"""Checks the columns of a samples list against the task: input_schema, url, start_url, xfail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.messages import printable_name, quote_value, suggest_name
from pytest_bwa.spec.network.urls import url_problem
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec

MOST_QUOTED = 5
RESERVED_COLUMNS = ("sample_id", "url", "xfail")
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def named_columns(task: TaskSpec) -> tuple[str, ...]:
    """The reserved columns, and those whose names are in the spec."""
    secret = [source.column for source in task.secrets.values() if source.column]
    named = (*task.input_schema, *placeholders.used(task), *secret, *task.output_schema)
    return tuple(dict.fromkeys((*RESERVED_COLUMNS, *named)))


def number_columns(task: TaskSpec) -> frozenset[str]:
    """The columns that input_schema calls numbers."""
    schema = OutputSchema(task.input_schema)
    return frozenset(n for n in task.input_schema if {"number", "integer"} & schema.kinds(n))


def check_header(path: Path, header: Sequence[str], task: TaskSpec) -> list[str]:
    """Return notes for the user; raise SamplesError for a column that input_schema names and the
    list lacks."""
    schema = OutputSchema(task.input_schema)
    notes = []
    for name in task.input_schema:
        if name in header:
            continue
        if "null" in schema.kinds(name):
            notes.append(f"{path.name}: no column {quote_value(name)}; input_schema allows null")
            continue
        columns = ", ".join(map(printable_name, header))
        hint = suggest_name(name, header) or f" (columns: {columns})"
        raise SamplesError(
            f"input_schema names this column, but the list has none of that name{hint}",
            file=path,
            row=1,
            column=printable_name(name),
        )
    return notes


def check_similar_names(
    path: Path, header: Sequence[str], known_columns: Sequence[str]
) -> list[str]:
    """Report columns whose names resemble reserved ones, such as "URL" for "url".

    For "Sample ID" it is an error: otherwise ids would be made up, although the file has some.
    """
    notes = []
    for reserved in RESERVED_COLUMNS:
        for name in header:
            is_similar = re.sub(r"[^a-z0-9]", "", name.casefold()) == reserved.replace("_", "")
            if reserved in header or not is_similar or name in known_columns:
                continue
            if reserved == "sample_id":
                raise SamplesError(
                    'rename the column to "sample_id"',
                    file=path,
                    row=1,
                    column=printable_name(name),
                )
            notes.append(
                f'{path.name}: the column "{printable_name(name)}" is not read as "{reserved}"; '
                "rename it"
            )
    return notes


def check_any_known(path: Path, header: Sequence[str], known: Sequence[str]) -> None:
    """Raise SamplesError if no column is known: so is a file that another character separates."""
    if not set(known).isdisjoint(header):
        return
    names = ", ".join(f"“{printable_name(name)}”" for name in header[:MOST_QUOTED])
    if len(header) == 1:
        marks = dict.fromkeys(c for c in header[0] if not c.isalnum() and c not in " _-.")
        asked = f"is {' or '.join(marks)} the separator?" if marks else "it is not known"
        problem = f"one column {names}: {asked}"
    else:
        more = ", …" if len(header) > MOST_QUOTED else ""
        problem = f"no column is known: {names}{more}"
    expected = ", ".join(known)
    raise SamplesError(
        f"{problem}; the spec and this tool know {expected}, separated by commas",
        file=path,
        row=1,
    )


def check_columns(
    path: Path, header: Sequence[str], samples: Sequence[Sample], task: TaskSpec
) -> None:
    """Raise SamplesError for the first fault in the cells.

    The caller has already checked that every placeholder names a column.
    """
    schema = OutputSchema(task.input_schema)
    for name in task.input_schema:
        if name in header:
            _check_column(path, name, samples, schema)
    _check_addresses(path, samples, task)
    _check_xfail(path, samples, task)


def _check_column(path: Path, name: str, samples: Sequence[Sample], schema: OutputSchema) -> None:
    problems: dict[str, str] = {}  # many rows of a column often have the same text
    for sample in samples:
        text = sample.columns[name]
        if text not in problems:
            problems[text] = _cell_problem(name, text, schema)
        if problems[text]:
            raise SamplesError(
                problems[text], file=path, row=sample.row, column=printable_name(name)
            )


def _cell_problem(name: str, text: str, schema: OutputSchema) -> str:
    """Return why the text of a cell does not match the column's schema, or an empty string."""
    kinds = schema.kinds(name)
    if not text.strip():
        may_be_empty = "null" in kinds or not kinds
        return "" if may_be_empty else "is empty, but input_schema does not allow null here"
    values = _possible_values(text, kinds)
    if schema.is_short(name):
        expected = " or ".join(sorted(kinds - {"null"})) or "null"
        problem = f"{quote_value(text)} is not a valid {expected}, as input_schema requires"
        return "" if values else problem
    problems = [schema.problems({name: value}) for value in values]
    if values and not all(problems):
        return ""
    problem = problems[0][0] if problems else f"{name}: got {quote_value(text)}"
    return f"does not match input_schema: {problem}"


def _possible_values(text: str, kinds: frozenset[str]) -> list[Any]:
    """Return every value of the allowed kinds that the text of a cell can mean."""
    readers: dict[str, Callable[[str], Any]] = {
        "integer": lambda t: int(t) if _INTEGER.fullmatch(t) else None,
        "number": lambda t: float(t) if _NUMBER.fullmatch(t) else None,
        "boolean": lambda t: {"true": True, "false": False}.get(t.casefold()),
        "date": _read_date,
        "array": lambda t: _read_json(t, list),
        "object": lambda t: _read_json(t, dict),
    }
    values = [read(text.strip()) for kind, read in readers.items() if kind in kinds]
    if "string" in kinds or not kinds:
        values.append(text)
    return [value for value in values if value is not None]


def _read_date(text: str) -> str | None:
    try:
        return date.fromisoformat(text).isoformat() if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def _read_json(text: str, kind: type) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, kind) else None


def _check_addresses(path: Path, samples: Sequence[Sample], task: TaskSpec) -> None:
    """Check the address of each sample: its url, or else the start_url filled from its columns."""
    needed = list(dict.fromkeys(placeholders.names(task.start_url or "")))
    for sample in samples:
        if url := sample.columns.get("url"):
            if problem := url_problem(url):
                raise SamplesError(
                    f"{quote_value(url)} {problem}", file=path, row=sample.row, column="url"
                )
            continue
        for name in needed:
            if not sample.columns[name].strip():
                raise SamplesError(
                    "is empty, but start_url contains it and the row has no url of its own",
                    file=path,
                    row=sample.row,
                    column=name,
                )
        if needed:
            _check_start_url(path, sample, task, needed)


def _check_start_url(path: Path, sample: Sample, task: TaskSpec, needed: Sequence[str]) -> None:
    url = placeholders.fill_url(task.start_url, sample.columns.__getitem__) or ""
    if problem := url_problem(url):
        raise SamplesError(
            f"start_url becomes {quote_value(url)}, which {problem}",
            file=path,
            row=sample.row,
            column=needed[0],
        )


def _check_xfail(path: Path, samples: Sequence[Sample], task: TaskSpec) -> None:
    ids = {sample.sample_id for sample in samples}
    for name in task.xfail:
        if name not in ids:
            hint = suggest_name(name, ids)
            raise SamplesError(
                f"the spec's xfail names {quote_value(name)}, but no sample has this id{hint}",
                file=path,
            )
