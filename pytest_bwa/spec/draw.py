"""A sample of a population: rows of a list that are drawn at random, the same by the same seed.

Every start of pytest loads this module: it needs nothing that takes long to load.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_bwa.spec.sample import Sample

SEEDS = 10**6
"""A seed that nobody gives is below this: short enough to be read out."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What ``--pick 25 --seed 7 --by region`` asks for."""

    count: int
    seed: int
    by: str = ""
    """The column in proportion to whose values is drawn; empty for none."""

    @property
    def method(self) -> str:
        """In words, as run.json and the pages have it."""
        return f"at random, in proportion to {self.by}" if self.by else "at random"

    def of(self, population: Iterable[Sample]) -> frozenset[str]:
        """The ids of the rows that are drawn. A larger count takes the same rows and more, and rows
        in another order give the same."""
        ranked = sorted(self._ranked(population))
        return frozenset(sample_id for *_, sample_id in ranked[: self.count])

    def _ranked(self, population: Iterable[Sample]) -> Iterator[tuple[float, bytes, str]]:
        """Each row by a number of its own that only the seed and the id decide. Where a column
        divides the rows, its groups take turns, each as often as it is large."""
        groups: defaultdict[str, list[tuple[bytes, str]]] = defaultdict(list)
        for sample in population:
            number = number_by(self.seed, sample.sample_id)
            group = sample.columns[self.by].strip() if self.by else ""
            groups[group].append((number, sample.sample_id))
        for rows in groups.values():
            for rank, (number, sample_id) in enumerate(sorted(rows)):
                turn = (rank + 0.5) / len(rows) if self.by else 0.0
                yield turn, number, sample_id


def number_by(seed: object, sample_id: str) -> bytes:
    """What puts rows in an order that looks random, and that only the seed and the ids decide."""
    return hashlib.sha256(f"{seed}\n{sample_id}".encode()).digest()


def new_seed() -> int:
    """A seed for those who give none; it is recorded."""
    return secrets.randbelow(SEEDS)


def rows_alike(population: Iterable[Sample]) -> int:
    """How many rows say the same as an earlier one in all columns but their id."""
    seen: Counter[bytes] = Counter()
    for sample in population:
        cells = [text for name, text in sample.columns.items() if name != "sample_id"]
        cells += sample.secrets.values()
        seen[hashlib.sha256("\0".join(cells).encode()).digest()] += any(cells)
    return sum(number - 1 for number in seen.values() if number > 1)
