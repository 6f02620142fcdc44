"""The end of a run of many samples: its work grows with their number, and its memory does not.

Calls of functions are counted, not seconds: they are the same on every machine.
``python tests/bench
--simulate N`` measures seconds.
"""

from __future__ import annotations

import gc
import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from simulated_run import end_run, open_run, write_samples

from pytest_bwa.audit import audits
from pytest_bwa.audit.salvage import intact_result
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import write_manifests
from pytest_bwa.reports import totals
from pytest_bwa.reports.base import ReportContext, read_finished_run
from pytest_bwa.reports.combined import CombinedTables
from pytest_bwa.reports.handover import run_content
from pytest_bwa.reports.handover.report import write_run_page
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.tables import parquet
from pytest_bwa.reports.terminal import summary_lines
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.scale.merging.merge import merge_runs
from pytest_bwa.spec import load
from pytest_bwa.spec.shard import Shard
from pytest_bwa.spec.table import on_disk, rows

FEW, MANY = 30, 120
SHARDS = 3
MOST_EACH = 3_000
"""Bytes for each further sample. Its row in the list takes 10,000, and a result 17,000;
what remains are folders, of which a large run has no more, and parts of caches."""
CELL = "team " * 2_000


def resume(run: RunFolder) -> None:
    audit = audits.reopen(run, resumed=True)
    for sample in audit.samples.samples:
        intact_result(run, audit.sample(sample.sample_id).sample_id, "fail")


def tables(form: str) -> Callable[[RunFolder], None]:
    reports = CombinedTables(ReportContext(combined=(form,)))
    return lambda run: reports.run_finished((read_finished_run(run),))


PARTS: dict[str, Callable[[RunFolder], Any]] = {
    "run.json": lambda run: finish_run(run, 0, ""),
    "combined.csv": tables("csv"),
    "combined.parquet": tables("parquet"),
    "the run's page": lambda run: write_run_page(read_finished_run(run)),
    "manifests": lambda run: write_manifests(run.path),
    "verify": lambda run: verify(run.path),
    "summary": lambda run: summary_lines(read_finished_run(run)),
    "resume": resume,
}
"""In the order of a run."""


@pytest.fixture(autouse=True)
def limits_that_so_few_samples_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_disk, "MOST_IN_MEMORY", 1)
    monkeypatch.setattr(rows, "HEAD", 256)
    monkeypatch.setattr(load, "MAX_BYTES", 10_000)  # room that a reader takes at once
    monkeypatch.setattr(totals, "MAX_NAMED", 1)
    monkeypatch.setattr(parquet, "ROWS_OF_A_GROUP", 10)
    monkeypatch.setattr(parquet, "ROWS_AT_A_TIME", 10)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, RunFolder]:
    """A run of few and one of many samples, both treated as very many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        patch.setattr(audits, "FAN_OUT_OVER", 1)
        few, many = (_run(tmp_path_factory.mktemp("run"), count) for count in (FEW, MANY))
        for part in PARTS.values():  # what is done once in a process does not count
            part(few)
            part(many)
        return few, many


def _run(root: Path, count: int) -> RunFolder:
    folder = open_run(root, count, cell=CELL).folder
    assert folder is not None
    write_samples(folder, range(count))
    finish_run(folder, 0, "")
    return folder


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], list[Path]]:
    """The same runs, made by several machines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        patch.setattr(audits, "FAN_OUT_OVER", 1)
        few, many = (_shards(tmp_path_factory.mktemp("run"), count) for count in (FEW, MANY))
        return few, many


def _shards(root: Path, count: int) -> list[Path]:
    """Shards of a run, and what was merged of them when all that is done once was done."""
    folders = []
    for number in range(1, SHARDS + 1):
        shard = Shard(number, SHARDS)
        folder = open_run(root, count, cell=CELL, run_id=shard.name, shard=shard).folder
        assert folder is not None
        write_samples(folder, range(number - 1, count, SHARDS))
        end_run(folder)
        folders.append(folder.path)
    verify(merge_runs(folders, root / "merged").folder.path)
    return folders


def check_memory(part: Callable[[Any], Any], few: Any, many: Any) -> None:
    """What is made anew once, such as a pattern that fell out of a cache, is not there again."""
    for _ in range(2):
        peaks = [peak_of(lambda runs=runs: part(runs)) for runs in (few, many)]
        if (peaks[1] - peaks[0]) / (MANY - FEW) < MOST_EACH:
            return
    pytest.fail(f"it holds more for each sample: {peaks}")


@pytest.mark.parametrize("name", ["merge", "verify the merged run", "verify a shard of it"])
def test_a_merge_grows_with_the_number_of_samples_and_its_memory_does_not(
    shards, name, monkeypatch, tmp_path
):
    monkeypatch.setattr(os, "fsync", lambda file: None)
    monkeypatch.setattr(run_content, "MAX_ROWS", 20)
    numbers = iter(range(9))
    parts: dict[str, Callable[[list[Path]], Any]] = {
        "merge": lambda runs: merge_runs(runs, tmp_path / str(next(numbers))),
        "verify the merged run": lambda runs: verify(runs[0].parents[1] / "merged"),
        "verify a shard of it": lambda runs: verify(
            runs[0].parents[1] / "merged" / "shards" / runs[0].name
        ),
    }
    calls = [calls_of(lambda runs=runs: parts[name](runs)) for runs in shards]
    assert calls[1] / calls[0] < MANY / FEW * 1.1, calls
    check_memory(parts[name], *shards)


def calls_of(part: Callable[[], Any]) -> int:
    """How many functions it calls, those that are written in C included."""
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        part()
    finally:
        sys.setprofile(before)
    return calls


def peak_of(part: Callable[[], Any]) -> int:
    """The most bytes that it holds at once."""
    gc.collect()
    tracemalloc.start()
    try:
        part()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", PARTS)
def test_work_grows_with_the_number_of_samples_and_memory_does_not(runs, name, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda file: None)
    monkeypatch.setattr(run_content, "MAX_ROWS", 20)
    few, many = runs
    calls = [calls_of(lambda run=run: PARTS[name](run)) for run in (few, many)]
    assert calls[1] / calls[0] < MANY / FEW * 1.1, calls
    if name != "the run's page":  # it is rendered whole, of its bounded number of rows
        check_memory(PARTS[name], few, many)
