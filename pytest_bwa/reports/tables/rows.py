"""What the tables of a run have: a row for each sample, and a row for each item of an array."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Literal

from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.reviews import Review
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.samples import SampleList
from pytest_bwa.spec.task import JUDGMENT_KEYS, TaskSpec

OWN_COLUMNS = ("sample_id", "status", "outcome", "flagged", "steps", "notes", "evidence")
LATER_COLUMNS = (
    "started_at", "seconds", "policy", "model", "cost_usd", "final_url", "reviewed_by", "test",
)  # fmt: skip
KNOWN_COLUMNS = ("as_expected", "differences")
"""Only of a list that says what is expected."""
REVIEWS_COLUMN = "reviews"
"""What was decided; only in a table that is made after a review."""
UNKNOWN = "unknown"
"""The cost of a model without a known price; null in a table with types."""
Kind = Literal["plain", "date", "time", "sample", "address"]
Type = Literal["string", "double", "int64", "bool", "money"]
Reviews = Mapping[str, tuple[Review, ...]]
Place = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Column:
    """``kind`` says how a spreadsheet shows it; ``sample`` is an id that leads to its page.
    ``type`` is that of its values where the form of the table has types."""

    name: str
    kind: Kind = "plain"
    type: Type = "string"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that are made anew, from the files, for each pass over them: a table of any size takes
    no memory."""

    make: Callable[[], Iterator[tuple[Any, ...]]]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self.make()


@dataclass(frozen=True, slots=True)
class Table:
    """Values as the results have them. ``field`` is the array whose items these are; empty for the
    table of the samples."""

    field: str
    columns: tuple[Column, ...]
    rows: Rows
    place: Place = str
    """The folder of a sample, relative to that of the run."""


def tables_of(run: FinishedRun) -> list[Table]:
    """The table of the samples, then one for each field that may hold an array."""

    def test_of(sample_id: str) -> str:
        report = run.folder.item_report(sample_id)
        return "" if report is None else report.cell

    samples, place = SamplesTable(run.task, run.samples, run.folder.place), run.folder.place
    table = samples.of(run.results, run.folder.final_address, test_of, run.reviews or None)
    return [table, *item_tables(run.task, run.results, place)]


@dataclass(frozen=True, slots=True)
class SamplesTable:
    """Makes the table that has one row for each result, in their order."""

    task: TaskSpec
    samples: SampleList
    place: Place = str

    def of(
        self,
        results: Iterable[SampleResult],
        address_of: Callable[[str], str],
        test_of: Callable[[str], str],
        reviews: Reviews | None = None,
    ) -> Table:
        """``address_of`` says the page on which a sample ended, and ``test_of`` what became of its
        test."""
        inputs = [name for name in self.samples.columns if name != "sample_id"]
        judgment_keys = _judgment_keys(self.task)

        def row(result: SampleResult) -> tuple[Any, ...]:
            name = result.sample_id
            sample = self.samples.find(name)
            cells = sample.columns if sample else {}
            own = (reviews or {}).get(name, ())
            answers = result.judgment.model_dump() if result.judgment else {}
            return (
                *(name, result.status, result.outcome),
                *(cells.get(column, "") for column in inputs),
                *(result.extracted.get(field) for field in self.task.output_schema),
                *(answers.get(key) for key in judgment_keys),
                *(result.flagged, result.steps, _notes(result), self.place(name)),
                *_later(result, address_of(name), test_of(name), own),
                *(_known(result) if self.samples.known else ()),
                *(() if reviews is None else ["; ".join(review.sentence for review in own)]),
            )

        own = (*LATER_COLUMNS, *(KNOWN_COLUMNS if self.samples.known else ()))
        later = (*own, *(() if reviews is None else (REVIEWS_COLUMN,)))
        columns = _columns(self.task, self.samples.columns, later)
        return Table("", tuple(columns), Rows(lambda: map(row, results)), self.place)


def _columns(task: TaskSpec, inputs: Sequence[str], later: Sequence[str]) -> Iterator[Column]:
    """All columns of the samples, each name once.

    An output field with the name of one of our first columns (a ticket's ``status``) gets the
    prefix ``output_``; an input column with the name of any other column gets ``input_``. Our later
    columns give way: a field ``model`` keeps its name, and ours is ``run_model``.
    """
    judgment = [f"judgment_{key}" for key in _judgment_keys(task)]
    taken = {*OWN_COLUMNS, *judgment}
    fields = [_unique(name, "output_", taken) for name in task.output_schema]
    input_names = [_unique(name, "input_", taken) for name in inputs if name != "sample_id"]
    yield Column("sample_id", "sample")
    yield from map(Column, (*OWN_COLUMNS[1:3], *input_names))
    schema = OutputSchema(task.output_schema)
    for name, field in zip(fields, task.output_schema, strict=True):
        yield Column(name, _kind(schema, field), _type(schema, field))
    for name in (*judgment, *OWN_COLUMNS[3:]):
        yield Column(name, type=_OWN_TYPES.get(name, "string"))
    for name in later:
        kind, own_type = _OWN_KINDS.get(name, "plain"), _OWN_TYPES.get(name, "string")
        yield Column(_unique(name, "run_", taken), kind, own_type)


