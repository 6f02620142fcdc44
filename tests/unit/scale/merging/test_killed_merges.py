"""A merge that was killed at any write is made again, to the same bytes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from unit.scale.merging.conftest import shards_in

from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.folder import runs_in
from pytest_bwa.evidence.integrity.manifest import files_in
from pytest_bwa.scale.merging.merge import merge_runs

KILLED = 9
WRITES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link"}
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is killed by a fork")


def merge_in_child(runs: list[Path], out: Path, *, killed_at: int = 0) -> int:
    """The number of writes of a merge in a process of its own, which dies before one of them."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            count = count_writes(str(out.parent), killed_at)
            merge_runs(runs, out)
            os.write(writer, str(len(count)).encode())
            os._exit(0)
        except BaseException:  # noqa: BLE001 - the child must never return into pytest
            os._exit(1)
    os.close(writer)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with os.fdopen(reader) as stream:
        writes = stream.read()
    assert status == (KILLED if killed_at else 0)
    return int(writes or 0)


def count_writes(folder: str, killed_at: int) -> list[str]:
    written: list[str] = []

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        is_open = event == "open" and int(arguments[2]) & (os.O_WRONLY | os.O_RDWR)  # type: ignore[call-overload]
        if not is_open and event not in WRITES:
            return
        paths = [str(path) for path in arguments[:2] if isinstance(path, str | Path)]
        if any(path.startswith(folder) for path in paths):
            written.append(event)
            if len(written) == killed_at:
                os._exit(KILLED)  # like SIGKILL: nothing is flushed and nothing is cleaned up

    sys.addaudithook(hook)
    return written


def contents(run: Path) -> dict[str, str]:
    return {name: sha256_of(path) for name, path in files_in(run)}


def test_a_merge_that_was_killed_is_made_again_to_the_same_bytes(made, tmp_path):
    runs = shards_in(made)
    whole = tmp_path / "whole" / "run"
    writes = merge_in_child(runs, whole)
    assert writes > 100
    # From the first write to the last before the folder gets its name, and right after.
    points = [1, 2, *range(20, writes, writes // 8), *range(writes - 4, writes + 1)]
    out = tmp_path / "killed" / "run"
    named = 0
    for point in points:
        if not out.exists():
            merge_in_child(runs, out, killed_at=point)
        named += out.exists()
        assert len(runs_in(out.parent)) == int(out.exists()), "half of a merge is no run"
        left = contents(out) if out.exists() else None
        assert left is None or left == contents(whole), f"killed at write {point}"
    assert named in range(1, 5), "the last kills came when the run was whole"
    merge_in_child(runs, out)
    assert contents(out) == contents(whole)
    merge_runs(runs, out)
    assert [path.name for path in out.parent.iterdir()] == ["run"]
