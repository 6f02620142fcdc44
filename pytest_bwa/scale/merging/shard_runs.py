"""The runs that are merged: each verified, and all of the same task, list and versions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest
from pathlib import Path

from pytest_bwa.errors import BwaError, InputError, MergeRefused
from pytest_bwa.evidence.checks import CheckRecord
from pytest_bwa.evidence.folder import RUN, SPEC, RunFolder
from pytest_bwa.evidence.integrity.manifest import manifest_digest
from pytest_bwa.evidence.integrity.origin import other_versions
from pytest_bwa.evidence.run_record import PopulationRecord, RunRecord
from pytest_bwa.reports.base import FinishedRun, read_finished_run
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.shard import ListShard, Shard, ids_digest
from pytest_bwa.steps.text import first_of

MAX_NAMED = 10
"""Samples and rows that one line names."""


@dataclass(frozen=True, slots=True)
class ShardRun:
    """A run that has ended and verifies."""

    run: FinishedRun
    listed: ListShard
    """Its part of the list; a run of a whole list is the shard 1/1 of it."""
    manifest_sha256: str
    system_files: frozenset[Path] = frozenset()
    """What other programs have left in its folder."""

    @property
    def path(self) -> Path:
        return self.run.folder.path

    @property
    def record(self) -> RunRecord:
        return self.run.record

    @property
    def samples(self) -> Sequence[Sample]:
        return self.run.samples.samples


def read_shards(paths: Sequence[Path]) -> list[ShardRun]:
    """The runs, by the numbers of their shards. Raises MergeRefused, with a line for each reason
    why they are not all of one list."""
    if not paths:
        raise MergeRefused(["name the runs that are to be merged"])
    shards, problems = [], []
    for path in paths:
        try:
            shards.append(_read(path))
        except BwaError as problem:
            problems.append(str(problem))
    shards.sort(key=lambda shard: (shard.listed.of, shard.listed.number, str(shard.path)))
    if not problems:
        problems = list(chain.from_iterable(_differences(shards[0], one) for one in shards[1:]))
        problems = problems or [*_doubled(shards), *_missing(shards)]
    if problems := problems or _other_rows(shards):
        raise MergeRefused(problems)
    return shards


def _read(path: Path) -> ShardRun:
    """Raises BwaError for what is no run, has not ended, or is not as it was written."""
    folder = RunFolder(path)
    record = folder.record()
    if record.finished_at is None:
        raise InputError(f"{path} has no end: it is still running, or resume it with --resume")
    if record.merged:
        raise InputError(f"{path} is merged already: name the runs that it was merged from")
    verified = verify(path)
    if faults := verified.faults:
        more = f" (and {len(faults) - 1} more)" if faults[1:] else ""
        raise InputError(f"{path} does not verify: {faults[0]}{more}")
    run = read_finished_run(folder)
    samples = run.samples.samples
    whole = ListShard(1, 1, len(samples), ids_digest(sample.sample_id for sample in samples))
    left = frozenset(path / name for name in verified.system_files)
    return ShardRun(run, record.shard or whole, manifest_digest(path), left)


def in_order(shards: Sequence[ShardRun]) -> Iterator[Sample]:
    """The samples in the order of the list: all its shards are there, in their order."""
    return filter(None, chain.from_iterable(zip_longest(*(shard.samples for shard in shards))))


# -- what is not the same ------------------------------------------------------------------------

_ASKED: tuple[tuple[str, Callable[[RunRecord], object]], ...] = (
    ("task", lambda record: record.task_id),
    ("policy", lambda record: record.policy),
    ("model", lambda record: record.model or "none"),
    ("--not-found", lambda record: record.current.not_found),
    ("--fail-on", lambda record: ", ".join(record.current.fail_on) or "nothing"),
    ("--pick", lambda record: _drawn(record.population)),
    ("--check", lambda record: _checked(record.check)),
    ("--recipe", lambda record: record.recipe.mode if record.recipe else "off"),
)
"""What all runs must have been asked for alike."""


def _drawn(population: PopulationRecord | None) -> str:
    return f"{population.method} (seed {population.seed})" if population else "all rows"


def _checked(check: CheckRecord | None) -> str:
    return f"{100 * check.rate:g} % {check.model}".strip() if check else "none"


def _differences(first: ShardRun, other: ShardRun) -> Iterator[str]:
    """In what a run differs from the first one, a line for each."""
    both = f"{first.path} and {other.path} are not of the same"
    mine, theirs = first.record, other.record
    if mine.spec.sha256 != theirs.spec.sha256 or mine.spec.copy_sha256 != theirs.spec.copy_sha256:
        yield f"{both} spec: {_spec_changes(first, other)}"
    if not _is_same_list(first, other):
        rows = f"{first.listed.rows} and {other.listed.rows} samples"
        digests = f"{mine.samples.sha256[:12]}… and {theirs.samples.sha256[:12]}…"
        yield f"{both} list: {rows}, with the SHA-256 {digests}"
    elif first.listed.of != other.listed.of:
        yield f"{both} number of shards: {first.listed.of} and {other.listed.of}"
    for name, one, another in other_versions(_versions(mine), _versions(theirs)):
        yield f"{both} version: {name} {one} and {another}"
    for name, of in _ASKED:
        if of(mine) != of(theirs):
            yield f"{both} {name}: {of(mine)} and {of(theirs)}"


def _is_same_list(first: ShardRun, other: ShardRun) -> bool:
    one, another = first.listed, other.listed
    if (one.rows, one.ids_sha256) != (another.rows, another.ids_sha256):
        return False
    # Every walk over a listing writes its own times into the list that it finds.
    were_found = first.record.discovery is not None and other.record.discovery is not None
    return were_found or first.record.samples.sha256 == other.record.samples.sha256


def _spec_changes(first: ShardRun, other: ShardRun) -> str:
    one, another = (json.loads((shard.path / SPEC).read_bytes()) for shard in (first, other))
    keys = [key for key in one | another if one.get(key) != another.get(key)]
    return f"they differ in {', '.join(keys)}" if keys else "they say the same in different words"


def _versions(record: RunRecord) -> dict[str, str]:
    """Those of all its sessions."""
    found: dict[str, list[str]] = {}
    for versions in (record.versions, *(session.versions for session in record.resumed)):
        for name, version in versions.items():
            found.setdefault(name, []).append(version)
    return {name: " then ".join(dict.fromkeys(used)) for name, used in found.items()}


# -- what is not there once ----------------------------------------------------------------------


def _doubled(shards: Sequence[ShardRun]) -> Iterator[str]:
    for one, other in pairwise(shards):
        if one.listed.number == other.listed.number:
            names = _named([sample.sample_id for sample in other.samples])
            yield (
                f"{one.path} and {other.path} are both the shard {one.listed.shard}: "
                f"they have the same samples{names}"
            )


def _missing(shards: Sequence[ShardRun]) -> Iterator[str]:
    listed = shards[0].listed
    there = {shard.listed.number for shard in shards}
    for number in range(1, listed.of + 1):
        if number not in there:
            shard = Shard(number, listed.of)
            # As a spreadsheet counts: the header is row 1.
            rows = [str(place + 2) for place in shard.places(listed.rows)]
            yield f"the shard {shard} is missing: rows of the list{_named(rows)}"


def _other_rows(shards: Sequence[ShardRun]) -> list[str]:
    """Why the samples of all shards are not those of the list."""
    if ids_digest(s.sample_id for s in in_order(shards)) == shards[0].listed.ids_sha256:
        return []
    names = [sample.sample_id for sample in in_order(shards)]
    twice = [name for name, count in Counter(names).items() if count > 1]
    what = f"samples are in several shards{_named(twice)}" if twice else "other samples"
    return [f"the {RUN} of the shards and their samples do not fit together: {what}"]


def _named(names: Sequence[str]) -> str:
    return f": {first_of(names, MAX_NAMED) or 'none'}"
