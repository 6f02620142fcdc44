"""The chunks of a run that was stopped before they began, as runs that have no result."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pytest_bwa.evidence.files import make_folder, sha256, write_atomically, write_json
from pytest_bwa.evidence.folder import RUN, SAMPLES, SPEC, RunFolder
from pytest_bwa.evidence.integrity.manifest import write_manifests
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.reports.combined import write_csv_files
from pytest_bwa.reports.handover.report import write_run_page
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.tables.rows import tables_of
from pytest_bwa.scale.cluster.job import ExitStatus, shard_run_id
from pytest_bwa.scale.cluster.kept_shards import KeptShards
from pytest_bwa.scale.merging.merge import SAME
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.samples import SampleList, load_samples
from pytest_bwa.spec.secrets import as_written
from pytest_bwa.spec.shard import Shard
from pytest_bwa.steps.step import Usage


def write_missing(
    kept: KeptShards, samples_file: Path, folder: Path, reason: str
) -> Iterator[Path]:
    """Make a run below ``folder`` for each chunk of which none came back: what it was asked for is
    what the others were, and no sample was run. Raises InputError, EvidenceError or OSError."""
    example = RunFolder(kept.folders()[0])
    record, task = example.record(), load_task(example.path / SPEC)
    listed = load_samples(samples_file, task)
    for chunk in kept.missing():
        chunks = kept.record.chunks
        run = RunFolder(folder / shard_run_id(kept.record.run_id, chunk, chunks))
        part = listed.part(Shard(chunk, chunks))
        own = tuple(as_written(sample, task) for sample in part.samples)
        make_folder(run.path)
        for path in (example.path / name for name in SAME):
            if path.exists():
                shutil.copy2(path, run.path)
        text = replace(part, samples=own).to_csv().encode()
        write_atomically(run.path / SAMPLES, text)
        write_json(run.path / RUN, _begun(record, run.path.name, part, sha256(text)))
        finished = finish_run(run, ExitStatus.INTERRUPTED, reason)
        write_csv_files(run.path, tables_of(finished))
        write_run_page(finished)
        write_manifests(run.path)
        yield run.path


def _begun(example: RunRecord, run_id: str, part: SampleList, list_sha256: str) -> RunRecord:
    """run.json of a chunk that has not begun, by that of another one."""
    rows, asked = len(part.samples), example.current
    return RunRecord(
        run_id=run_id,
        task_id=example.task_id,
        workpaper=example.workpaper,
        policy=example.policy,
        model=example.model,
        base_url=example.base_url,
        not_found=asked.not_found,
        fail_on=asked.fail_on,
        versions=example.versions,
        spec=example.spec,
        samples=example.samples.model_copy(update={"copy_sha256": list_sha256, "rows": rows}),
        shard=part.shard,
        prompt=example.prompt,
        preparation_usage=Usage(),
        started_at=example.started_at,
        samples_in=rows,
        fan_out=example.fan_out,
        recipe=example.recipe,
    )
