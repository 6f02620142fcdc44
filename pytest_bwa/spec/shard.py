"""A shard: every n-th sample of a list, so that several machines can share it.

Every start of pytest loads this module: it needs nothing that takes long to load.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pytest_bwa.errors import InputError

_FORM = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Shard:
    """What ``--shard 2/4`` asks for: the second, sixth, tenth … sample of the list."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Raises InputError for anything but ``k/n`` with k from 1 to n."""
        if found := _FORM.fullmatch(text.strip()):
            shard = cls(int(found[1]), int(found[2]))
            if 1 <= shard.number <= shard.of:
                return shard
        raise InputError(f'--shard takes k/n with k from 1 to n, such as 2/4, not "{text}"')

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @property
    def name(self) -> str:
        """In the form of a file name."""
        return f"{self.number}-of-{self.of}"

    def places(self, rows: int) -> range:
        """The places of its samples in a list of so many, from 0."""
        return range(self.number - 1, rows, self.of)


@dataclass(frozen=True, slots=True)
class ListShard:
    """The shard that a run has of its list: part of run.json."""

    number: int
    of: int
    rows: int
    """How many samples the whole list has."""
    ids_sha256: str
    """Of their ids, one a line. By this, lists that were found by two walks are known to be the
    same, although each has its own times."""

    @property
    def shard(self) -> Shard:
        return Shard(self.number, self.of)

    @property
    def samples(self) -> int:
        """How many of them are the shard's."""
        return len(self.shard.places(self.rows))


def ids_digest(names: Iterable[str]) -> str:
    """The SHA-256 of the ids of a whole list, one a line."""
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\n".encode())
    return digest.hexdigest()


def new_run_id(shard: Shard | None = None) -> str:
    """The name of a run folder: the time, and the shard, so that the folders of all shards can lie
    side by side."""
    time = datetime.now().strftime("run_%Y-%m-%d_%H%M%S")
    return f"{time}_{shard.name}" if shard else time
