"""The shards of a list, run by the classes that make real runs; and the list as one run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from plans import opened, plan_in
from unit.reports.verify.conftest import SPEC, write_sample

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.trajectory.schema import FILE, connect
from pytest_bwa.reports.base import ReportContext
from pytest_bwa.reports.registry import Reports
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.spec.shard import Shard

NAMES = ("zoe", "adam", "cyd", "bo", "eve")
SHARDS = 3


def make_run(
    folder: Path, run_id: str, shard: str = "", left_out: Sequence[str] = (), combined: str = "csv"
) -> Path:
    """A finished run over the list in ``folder``."""
    part = Shard.parse(shard) if shard else None
    audit = opened(plan_in(folder, run_id=run_id, shard=part, combined=(combined,)))
    assert audit.folder is not None
    for sample in audit.samples.samples:
        if sample.sample_id not in left_out:
            write_sample(audit.folder, sample.sample_id, folder / "download")
    write_trajectory(audit.folder, [sample.sample_id for sample in audit.samples.samples])
    audit.folder.add_note(f"the disk was slow on machine {shard or 'one'}")
    end_run(audit.folder, combined)
    return audit.folder.path


def write_trajectory(run: RunFolder, names: Sequence[str]) -> None:
    with closing(connect(run.path / FILE)) as connection:
        connection.executemany(
            "INSERT INTO samples (sample_id, goal, columns, status, started_at) "
            "VALUES (?, 'Read it.', '{}', 'done', '2026-11-22T10:00:00Z')",
            [(name,) for name in names],
        )
        connection.execute("PRAGMA journal_mode = DELETE")


def end_run(run: RunFolder, combined: str = "csv") -> None:
    reports = Reports(ReportContext(combined=(combined,)))
    ended = (finish_run(run, 0, ""),)
    reports.run_finished(ended)
    reports.seal(ended)
    assert reports.problems == []


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runs ``1``, ``2`` and ``3`` of three shards, and ``plain``; only to be copied."""
    folder = tmp_path_factory.mktemp("shards")
    (folder / "spec.json").write_text(json.dumps(SPEC))
    rows = "".join(f"{name},https://x.org/{name}\n" for name in NAMES)
    (folder / "samples.csv").write_text(f"sample_id,url\n{rows}")
    make_run(folder, "plain", combined="xlsx")
    for number in range(1, SHARDS + 1):
        make_run(folder, str(number), f"{number}/{SHARDS}", combined="xlsx")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy that a test may change: ``evidence`` has the runs."""
    copy = tmp_path / "copy"
    shutil.copytree(made, copy)
    return copy


def shards_in(folder: Path) -> list[Path]:
    return [folder / "evidence" / str(number) for number in range(1, SHARDS + 1)]
