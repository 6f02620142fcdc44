"""A cluster run that was stopped is a run folder at once, and says what was not run."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from unit.reports.verify.conftest import SPEC
from unit.scale.merging.conftest import NAMES, make_run

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.scale.cluster.job import ExitStatus, shard_run_id
from pytest_bwa.scale.cluster.kept_shards import AttemptRecord, ClusterRecord, KeptShards
from pytest_bwa.scale.cluster.run import Asked, _finish

CHUNKS = 3
STATUS = ExitStatus.INTERRUPTED
REASON = "$0.6000 spent of --max-cost 0.5"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The user's files, and the copies of them that a worker had."""
    rows = "".join(f"{name},https://x.org/{name}\n" for name in NAMES)
    for place in (tmp_path, tmp_path / "worker"):
        place.mkdir(exist_ok=True)
        (place / "spec.json").write_text(json.dumps(SPEC))
        (place / "samples.csv").write_text(f"sample_id,url\n{rows}")
    return tmp_path


def keep(folder: Path, chunks: dict[int, tuple[str, ...]]) -> KeptShards:
    """What came back: of these chunks, all samples but some."""
    attempts = {}
    kept_folder = folder / "evidence" / "run_1.shards"
    kept_folder.mkdir(parents=True, exist_ok=True)
    for chunk, left_out in chunks.items():
        name = shard_run_id("run_1", chunk, CHUNKS)
        run = make_run(folder / "worker", name, f"{chunk}/{CHUNKS}", left_out)
        run.rename(kept_folder / name)
        attempts[chunk] = [
            AttemptRecord(attempt="", worker="", started_at="", kept=True, exit_status=0)
        ]
    record = ClusterRecord(
        run_id="run_1", spec_sha256="", samples_sha256="", samples=len(NAMES), chunks=CHUNKS,
        attempts=attempts,
    )  # fmt: skip
    KeptShards.create(kept_folder, record)
    return KeptShards.reopen(kept_folder, "", "")


def finish(folder: Path, kept: KeptShards, reason: str, status: ExitStatus) -> list[str]:
    asked = Asked(
        folder / "spec.json", folder / "samples.csv", folder / "evidence", None, 1, None, None,
        "rules", None, None, None, (),
    )  # fmt: skip
    lines: list[str] = []
    assert _finish(asked, kept, folder / "evidence/run_1", status, reason, lines.append) == status
    return lines


def test_what_came_back_of_a_stopped_run_is_a_run(folder):
    kept = keep(folder, {1: (), 2: ("eve",)})
    lines = finish(folder, kept, REASON, STATUS)
    out = folder / "evidence" / "run_1"
    assert out.exists(), lines
    assert verify(out).faults == ()
    record = RunFolder(out).record()
    assert (record.samples_in, record.not_run) == (5, 2)
    assert sum(record.results_out.values()) == 3
    assert record.exit_reason == f"{REASON} (the shard 3/3)"
    with (out / "combined.csv").open(newline="", encoding="utf-8-sig") as stream:
        assert [row["sample_id"] for row in csv.DictReader(stream)] == ["adam", "bo", "zoe"]
    assert (out / "samples.csv").read_text().split() == (folder / "samples.csv").read_text().split()
    assert any("2 not run" in line for line in lines), lines
    assert lines[-1] == "go on with: bwa run … --resume run_1"
    left = sorted(path.name for path in kept.folder.iterdir())
    assert left == ["cluster.json", "run_1_1-of-3", "run_1_2-of-3"], "a resumed run has its chunks"


def test_the_resumed_run_takes_the_place_of_what_was_there_before(folder):
    finish(folder, keep(folder, {1: (), 2: ("eve",)}), REASON, STATUS)
    kept = keep(folder, {3: ()})
    kept.record.attempts |= {
        n: [AttemptRecord(attempt="", worker="", started_at="", kept=True)] for n in (1, 2)
    }
    finish(folder, kept, "interrupted", STATUS)
    out = folder / "evidence" / "run_1"
    assert (RunFolder(out).record().not_run, verify(out).faults) == (1, ())
    before = RunFolder(kept.folder / "merged_before_1")
    assert before.record().not_run == 2


@pytest.mark.parametrize("is_reviewed", [True, False])
def test_what_people_reviewed_of_a_stopped_run_stays(folder, is_reviewed):
    finish(folder, keep(folder, {1: (), 2: ("eve",)}), REASON, STATUS)
    if is_reviewed:
        (folder / "evidence" / "run_1" / "reviews.jsonl").touch()
    kept = keep(folder, {3: ()})
    kept.record.attempts |= {
        n: [AttemptRecord(attempt="", worker="", started_at="", kept=True)] for n in (1, 2)
    }
    finish(folder, kept, "", ExitStatus.PASSED)
    left = [path.name for path in kept.folder.glob("*")]
    assert left == (["merged_before_1"] if is_reviewed else [])
    assert kept.folder.exists() == is_reviewed
    assert (folder / "evidence" / "run_1.cluster.json").is_file()


def test_nothing_is_merged_of_a_run_that_did_nothing(folder):
    lines = finish(folder, keep(folder, {}), "interrupted", STATUS)
    assert lines == [
        "0 of 5 samples are finished: interrupted",
        "go on with: bwa run … --resume run_1",
    ]
    assert not (folder / "evidence" / "run_1").exists()


def test_the_run_names_the_files_that_the_user_gave(folder):
    finish(folder, keep(folder, {1: (), 2: (), 3: ()}), "", ExitStatus.FAILED)
    record = RunFolder(folder / "evidence" / "run_1").record()
    assert record.spec.path == str(folder / "spec.json")
    assert record.samples.path == str(folder / "samples.csv")
    shard = RunFolder(folder / "evidence/run_1/shards/1-of-3").record()
    assert shard.spec.path == str(folder / "worker" / "spec.json"), "its manifest proves it"
