"""Loads the samples list and checks it before any browser starts, without changing any value."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pytest_bwa.errors import InputError, SamplesError
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.draw import Draw, rows_alike
from pytest_bwa.spec.known import PREFIX, check_known, known_numbers, like_known, split
from pytest_bwa.spec.messages import printable_name, quote_value, suggest_name
from pytest_bwa.spec.network.urls import url_problem
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.sample import COLUMNS_OF_PAGE, Sample
from pytest_bwa.spec.sample_ids import id_problem
from pytest_bwa.spec.secrets import lacks_cells, redactor_of, set_apart
from pytest_bwa.spec.shard import ListShard, Shard, ids_digest
from pytest_bwa.spec.table.cells import check_cells
from pytest_bwa.spec.table.on_disk import SamplesOnDisk, first_twins, kept
from pytest_bwa.spec.table.rows import Row, read_rows
from pytest_bwa.spec.task import TaskSpec

RECIPE_SAMPLES = 3
"""How many samples must teach the same before there is a recipe."""
MAX_NAMED_ROWS = 10_000
START_URL = "the spec's start_url"
"""The source of a list that no file has."""


@dataclass(frozen=True, slots=True)
class Population:
    """The whole list, and how the samples were drawn from it."""

    listed: SampleList
    draw: Draw


@dataclass(frozen=True, slots=True)
class SampleList:
    """The samples in file order, with the columns and the hash of their file."""

    samples: Sequence[Sample]
    """A tuple, or for the long list of a run folder samples that stay on the disk."""
    columns: tuple[str, ...]
    source: str
    sha256: str
    notes: tuple[str, ...] = ()
    """Sentences for the user, printed in the header of the run."""
    shard: ListShard | None = None
    """Which part of the list these are; None if they are all of it."""
    population: Population | None = None
    """The list that these were drawn from; None if they were not drawn."""
    known: tuple[str, ...] = ()
    """The fields of which some rows say what is expected."""
    _by_id: dict[str, Sample] = field(default_factory=dict, init=False, repr=False, compare=False)
    _names: list[frozenset[str]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    def drawn(self, draw: Draw | None) -> SampleList:
        """The samples that are drawn, in the order of the list; ``sha256`` stays that of the whole
        list. Raises SamplesError if the list has too few, or not the column."""
        if draw is None:
            return self
        if draw.by and draw.by not in self.columns:
            hint = suggest_name(draw.by, self.columns)
            raise SamplesError(
                f"--by {draw.by}: the list has no such column{hint}", file=self.source
            )
        if draw.count > (rows := len(self.samples)):
            raise SamplesError(
                f"--pick {draw.count} is more than the {rows} rows of the list", file=self.source
            )
        names = draw.of(self.samples)
        own = tuple(sample for sample in self.samples if sample.sample_id in names)
        notes = self.notes
        if alike := rows_alike(self.samples):
            again = "row repeats" if alike == 1 else "rows repeat"
            notes += (f"warning: {alike} {again} another in all columns but sample_id: the "
                      "population may list something twice",)  # fmt: skip
        return replace(self, samples=own, notes=notes, population=Population(self, draw))

    def part(self, shard: Shard | None) -> SampleList:
        """Every n-th sample; ``sha256`` stays that of the whole list."""
        if shard is None:
            return self
        rows = len(self.samples)
        own = self.samples[shard.number - 1 :: shard.of]
        digest = ids_digest(sample.sample_id for sample in self.samples)
        listed = ListShard(shard.number, shard.of, rows, digest)
        return replace(self, samples=own, shard=listed)

    def with_teachers_first(
        self, known: Sequence[Sample], *, without: Container[str]
    ) -> tuple[Sample, ...]:
        """The samples, beginning with those of which something is known and then the first of each
        shape, as many of them as a recipe needs and none with these ids. Two rows have the same
        shape if they fill the same columns."""
        shapes: dict[frozenset[str], Sample] = {}
        for sample in self.samples:
            if sample.sample_id not in without:
                filled = frozenset(name for name, text in sample.columns.items() if text.strip())
                shapes.setdefault(filled, sample)
        good = (sample for sample in known if sample.sample_id not in without)
        first = (*good, *islice(shapes.values(), RECIPE_SAMPLES))
        return tuple({sample.sample_id: sample for sample in (*first, *self.samples)}.values())

    def names(self) -> frozenset[str]:
        """What tells the samples from each other: the values of the columns in which no two are
        equal; of a long list, those of its first rows."""
        if not self._names:
            columns: defaultdict[str, list[str]] = defaultdict(list)
            for sample in islice(self.samples, MAX_NAMED_ROWS):
                for name, value in sample.names.items():
                    columns[name].append(value)
            apart = [values for values in columns.values() if len(set(values)) == len(values)]
            self._names.append(frozenset(v for values in apart for v in values))
        return self._names[0]

    def to_csv(self) -> str:
        """Return the list as CSV with unchanged values: comma-separated, CRLF, sample_id first."""
        return "".join(self.csv_lines())

    def csv_lines(self) -> Iterator[str]:
        """The rows of the same, one by one."""
        columns = ["sample_id", *(c for c in self.columns if c != "sample_id")]
        header = [*columns, *(f"{PREFIX}{name}" for name in self.known)]
        out = io.StringIO(newline="")
        # CRLF: the writer quotes only its own line-end characters, and a cell may contain either.
        writer = csv.writer(out, lineterminator="\r\n")

        def cells(sample: Sample) -> list[str]:
            known = (sample.expected.get(name, "") for name in self.known)
            return [*(sample.columns[column] for column in columns), *known]

        for row in chain([header], map(cells, self.samples)):
            writer.writerow(row)
            yield out.getvalue()
            out.seek(0)
            out.truncate()

    def get(self, sample_id: str) -> Sample:
        """Raises KeyError if the list has no such sample."""
        if isinstance(self.samples, SamplesOnDisk):
            if (sample := self.samples.find(sample_id)) is None:
                raise KeyError(sample_id)
            return sample
        if not self._by_id:
            self._by_id.update((sample.sample_id, sample) for sample in self.samples)
        return self._by_id[sample_id]

    def find(self, sample_id: str) -> Sample | None:
        """The sample; None if the list has no such one."""
        try:
            return self.get(sample_id)
        except KeyError:
            return None


def load_samples(path: Path, task: TaskSpec, *, spec: Path | None = None) -> SampleList:
    """Load the samples and check them against the task.

    A fault is a SamplesError that names the file, the row and the column. A placeholder that is
    not a column is a SpecError, which names ``spec`` if it is given.
    """
    # In memory, because its cells may be secret.
    columns, numbers = named_columns(task), number_columns(task) | known_numbers(task)
    sample_list = read_samples(path, columns, keep=tuple, numbers=numbers)
    if not sample_list.samples:
        raise SamplesError("there is a header but no sample below it", file=path)
    # First, because a column that is called otherwise is also missing in the goal that uses it.
    notes = check_header(path, sample_list.columns, task)
    placeholders.check(task, sample_list.columns, spec or task.task_id)
    samples, secret_notes = set_apart(sample_list.samples, task, str(path))
    try:
        check_columns(path, sample_list.columns, sample_list.samples, task)
        check_known(path, sample_list.known, samples, task)
    except SamplesError as error:  # it quotes the value that it complains of
        for sample in samples:
            error.args = tuple(map(redactor_of(task, sample), map(str, error.args)))
        raise
    notes = [*sample_list.notes, *notes, *secret_notes]
    return replace(sample_list, samples=samples, notes=tuple(notes))


def read_samples(
    path: Path,
    known_columns: Sequence[str] = (),
    *,
    keep: Callable[[Iterable[Sample]], Sequence[Sample]] = kept,
    numbers: Collection[str] = (),
) -> SampleList:
    """Read the samples and check rows and ids, but not against a task.

    For a list that was checked when its run began, or that has no task yet. It may have no sample:
    the shard of a short list. ``keep`` says where the samples are. If ``known_columns`` are given,
    it must have one of them.
    """
    table = read_rows(path, known_columns or RESERVED_COLUMNS, numbers)
    notes = [*table.notes, *check_similar_names(path, table.header, known_columns)]
    if known_columns:
        check_any_known(path, table.header, known_columns)
    has_no_ids = "sample_id" not in table.header
    if has_no_ids:
        notes.append(f"{path.name}: no sample_id column: ids are made from the row numbers")
    header = ("sample_id", *table.header) if has_no_ids else table.header
    samples = keep(_checked_rows(path, header, table.rows, has_ids=not has_no_ids))
    _check_twins(path, samples)
    columns, known = split(header)
    return SampleList(samples, columns, str(path), table.sha256, tuple(notes), known=known)


def sample_list_for_url(url: str) -> SampleList:
    """Return the list for ``--url``: one sample, with an id made from the address."""
    if problem := url_problem(url):
        raise SamplesError(f"{quote_value(url)} {problem}", file="--url")
    parts = urlsplit(url)
    raw = f"{parts.netloc.rpartition('@')[2]}{parts.path}"
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", raw).strip("_")[:60] or "sample"
    if id_problem(name):
        name = f"url_{name}"
    return _page(name, url, url, key=url)


def sample_list_of_start_url(task: TaskSpec) -> SampleList:
    """Return the list of a spec that names its only page itself: one sample, called as the task,
    which is the page at that address."""
    return _page(task.task_id, task.start_url or "", START_URL, key=task.task_id)


def _page(name: str, url: str, source: str, *, key: str) -> SampleList:
    sample = Sample(name, dict(zip(COLUMNS_OF_PAGE, (name, url), strict=True)), 2)
    return SampleList((sample,), COLUMNS_OF_PAGE, source, hashlib.sha256(key.encode()).hexdigest())


def restored(
    written: SampleList, task: TaskSpec, source: str, sha256: str, url: str | None
) -> SampleList:
    """The list of a run folder with what that does not say, which only its ``source`` or the
    ``url`` has. Raises SamplesError if the source is another one now."""
    if not lacks_cells(written.samples):
        return written
    try:
        if source == START_URL:
            whole = sample_list_of_start_url(task)
        else:
            whole = sample_list_for_url(url) if url else load_samples(Path(source), task)
    except InputError:
        whole = None
    if whole is None or whole.sha256 != sha256:
        raise SamplesError(
            "the run folder has no secrets and no tokens of addresses, so they are read from this "
            "list, which has changed or is not there",
            file=source,
        )
    names = {sample.sample_id for sample in written.samples}  # a shard has some of them
    return replace(written, samples=tuple(s for s in whole.samples if s.sample_id in names))


def _checked_rows(
    path: Path, header: Sequence[str], rows: Iterable[Row], *, has_ids: bool
) -> Iterator[Sample]:
    for row, cells in rows:
        texts = cells if has_ids else (f"row_{row}", *cells)
        cells_by_name = dict(zip(header, texts, strict=True))
        columns = {n: text for n, text in cells_by_name.items() if not n.startswith(PREFIX)}
        known = {n.removeprefix(PREFIX): cells_by_name[n] for n in header if n not in columns}
        sample_id = columns["sample_id"]
        if problem := id_problem(sample_id):
            raise SamplesError(problem, file=path, row=row, column="sample_id")
        yield Sample(sample_id, columns, row, expected=known)


def _check_twins(path: Path, samples: Sequence[Sample]) -> None:
    if (twins := first_twins(samples)) is not None:
        first, second = twins
        is_same = first.sample_id == second.sample_id
        problem = "is already used" if is_same else f'differs only in case from "{first.sample_id}"'
        raise SamplesError(
            f'"{second.sample_id}" {problem} in row {first.row}; rename one',
            file=path,
            row=second.row,
            column="sample_id",
        )


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
    list lacks, and for one that says what is expected in a way that is not read so."""
    schema = OutputSchema(task.input_schema)
    notes = []
    for name in header:
        if (field := like_known(name)) and name not in task.input_schema:
            raise SamplesError(
                f'rename the column to "{PREFIX}{field}"',
                file=path,
                row=1,
                column=printable_name(name),
            )
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
            cells = ((sample.row, sample.columns[name]) for sample in samples)
            check_cells(path, name, cells, partial(_cell_problem, name, schema))
    _check_addresses(path, samples, task)
    _check_xfail(path, samples, task)


def _cell_problem(name: str, schema: OutputSchema, text: str) -> str:
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
