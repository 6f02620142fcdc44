"""What the end of a run costs as it grows: seconds and memory of each part, without browsers.

The samples are written by the classes that write real ones, without pictures. Each part runs in a
process of its own: ``MB`` is its peak memory above that of a process that only has everything
imported, and ``ms each`` the CPU time for each sample, which other load changes least. Files are
not flushed to the disk one by one (``os.fsync``) while samples are written, which takes about 1 ms
a file.

The same samples are also a list that ``SHARDS`` machines shared: hard links to the same files, with
all that the end of each shard adds, which ``merge`` makes one run of.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from simulated_run import end_run, open_run, sample_name, write_samples

from pytest_bwa.audit import audits
from pytest_bwa.audit.salvage import intact_result
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import MANIFEST, write_manifests
from pytest_bwa.reports.base import FinishedRun, ReportContext, read_finished_run
from pytest_bwa.reports.combined import CombinedTables
from pytest_bwa.reports.handover.report import write_run_page
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.terminal import summary_lines
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.scale.merging.merge import merge_runs
from pytest_bwa.spec.shard import Shard

WRITERS = 2
SHARDS = 4
FILES = ("combined.csv", "combined.tags.csv", "combined.parquet", "index.html", MANIFEST)


def print_simulation(folder: Path, counts: list[int]) -> None:
    """A table for each number of samples; the folders are left to the caller."""
    _measured(_import_everything)
    base = _measured(lambda: None).megabytes
    print(f"{'samples':>9}  {'part':<30}{'seconds':>9}{'of CPU':>9}{'ms each':>9}{'MB':>7}")
    for count in counts:
        root = folder / str(count)
        for name, part in _parts(root, count).items():
            took = _measured(part)
            each, above = took.cpu_seconds / count * 1000, took.megabytes - base
            times = f"{took.seconds:>9.1f}{took.cpu_seconds:>9.1f}{each:>9.3f}"
            print(f"{count:>9,}  {name:<30}{times}{above:>7.0f}", flush=True)
        _print_files(_run(root).path)


def _parts(root: Path, count: int) -> dict[str, Callable[[], Any]]:
    """What a run does, in its order; each leaves its result on the disk."""
    return {
        "write the samples": lambda: _write(root, count),
        "resume: what is done": lambda: _resume(root),
        "run.json: count the results": lambda: finish_run(_run(root), 0, ""),
        "combined.csv": lambda: _tables(root),
        "combined.parquet": lambda: _tables(root, "parquet"),
        "index.html of the run": lambda: write_run_page(_finished(root)),
        "manifests": lambda: write_manifests(_run(root).path),
        "summary in the terminal": lambda: summary_lines(_finished(root)),
        "bwa verify": lambda: _verify(_run(root).path),
        "sha256sum -c": lambda: _sha256sum(root),
        f"write {SHARDS} shards": lambda: _write_shards(root, count),
        "bwa merge": lambda: merge_runs(_shards(root), _merged(root)),
        "bwa verify of the merged run": lambda: _verify(_merged(root)),
        "bwa verify of a shard in it": lambda: _verify(_merged(root) / "shards" / f"1-of-{SHARDS}"),
    }


def _run(root: Path) -> RunFolder:
    return RunFolder(root / "evidence" / "run_1")


def _shards(root: Path) -> list[Path]:
    return [root / "evidence" / f"shard_{number}" for number in range(1, SHARDS + 1)]


def _merged(root: Path) -> Path:
    return root / "evidence" / "merged"


def _finished(root: Path) -> FinishedRun:
    return read_finished_run(_run(root))


def _write(root: Path, count: int) -> None:
    run = open_run(root, count).folder
    assert run is not None
    context = multiprocessing.get_context("fork")
    writers = [
        context.Process(target=_write_some, args=(run, range(first, count, WRITERS)))
        for first in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0


def _write_some(run: RunFolder, numbers: range) -> None:
    os.fsync = lambda fd: None  # this process ends with the last sample
    write_samples(run, numbers)


def _write_shards(root: Path, count: int) -> None:
    """The runs of machines that shared the list, each with its end."""
    whole = _run(root)
    for number, path in enumerate(_shards(root), 1):
        audit = open_run(root, count, run_id=path.name, shard=Shard(number, SHARDS))
        assert audit.folder is not None
        for sample in audit.samples.samples:
            source, copy = (run.sample(sample.sample_id) for run in (whole, audit.folder))
            shutil.copytree(source, copy, copy_function=os.link)
        end_run(audit.folder)


def _resume(root: Path) -> None:
    """What a resumed session reads: the list, and whether each result passes and is intact."""
    audit = audits.reopen(_run(root), resumed=True)
    assert audit.folder is not None
    names = [sample.sample_id for sample in audit.samples.samples]
    assert names[0] == sample_name(0)
    for name in names:
        rule = audit.task.not_found_rule(audit.sample(name))
        intact_result(audit.folder, name, rule)


def _tables(root: Path, form: str = "") -> None:
    CombinedTables(ReportContext(combined=(form,))).run_finished((_finished(root),))


def _verify(folder: Path) -> None:
    found = verify(folder)
    assert found.ok, found.lines()[:5]


def _sha256sum(root: Path) -> None:
    command = ["sha256sum", "--check", "--quiet", MANIFEST]
    subprocess.run(command, cwd=_run(root).path, check=True)


def _import_everything() -> None:
    """The first child pays for reading the modules from the disk."""


class Measured(NamedTuple):
    seconds: float
    cpu_seconds: float
    """With those of the processes that it started."""
    megabytes: float
    """At the peak."""


def _measured(part: Callable[[], Any]) -> Measured:
    """Run it in a process of its own."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_child, args=(part, sender))
    process.start()
    sender.close()
    with suppress(EOFError):
        measured: Measured = receiver.recv()
        process.join()
        return measured
    raise SystemExit("the part failed: its error is above")


def _child(part: Callable[[], Any], sender: Any) -> None:
    started = time.perf_counter()
    part()
    seconds = time.perf_counter() - started
    own = resource.getrusage(resource.RUSAGE_SELF)
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
    sender.send(Measured(seconds, cpu, own.ru_maxrss / 1000))


def _print_files(run: Path) -> None:
    for name in FILES:
        path = run / name
        if path.exists():
            print(f"{'':11}{name}: {path.stat().st_size / 1e6:,.1f} MB")
    everything = subprocess.run(
        ["du", "--summarize", "--block-size=1000000", str(run)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    most = max(len(folders) + len(names) for _, folders, names in os.walk(run))
    print(f"{'':11}on the disk: {int(everything.stdout.split()[0]):,} MB, ", end="")
    print(f"at most {most:,} files and folders in one folder", flush=True)
