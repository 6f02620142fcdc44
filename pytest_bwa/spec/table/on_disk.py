"""What is too long for the memory stays on the disk: a list of samples, and the ids of a run.

The database is a temporary file without a name: it goes when nobody uses it any more, also if the
process is killed.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import weakref
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, islice
from typing import overload

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.sample import Sample

MOST_IN_MEMORY = 10_000
"""Samples, of which each takes 0.9 KB. On the disk, finding one takes 0.01 ms."""


def kept(samples: Iterable[Sample]) -> Sequence[Sample]:
    """The samples for as many passes as are wanted; of many, only one is in memory at a time. None
    may have a secret, because the disk keeps what a file that is gone had."""
    rest = iter(samples)
    first = tuple(islice(rest, MOST_IN_MEMORY + 1))
    return SamplesOnDisk(chain(first, rest)) if len(first) > MOST_IN_MEMORY else first


def first_twins(samples: Sequence[Sample]) -> tuple[Sample, Sample] | None:
    """Two samples whose ids differ at most in case; None if there are none."""
    if isinstance(samples, SamplesOnDisk):
        return samples.first_twins()
    by_id: dict[str, Sample] = {}
    for sample in samples:
        twin = by_id.setdefault(sample.sample_id.casefold(), sample)
        if twin is not sample:
            return twin, sample
    return None


def sorted_names(names: Iterable[str]) -> Collection[str]:
    """The names in their order; many of them are on the disk."""
    rest = iter(names)
    first = list(islice(rest, MOST_IN_MEMORY + 1))
    return _NamesOnDisk(chain(first, rest)) if len(first) > MOST_IN_MEMORY else sorted(first)


class SamplesOnDisk(Sequence[Sample]):
    """Samples in the order of their list, which can also be found by their ids."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        """Raises SamplesError if the disk has no room for them."""
        rows = (
            (place, s.sample_id, s.sample_id.casefold(), s.row, _cells(s))
            for place, s in enumerate(samples)
        )
        columns = "place INTEGER PRIMARY KEY, name TEXT, folded TEXT, row INTEGER, cells TEXT"
        self._database, self._length = _filled(columns, rows, by="folded")
        weakref.finalize(self, self._database.close)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Sample]:
        return self._read("ORDER BY place")

    @overload
    def __getitem__(self, place: int) -> Sample: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Sample]: ...

    def __getitem__(self, place: int | slice) -> Sample | Sequence[Sample]:
        if isinstance(place, slice):
            first, end, step = place.indices(self._length)
            if step < 0:
                return kept(self[number] for number in range(first, end, step))
            which = "WHERE place >= ? AND place < ? AND (place - ?) % ? = 0 ORDER BY place"
            return kept(self._read(which, first, end, first, step))
        number = range(self._length)[place]  # raises IndexError
        return next(self._read("WHERE place = ?", number))

    def find(self, sample_id: str) -> Sample | None:
        """The sample with this id; None if there is none."""
        folded = sample_id.casefold()
        found = self._read("WHERE folded = ? AND name = ? ORDER BY place", folded, sample_id)
        return next(found, None)

    def first_twins(self) -> tuple[Sample, Sample] | None:
        twice = "SELECT folded FROM kept GROUP BY folded HAVING COUNT(*) > 1 LIMIT 1"
        found = list(self._read(f"WHERE folded = ({twice}) ORDER BY place LIMIT 2"))
        return (found[0], found[1]) if found else None

    def _read(self, which: str, *values: object) -> Iterator[Sample]:
        for name, row, cells in self._database.execute(
            f"SELECT name, row, cells FROM kept {which}", values
        ):
            columns, expected = json.loads(cells)
            yield Sample(name, columns, row, expected=expected)


def _cells(sample: Sample) -> str:
    return json.dumps([dict(sample.columns), dict(sample.expected)])


class _NamesOnDisk(Collection[str]):
    """Names in their order."""

    def __init__(self, names: Iterable[str]) -> None:
        """Raises SamplesError if the disk has no room for them."""
        self._database, self._length = _filled("name TEXT", ((name,) for name in names), by="name")
        weakref.finalize(self, self._database.close)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        # A generator function: it holds the database as long as somebody iterates.
        for (name,) in self._database.execute("SELECT name FROM kept ORDER BY name"):
            yield name

    def __contains__(self, name: object) -> bool:
        found = self._database.execute("SELECT 1 FROM kept WHERE name = ?", (name,))
        return found.fetchone() is not None


def _filled(
    columns: str, rows: Iterable[tuple[object, ...]], by: str
) -> tuple[sqlite3.Connection, int]:
    """A temporary database of these rows, which are found by this column, and how many there are.
    Raises SamplesError."""
    # Any thread may close it: the one in which the last reference goes.
    database = sqlite3.connect("", check_same_thread=False, isolation_level=None)
    marks = ", ".join("?" for _ in columns.split(","))
    with ExitStack() as unless_filled:
        unless_filled.callback(database.close)
        try:
            database.execute("PRAGMA journal_mode = OFF")
            database.execute(f"CREATE TABLE kept ({columns})")
            database.execute("BEGIN")
            database.executemany(f"INSERT INTO kept VALUES ({marks})", rows)
            database.execute("COMMIT")
            database.execute(f"CREATE INDEX kept_by ON kept ({by})")
            (length,) = database.execute("SELECT COUNT(*) FROM kept").fetchone()
        except sqlite3.Error as error:
            raise SamplesError(
                f"long lists are kept there while they are read: {error}; set TMPDIR to another "
                "folder",
                file=tempfile.gettempdir(),
            ) from error
        unless_filled.pop_all()
    return database, length
