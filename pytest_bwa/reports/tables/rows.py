"""What the tables of a run have: a row for each sample, and a row for each item of an array."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.reviews import Review
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import JUDGMENT_KEYS, TaskSpec

OWN_COLUMNS = ("sample_id", "status", "outcome", "flagged", "steps", "notes", "evidence")
LATER_COLUMNS = (
    "started_at", "seconds", "policy", "model", "cost_usd", "final_url", "reviewed_by",
)  # fmt: skip
REVIEWS_COLUMN = "reviews"
"""What was decided; only in a table that is made after a review."""
Kind = Literal["plain", "date", "time", "sample", "address"]
Reviews = Mapping[str, tuple[Review, ...]]


@dataclass(frozen=True, slots=True)
class Column:
    """``kind`` says how a spreadsheet shows it; ``sample`` is an id that leads to its page."""

    name: str
    kind: Kind = "plain"


@dataclass(frozen=True, slots=True)
class Table:
    """Values as the results have them. ``field`` is the array whose items these are; empty for the
    table of the samples."""

    field: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]


def tables_of(run: FinishedRun) -> list[Table]:
    """The table of the samples, then one for each field that may hold an array."""
    addresses = {r.sample_id: run.folder.final_address(r.sample_id) for r in run.results}
    samples, inputs = run.samples.samples, run.samples.columns
    reviews = run.reviews or None
    table = samples_table(run.task, samples, inputs, run.results, addresses, reviews)
    return [table, *item_tables(run.task, run.results)]


def samples_table(
    task: TaskSpec,
    samples: Iterable[Sample],
    inputs: Sequence[str],
    results: Iterable[SampleResult],
    addresses: Mapping[str, str],
    reviews: Reviews | None = None,
) -> Table:
    """One row for each result, sorted by sample_id. ``addresses`` has the page on which each sample
    ended."""
    by_id = {sample.sample_id: sample for sample in samples}
    rows = []
    for result in sorted(results, key=lambda r: r.sample_id):
        sample = by_id.get(result.sample_id)
        input_values = [
            sample.columns.get(name, "") if sample else "" for name in inputs if name != "sample_id"
        ]
        extracted = [result.extracted.get(name) for name in task.output_schema]
        answers = result.judgment.model_dump() if result.judgment else {}
        judgment = [answers.get(key) for key in _judgment_keys(task)]
        own = [result.flagged, result.steps, _notes(result), result.sample_id]
        first = [result.sample_id, result.status, result.outcome]
        later = _later(result, addresses.get(result.sample_id, ""), reviews)
        rows.append((*first, *input_values, *extracted, *judgment, *own, *later))
    columns = tuple(_columns(task, inputs, with_reviews=reviews is not None))
    return Table("", columns, tuple(rows))


def column_names(task: TaskSpec, inputs: Sequence[str]) -> list[str]:
    """All columns of the samples, each name once.

    An output field with the name of one of our first columns (a ticket's ``status``) gets the
    prefix ``output_``; an input column with the name of any other column gets ``input_``. Our later
    columns give way: a field ``model`` keeps its name, and ours is ``run_model``.
    """
    return [column.name for column in _columns(task, inputs, with_reviews=False)]


def _columns(task: TaskSpec, inputs: Sequence[str], *, with_reviews: bool) -> Iterator[Column]:
    judgment = [f"judgment_{key}" for key in _judgment_keys(task)]
    taken = {*OWN_COLUMNS, *judgment}
    fields = [_unique(name, "output_", taken) for name in task.output_schema]
    input_names = [_unique(name, "input_", taken) for name in inputs if name != "sample_id"]
    own_kinds: dict[str, Kind] = {"started_at": "time", "final_url": "address"}
    later = (*LATER_COLUMNS, *([REVIEWS_COLUMN] if with_reviews else ()))
    yield Column("sample_id", "sample")
    yield from map(Column, (*OWN_COLUMNS[1:3], *input_names))
    schema = OutputSchema(task.output_schema)
    for name, field in zip(fields, task.output_schema, strict=True):
        yield Column(name, _kind(schema, field))
    yield from map(Column, (*judgment, *OWN_COLUMNS[3:]))
    for name in later:
        yield Column(_unique(name, "run_", taken), own_kinds.get(name, "plain"))


def _unique(name: str, prefix: str, taken: set[str]) -> str:
    while name in taken:
        name = prefix + name
    taken.add(name)
    return name


def _kind(schema: OutputSchema, field: str) -> Kind:
    kinds = schema.kinds(field)
    return "date" if "date" in kinds and "string" not in kinds else "plain"


def _judgment_keys(task: TaskSpec) -> list[str]:
    """The keys of a judgment in their order; none if the task asks for no judgment."""
    return [*JUDGMENT_KEYS, *task.extra_judgment_keys] if task.judgment_required else []


def _notes(result: SampleResult) -> str:
    """The reason and the notes, each part once."""
    parts = [part for note in (result.reason, *result.notes) for part in note.split("; ") if part]
    return "; ".join(dict.fromkeys(parts))


def _later(result: SampleResult, address: str, reviews: Reviews | None) -> list[Any]:
    cost = result.usage.cost_usd
    own = (reviews or {}).get(result.sample_id, ())
    values = [
        result.started_at, _seconds(result), result.policy, result.model,
        "unknown" if cost is None else cost, address,
        ", ".join(dict.fromkeys(review.reviewer for review in own)),
    ]  # fmt: skip
    return values if reviews is None else [*values, "; ".join(r.sentence for r in own)]


def _seconds(result: SampleResult) -> float | None:
    """How long the sample took; None if that is not known."""
    try:
        started, ended = map(datetime.fromisoformat, (result.started_at, result.finished_at))
        return round((ended - started).total_seconds(), 3)
    except (ValueError, TypeError):
        return None


# -- the items of arrays -------------------------------------------------------------------------


def item_tables(task: TaskSpec, results: Iterable[SampleResult]) -> Iterator[Table]:
    """For each field that may hold an array a table with a row for each item: the sample_id, the
    number of the item, and its properties, or the item itself under the field's name."""
    ordered = sorted(results, key=lambda r: r.sample_id)
    for field in task.array_fields:
        items = [
            (result.sample_id, number, item)
            for result in ordered
            if isinstance(values := result.extracted.get(field), list)
            for number, item in enumerate(values, 1)
        ]
        yield _item_table(field, _properties(task, field), items)


def _properties(task: TaskSpec, field: str) -> Mapping[str, Any]:
    form = task.output_schema[field]
    items = form.get("items") if isinstance(form, Mapping) else None
    found = items.get("properties") if isinstance(items, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _item_table(
    field: str, properties: Mapping[str, Any], items: Sequence[tuple[str, int, Any]]
) -> Table:
    seen = [key for _, _, item in items if isinstance(item, Mapping) for key in item]
    keys = list(dict.fromkeys([*properties, *seen]))
    has_plain = not keys or any(not isinstance(item, Mapping) for _, _, item in items)
    taken = {"sample_id", "item"}
    schema = OutputSchema({k: v for k, v in properties.items() if isinstance(v, Mapping)})
    columns = [Column("sample_id", "sample"), Column("item")]
    columns += [Column(_unique(key, "item_", taken), _kind(schema, key)) for key in keys]
    if has_plain:
        columns.append(Column(_unique(field, "item_", taken)))
    rows = []
    for sample_id, number, item in items:
        is_object = isinstance(item, Mapping)
        values = [item.get(key) if is_object else None for key in keys]
        rows.append((sample_id, number, *values, *([None if is_object else item] * has_plain)))
    return Table(field, tuple(columns), tuple(rows))
