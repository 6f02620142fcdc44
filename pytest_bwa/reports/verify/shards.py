"""A merged run: its shards are whole, and together they are the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from heapq import merge
from itertools import islice, zip_longest
from pathlib import Path

from pytest_bwa.errors import BwaError
from pytest_bwa.evidence.folder import RUN, SAMPLES, RunFolder
from pytest_bwa.evidence.integrity.manifest import (
    MANIFEST,
    file_digests,
    is_sample_folder,
    listed_digests,
    manifest_digest,
)
from pytest_bwa.evidence.run_record import SHARDS, MergedShard, RunRecord
from pytest_bwa.reports.verify.fault import Fault
from pytest_bwa.reports.verify.files import ManifestCheck
from pytest_bwa.reports.verify.seals import check_signature
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import SampleList, read_samples
from pytest_bwa.spec.table.on_disk import sorted_names

Digests = dict[str, str]
Entry = tuple[str, str]
"""The name of a file and its digest."""


def check_shards(folder: Path, record: RunRecord, samples: SampleList) -> Iterator[Fault]:
    """What does not fit in the shards of a merged run. What the manifests of the samples say is
    compared with the files elsewhere."""
    known = {shard.folder for shard in record.merged}
    there = {f"{SHARDS}/{path.name}" for path in (folder / SHARDS).glob("*")}
    for name in sorted(there - known):
        yield Fault(name, f"is not a shard that {RUN} names")
    if not record.merged or not (folder / MANIFEST).is_file():
        return
    run, rows = RunFolder(folder), 0
    for shard in record.merged:
        own = RunFolder(folder / shard.folder)
        try:
            listed, own_record = read_samples(own.path / SAMPLES), own.record()
        except (BwaError, OSError) as problem:
            yield Fault(shard.folder, f"cannot be read: {problem}")
            continue
        yield from _check_shard(shard, own, own_record, run, listed)
        of_run = islice(samples.samples, shard.number - 1, None, shard.of)
        pairs = zip_longest(_names(of_run), _names(listed.samples))
        rows += len(listed.samples) if all(one == other for one, other in pairs) else 0
    if rows != len(samples.samples):
        yield Fault(SAMPLES, "does not have the samples of the shards, in the order of the list")


def merged_run_of(folder: Path) -> Path | None:
    """The merged run of which a folder has a shard's own files; None for any other folder."""
    place = folder.resolve()
    whole = place.parent.parent
    if place.parent.name != SHARDS or not (whole / RUN).is_file():
        return None
    try:
        merged = RunFolder(whole).record().merged
    except BwaError:
        return None
    return whole if f"{SHARDS}/{place.name}" in {shard.folder for shard in merged} else None


def files_of_shard(whole: RunFolder, shard: RunFolder) -> Iterator[Entry]:
    """The files of a shard in a merged run, in the order of their names in the shard's manifest:
    its own, and those in the folders of its samples, which lie in the merged run.
    Raises InputError or OSError."""
    return _files(whole, shard, read_samples(shard.path / SAMPLES), file_digests)


def _files(
    whole: RunFolder, shard: RunFolder, listed: SampleList, digests_of: Callable[[Path], Digests]
) -> Iterator[Entry]:
    own = sorted(file_digests(shard.path).items())
    return merge(own, _sample_files(whole, shard, listed, digests_of))


def _sample_files(
    whole: RunFolder, shard: RunFolder, listed: SampleList, digests_of: Callable[[Path], Digests]
) -> Iterator[Entry]:
    for place in sorted_names(f"{shard.place(name)}/" for name in _names(listed.samples)):
        folder = whole.sample(place.split("/")[-2])
        found = digests_of(folder)
        if (folder / MANIFEST).is_file():
            found[MANIFEST] = manifest_digest(folder)
        yield from ((f"{place}{file}", found[file]) for file in sorted(found))


def _names(samples: Iterable[Sample]) -> Iterator[str]:
    return (sample.sample_id for sample in samples)


def _check_shard(
    shard: MergedShard, own: RunFolder, record: RunRecord, run: RunFolder, listed: SampleList
) -> Iterator[Fault]:
    """The shard's manifest names its own files and those of its samples."""
    if manifest_digest(own.path) != shard.manifest_sha256:
        yield Fault(f"{shard.folder}/{MANIFEST}", f"has a SHA-256 other than {RUN} says")
    for fault in ManifestCheck(own.path).faults_of(_files(run, own, listed, _listed)):
        name = next((part for part in fault.file.split("/")[:-1] if listed.find(part)), "")
        is_sample = bool(name) and fault.file.startswith(f"{own.place(name)}/")
        problem = f"{fault.problem} (of the shard {shard.number}/{shard.of})"
        yield Fault(fault.file, problem) if is_sample else fault.in_folder(shard.folder)
    own_part = (record.shard.number, record.shard.of) if record.shard else (1, 1)
    if own_part != (shard.number, shard.of):
        yield Fault(f"{shard.folder}/{RUN}", f"is the shard {own_part[0]}/{own_part[1]}")
    # Whose key it is, nobody says here: each machine may have its own.
    faults, _ = check_signature(own.path, None)
    yield from (fault.in_folder(shard.folder) for fault in faults)


def _listed(sample: Path) -> Digests:
    """What the manifest of a sample says, which is compared with its files elsewhere; those of the
    files where that is not done."""
    with suppress(OSError):
        if is_sample_folder(sample):
            return listed_digests(sample)
    return file_digests(sample)
