"""A merged run: its shards are whole, and together they are the run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_bwa.errors import BwaError
from pytest_bwa.evidence.folder import RUN, SAMPLES, RunFolder
from pytest_bwa.evidence.integrity.manifest import (
    MANIFEST,
    OUTSIDE,
    file_digests,
    manifest_digest,
    manifest_entries,
)
from pytest_bwa.evidence.run_record import SHARDS, MergedShard, RunRecord
from pytest_bwa.spec.samples import SampleList, read_samples
from pytest_bwa.verify.fault import Fault
from pytest_bwa.verify.files import check_files
from pytest_bwa.verify.signature import check_signature

Digests = dict[str, str]


def check_shards(folder: Path, record: RunRecord, samples: SampleList) -> Iterator[Fault]:
    """What does not fit in the shards of a merged run. Their manifests are compared with that of
    the run, which the files are compared with elsewhere."""
    known = {shard.folder for shard in record.merged}
    there = {f"{SHARDS}/{path.name}" for path in (folder / SHARDS).glob("*")}
    for name in sorted(there - known):
        yield Fault(name, f"is no shard that {RUN} names")
    if not record.merged or not (folder / MANIFEST).is_file():
        return
    run, listed = RunFolder(folder), _grouped(folder, samples)
    rows: dict[int, str] = {}
    for shard in record.merged:
        own = RunFolder(folder / shard.folder)
        try:
            names, own_record = _names(own.path), own.record()
        except (BwaError, OSError) as problem:
            yield Fault(shard.folder, f"cannot be read: {problem}")
            continue
        digests = {n: d for n, d in listed.get(shard.folder, {}).items() if n not in OUTSIDE}
        for name in names:
            place = own.place(name)
            of_sample = listed.get(run.place(name), {})
            digests |= {f"{place}/{file}": digest for file, digest in of_sample.items()}
        yield from _check_shard(shard, own, own_record, {own.place(n) for n in names}, digests)
        places = range(shard.number - 1, len(samples.samples), shard.of)
        rows.update(zip(places, names, strict=False))
    yield from _check_rows(rows, samples)


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


def sample_digests(whole: Path, shard: Path) -> Digests:
    """The digests of the samples of a shard, whose folders lie in the merged run, by their names in
    the shard's manifest."""
    run, own = RunFolder(whole), RunFolder(shard)
    digests: Digests = {}
    for name in _names(shard):
        folder, place = run.sample(name), own.place(name)
        found = file_digests(folder)
        if (folder / MANIFEST).is_file():
            found[MANIFEST] = manifest_digest(folder)
        digests |= {f"{place}/{file}": digest for file, digest in found.items()}
    return digests


def _names(shard: Path) -> list[str]:
    """Raises InputError or OSError."""
    return [sample.sample_id for sample in read_samples(shard / SAMPLES).samples]


def _grouped(folder: Path, samples: SampleList) -> dict[str, Digests]:
    """What the run's manifest says of each sample's and each shard's folder, by the names of the
    files in it."""
    run = RunFolder(folder)
    folders = {run.place(sample.sample_id) for sample in samples.samples}
    found: dict[str, Digests] = {}
    with (folder / MANIFEST).open("rb") as lines:
        for name, digest in filter(None, manifest_entries(lines)):
            parts = name.split("/")
            depths = range(1, len(parts))
            place = next((p for d in depths if (p := "/".join(parts[:d])) in folders), "")
            if parts[0] == SHARDS:
                place = "/".join(parts[:2])
            found.setdefault(place, {})[name.removeprefix(f"{place}/")] = digest
    return found


def _check_shard(
    shard: MergedShard, own: RunFolder, record: RunRecord, places: set[str], listed: Digests
) -> Iterator[Fault]:
    """The shard's manifest names its own files and those in the ``places`` of its samples, which
    lie beside the samples of the others; ``listed`` has the digests of both."""
    if manifest_digest(own.path) != shard.manifest_sha256:
        yield Fault(f"{shard.folder}/{MANIFEST}", f"has another SHA-256 than {RUN} says")
    for fault in check_files(own.path, listed):
        is_sample = any(fault.file.startswith(f"{place}/") for place in places)
        problem = f"{fault.problem} (of the shard {shard.number}/{shard.of})"
        yield Fault(fault.file, problem) if is_sample else fault.below(shard.folder)
    own_part = (record.shard.number, record.shard.of) if record.shard else (1, 1)
    if own_part != (shard.number, shard.of):
        yield Fault(f"{shard.folder}/{RUN}", f"is the shard {own_part[0]}/{own_part[1]}")
    # Whose key it is, nobody says here: each machine may have its own.
    faults, _ = check_signature(own.path, None)
    yield from (fault.below(shard.folder) for fault in faults)


def _check_rows(rows: Mapping[int, str], samples: SampleList) -> Iterator[Fault]:
    """The list of the run has the samples of its shards, each at its place."""
    if [rows[place] for place in sorted(rows)] != [s.sample_id for s in samples.samples]:
        yield Fault(SAMPLES, "does not have the samples of the shards, in the order of the list")
