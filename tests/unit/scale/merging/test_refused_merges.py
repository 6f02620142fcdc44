"""What is not the shards of one list, each as it was written, is not merged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner
from unit.reports.verify.conftest import SPEC
from unit.scale.merging.conftest import make_run, shards_in

from pytest_bwa.cli import app
from pytest_bwa.errors import MergeRefused
from pytest_bwa.evidence.checks import CheckRecord
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import write_manifests
from pytest_bwa.scale.merging.merge import merge_runs


def problems(runs: list[Path], folder: Path) -> list[str]:
    """The lines with which a merge is refused, without the folder's name."""
    with pytest.raises(MergeRefused) as refused:
        merge_runs(runs, folder / "whole")
    assert not list(folder.glob("*whole*")), "nothing is written"
    return [line.replace(f"{folder / 'evidence'}/", "") for line in refused.value.problems]


def change(run: Path, **fields: Any) -> None:
    """Change run.json, and write the manifest as if it had been so."""
    RunFolder(run).update(**fields)
    RunFolder(run).remove_live_files()
    write_manifests(run)


def test_a_missing_shard_is_named_with_its_rows(folder):
    assert problems(shards_in(folder)[:2], folder) == [
        "the shard 3/3 is missing: rows of the list: 4"
    ]
    assert problems(shards_in(folder)[2:], folder) == [
        "the shard 1/3 is missing: rows of the list: 2, 5",
        "the shard 2/3 is missing: rows of the list: 3, 6",
    ]


def test_a_shard_that_is_there_twice_is_named_with_its_samples(folder):
    make_run(folder, "again", "2/3")
    assert problems([*shards_in(folder), folder / "evidence" / "again"], folder) == [
        "2 and again are both the shard 2/3: they have the same samples: adam, eve"
    ]


def test_a_run_of_the_whole_list_is_no_shard(folder):
    runs = [*shards_in(folder), folder / "evidence" / "plain"]
    assert problems(runs, folder) == [
        f"plain and {number} are not of the same number of shards: 1 and 3" for number in (1, 2, 3)
    ]


def test_another_spec_or_list_is_refused(folder):
    (folder / "spec.json").write_text(
        json.dumps({**SPEC, "goal": "Read all of it.", "max_steps": 9})
    )
    (folder / "samples.csv").write_text("sample_id,url\nada,https://x.org/\nbea,https://x.org/\n")
    make_run(folder, "other", "2/3")
    first, _, third = shards_in(folder)
    spec, rows = problems([first, folder / "evidence" / "other", third], folder)
    assert spec == "1 and other are not of the same spec: they differ in goal, max_steps"
    assert rows.startswith(
        "1 and other are not of the same list: 5 and 2 samples, with the SHA-256"
    )


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (lambda r: {"versions": r.versions | {"playwright": "9"}}, "version: playwright {} and 9"),
        (lambda r: {"policy": "claude"}, "policy: rules and claude"),
        (lambda r: {"model": "m"}, "model: none and m"),
        (lambda r: {"not_found": "pass"}, "--not-found: fail and pass"),
        (lambda r: {"fail_on": ["flagged"]}, "--fail-on: nothing and flagged"),
        (lambda r: {"check": CheckRecord(rate=0.05, seed="")}, "--check: none and 5 %"),
    ],
)
def test_another_version_or_other_options_are_refused(folder, fields, line):
    runs = shards_in(folder)
    record = RunFolder(runs[1]).record()
    change(runs[1], **fields(record))
    line = line.format(record.versions["playwright"])
    assert problems(runs, folder) == [f"1 and 2 are not of the same {line}"]


def test_machines_may_have_other_kernels(folder):
    runs = shards_in(folder)
    versions = RunFolder(runs[1]).record().versions
    change(runs[1], versions=versions | {"system": "posix 99"})
    assert "system" not in merge_runs(runs, folder / "whole").record.versions


def tampered(run: Path) -> None:
    picture = next(run.glob("*/*.png"))
    picture.write_bytes(picture.read_bytes() + b"0")


def unfinished(run: Path) -> None:
    RunFolder(run).update(finished_at=None)


def with_other_samples(run: Path) -> None:
    """Whoever can write a manifest can make it fit, but not the ids of the whole list."""
    shutil.move(run / "adam", run / "ada")
    for path in (run / "ada" / "result.json", run / "ada" / "checkpoint.json", run / "samples.csv"):
        path.write_text(path.read_text().replace("adam", "ada"))


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (tampered, "was changed after the manifest was written"),
        (unfinished, "2 has no end: it is still running, or resume it"),
        (lambda run: (run / "manifest-sha256.txt").unlink(), "manifest-sha256.txt: is missing"),
        (lambda run: (run / "eve" / "result.json").unlink(), "is in the manifest and is missing"),
        (with_other_samples, "2 does not verify: "),
        (lambda run: shutil.rmtree(run), "2 is not a run folder"),
    ],
)
def test_a_run_that_is_not_as_it_was_written_is_refused(
    folder: Path, spoil: Callable[[Path], object], line: str
):
    runs = shards_in(folder)
    spoil(runs[1])
    (found,) = problems(runs, folder)
    assert line in found


def test_samples_that_the_list_does_not_have_are_refused(folder):
    runs = shards_in(folder)
    for run in runs:
        shard = RunFolder(run).record().shard
        assert shard is not None
        change(run, shard=replace(shard, ids_sha256="0" * 64))
    assert problems(runs, folder) == [
        "the run.json of the shards and their samples do not fit together: other samples"
    ]


def test_a_merged_run_is_not_merged_again(folder):
    out = merge_runs(shards_in(folder), folder / "evidence" / "once").folder.path
    (line,) = problems([out], folder)
    assert line == "once is merged already: name the runs that it was merged from"


def test_each_reason_is_a_line_and_the_exit_status_is_2(folder):
    runs = shards_in(folder)
    tampered(runs[1])
    unfinished(runs[2])
    words = ["merge", *map(str, runs), "--out", str(folder / "whole")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert [line.startswith("bwa: ") for line in done.output.splitlines()] == [True, True]
    assert CliRunner().invoke(app, ["merge", "none", "--out", str(folder / "x")]).exit_code == 2
