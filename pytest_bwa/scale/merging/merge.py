"""``bwa merge``: the runs of the shards of a list become one run folder like any other.

What a sample left lies in its folder, as in every run. What a shard left beside its samples, its
run.json and its manifest among them, lies in ``shards/1-of-4/``, and stays as it was: so both the
whole and each shard can be verified, and no evidence is there twice.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from heapq import merge
from operator import attrgetter
from pathlib import Path

from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.files import (
    copy_digests,
    make_folder,
    sha256_of,
    write_atomically,
    write_json,
)
from pytest_bwa.evidence.folder import (
    COMBINED_XLSX,
    POPULATION,
    RUN,
    SAMPLES,
    SPEC,
    RunFolder,
)
from pytest_bwa.evidence.integrity.manifest import write_manifests
from pytest_bwa.evidence.integrity.origin import PACKAGES
from pytest_bwa.evidence.reviews import REVIEWS, joined_reviews, read_reviews
from pytest_bwa.evidence.run_record import SHARDS, RunRecord
from pytest_bwa.evidence.trajectory.merge import join_files
from pytest_bwa.evidence.trajectory.schema import FILE as TRAJECTORY
from pytest_bwa.policy.recipe.recipe import RECIPE
from pytest_bwa.reports.base import FinishedRun, read_finished_run
from pytest_bwa.reports.combined import write_csv_files, write_workbook
from pytest_bwa.reports.handover.report import write_run_page
from pytest_bwa.reports.tables.rows import tables_of
from pytest_bwa.reports.totals import totals_of
from pytest_bwa.scale.merging.shard_runs import ShardRun, in_order, read_shards
from pytest_bwa.scale.merging.whole_record import whole_record
from pytest_bwa.spec.redaction import redact_addresses
from pytest_bwa.spec.samples import read_samples
from pytest_bwa.spec.table.on_disk import kept

SAME = (SPEC, PACKAGES, RECIPE, POPULATION)
"""What is also a file of the whole, if all shards have the same."""


@dataclass(frozen=True, slots=True)
class MergedRun:
    """The run that was made of several, and the samples that none of them has a result of."""

    folder: RunFolder
    record: RunRecord
    without_result: tuple[str, ...]


def merge_runs(
    runs: Sequence[Path], out: Path, named: Mapping[str, str] | None = None
) -> MergedRun:
    """Make the run folder ``out`` of the runs of all shards of a list. The same runs make the same
    bytes, and a merge that was killed leaves nothing in its place. ``named`` has the paths of the
    spec and the list, by the names of their copies, if the runs were made of copies of these.

    Raises MergeRefused if the runs are not the shards of one list, or one of them is not as it was
    written; InputError if ``out`` is something else already; EvidenceError if the disk refuses it.
    """
    shards = read_shards(runs)
    target = out.resolve()  # "." has no name
    # In a folder of its own, so that half of a merge is never found among the runs.
    temporary = target.parent / f".{target.name}.merging"
    shutil.rmtree(temporary, ignore_errors=True)
    if out.exists() or out.is_symlink():
        return _merged_before(shards, out)
    try:
        make_folder(temporary / target.name)
        _write(shards, RunFolder(temporary / target.name), named or {})
        (temporary / target.name).rename(target)
    except OSError as error:
        raise EvidenceError(f"cannot write {out}: {error}") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return _described(RunFolder(out))


def _merged_before(shards: Sequence[ShardRun], out: Path) -> MergedRun:
    """The merge of the same runs, which is there. Raises InputError if it is anything else."""
    folder = RunFolder(out)
    with suppress(EvidenceError):
        merged = {shard.manifest_sha256 for shard in folder.record().merged}
        if merged == {shard.manifest_sha256 for shard in shards}:
            return _described(folder)
    raise InputError(f"{out} exists and is not a merge of these runs: name a new folder with --out")


def _described(folder: RunFolder) -> MergedRun:
    record, samples = folder.record(), read_samples(folder.path / SAMPLES).samples
    names = (sample.sample_id for sample in samples)
    missing = [name for name in names if not folder.has_result(name)]
    return MergedRun(folder, record, tuple(missing))


def _write(shards: Sequence[ShardRun], folder: RunFolder, named: Mapping[str, str]) -> None:
    """Raises OSError or EvidenceError."""
    first = shards[0].run.samples
    samples = replace(first, samples=kept(in_order(shards)))
    folder.write_list(samples.csv_lines())
    for name in SAME:
        _take_common(shards, folder.path, name)
    inputs = copy_digests(folder.path, (SPEC, SAMPLES))
    for name, path in named.items():
        inputs[name]["path"] = redact_addresses(path)
    files = [file for shard in shards if (file := shard.path / TRAJECTORY).is_file()]
    problems = join_files(files, folder.path) if files else []
    _join_reviews(shards, folder.path)
    results = merge(*(s.run.results for s in shards), key=attrgetter("sample_id"))
    totals = totals_of(results)
    record = whole_record(shards, folder.path.name, samples, totals, inputs, problems)
    write_json(folder.path / RUN, record)
    for shard in shards:
        _take(shard, folder)
    # Their reviews are beside the run, and so are the reports with them.
    run = replace(read_finished_run(folder), reviews={}, counted=totals)
    _write_reports(shards, run)
    write_manifests(folder.path)


def _take(shard: ShardRun, target: RunFolder) -> None:
    """Put the samples' folders of a shard beside those of the others, and all else into a folder of
    its own."""
    source, taken = shard.run.folder, set()
    for sample in shard.samples:
        place = source.sample(sample.sample_id)
        taken.add(place.relative_to(source.path).parts[0])
        if place.is_dir():
            _link_all(place, target.sample(sample.sample_id), shard.system_files)
    own = target.path / SHARDS / shard.listed.shard.name
    own.mkdir(parents=True)

    def left(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if Path(folder, name) in shard.system_files]

    for path in sorted(shard.path.iterdir()):
        if path.name not in taken and path.is_dir():
            shutil.copytree(path, own / path.name, ignore=left)
        elif path.name not in taken and path not in shard.system_files:
            shutil.copy2(path, own / path.name)


def _link_all(source: Path, target: Path, system_files: Container[Path]) -> None:
    """The files of a sample's folder, which was verified: it has no links."""
    target.mkdir(parents=True)
    with os.scandir(source) as entries:
        for entry in entries:
            if entry.is_dir():
                _link_all(Path(entry.path), target / entry.name, system_files)
            elif Path(entry.path) not in system_files:
                _link(entry.path, f"{target}/{entry.name}")


def _link(source: str, target: str) -> None:
    """A second name for the same file, which takes no space; a copy where that cannot be. Nothing
    writes into a file of a sample's folder: a new one takes its place."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _take_common(shards: Sequence[ShardRun], target: Path, name: str) -> None:
    paths = [shard.path / name for shard in shards]
    if all(path.is_file() for path in paths) and len(set(map(sha256_of, paths))) == 1:
        shutil.copyfile(paths[0], target / name)


def _join_reviews(shards: Sequence[ShardRun], target: Path) -> None:
    """What was decided of a shard holds of the whole; the file of each shard is in its folder."""
    content = joined_reviews(r for shard in shards for r in read_reviews(shard.path).reviews)
    if content:
        write_atomically(target / REVIEWS, content)


def _write_reports(shards: Sequence[ShardRun], run: FinishedRun) -> None:
    tables = tables_of(run)
    write_csv_files(run.folder.path, tables)
    if any((shard.path / COMBINED_XLSX).is_file() for shard in shards):
        write_workbook(run.folder.path, tables)
    write_run_page(run)