_OWN_KINDS: Mapping[str, Kind] = {"started_at": "time", "final_url": "address"}
_OWN_TYPES: Mapping[str, Type] = {
    "judgment_confidence": "double",
    "flagged": "bool",
    "steps": "int64",
    "seconds": "double",
    "cost_usd": "money",
}


def _unique(name: str, prefix: str, taken: set[str]) -> str:
    while name in taken:
        name = prefix + name
    taken.add(name)
    return name


def _kind(schema: OutputSchema, field: str) -> Kind:
    kinds = schema.kinds(field)
    return "date" if "date" in kinds and "string" not in kinds else "plain"


def _type(schema: OutputSchema, field: str) -> Type:
    """The type of a field whose values are all of one; text has room for all others."""
    types: Mapping[frozenset[str], Type] = {
        frozenset({"number"}): "double",
        frozenset({"number", "integer"}): "double",
        frozenset({"integer"}): "int64",
        frozenset({"boolean"}): "bool",
    }
    return types.get(schema.kinds(field) - {"null"}, "string")


def _judgment_keys(task: TaskSpec) -> list[str]:
    """The keys of a judgment in their order; none if the task asks for no judgment."""
    return [*JUDGMENT_KEYS, *task.extra_judgment_keys] if task.judgment_required else []


def _notes(result: SampleResult) -> str:
    """The reason and the notes, each part once."""
    parts = [part for note in (result.reason, *result.notes) for part in note.split("; ") if part]
    return "; ".join(dict.fromkeys(parts))


def _known(result: SampleResult) -> tuple[str, str]:
    return result.as_expected_word, "; ".join(result.differences)


def _later(result: SampleResult, address: str, test: str, reviews: Sequence[Review]) -> list[Any]:
    cost = result.usage.cost_usd
    return [
        result.started_at, _seconds(result), result.policy, result.model,
        UNKNOWN if cost is None else cost, address,
        ", ".join(dict.fromkeys(review.reviewer for review in reviews)), test,
    ]  # fmt: skip


def _seconds(result: SampleResult) -> float | None:
    """How long the sample took; None if that is not known."""
    try:
        started, ended = map(datetime.fromisoformat, (result.started_at, result.finished_at))
        return round((ended - started).total_seconds(), 3)
    except (ValueError, TypeError):
        return None


# -- the items of arrays -------------------------------------------------------------------------


def item_tables(
    task: TaskSpec, results: Iterable[SampleResult], place: Place = str
) -> Iterator[Table]:
    """For each field that may hold an array a table with a row for each item: the sample_id, the
    number of the item, and its properties, or the item itself under the field's name."""
    tables = {field: _ItemTable(field, _properties(task, field)) for field in task.array_fields}
    for result in results if tables else ():
        for table in tables.values():
            table.learn(result)
    for table in tables.values():
        rows = Rows(partial(table.rows, results))
        yield Table(table.field, table.columns, rows, place)


def _properties(task: TaskSpec, field: str) -> Mapping[str, Any]:
    form = task.output_schema[field]
    items = form.get("items") if isinstance(form, Mapping) else None
    found = items.get("properties") if isinstance(items, Mapping) else None
    return found if isinstance(found, Mapping) else {}


class _ItemTable:
    """The columns of a field's items, which follow from the items of all samples, and their
    rows."""

    def __init__(self, field: str, properties: Mapping[str, Any]) -> None:
        self.field, self._properties = field, properties
        self._keys = dict.fromkeys(properties)
        self._found_plain = False

    def learn(self, result: SampleResult) -> None:
        for item in self._items(result):
            if isinstance(item, Mapping):
                self._keys.update(dict.fromkeys(item))
            else:
                self._found_plain = True

    @property
    def _has_plain(self) -> bool:
        return self._found_plain or not self._keys

    @property
    def columns(self) -> tuple[Column, ...]:
        taken = {"sample_id", "item"}
        forms = {k: v for k, v in self._properties.items() if isinstance(v, Mapping)}
        schema = OutputSchema(forms)
        columns = [Column("sample_id", "sample"), Column("item", type="int64")]
        for key in self._keys:
            name = _unique(key, "item_", taken)
            columns.append(Column(name, _kind(schema, key), _type(schema, key)))
        if self._has_plain:
            columns.append(Column(_unique(self.field, "item_", taken)))
        return tuple(columns)

    def rows(self, results: Iterable[SampleResult]) -> Iterator[tuple[Any, ...]]:
        for result in results:
            for number, item in enumerate(self._items(result), 1):
                is_object = isinstance(item, Mapping)
                values = [item.get(key) if is_object else None for key in self._keys]
                plain = [None if is_object else item] * self._has_plain
                yield (result.sample_id, number, *values, *plain)

    def _items(self, result: SampleResult) -> list[Any]:
        items = result.extracted.get(self.field)
        return items if isinstance(items, list) else []
