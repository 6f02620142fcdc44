"""The workers' files become one trajectory.db, and nothing is lost if that is not possible."""

from __future__ import annotations

import sqlite3

import pytest
from unit.evidence.trajectory.recorded import (
    merged,
    page,
    read,
    record_sample,
    recorder,
    result,
    step,
)

from pytest_bwa.errors import InputError


def test_every_workers_samples_are_in_one_file(tmp_path):
    record_sample(tmp_path / ".live", "ann", worker="gw0")
    record_sample(tmp_path / ".live", "bob", worker="gw1", status="failed")
    killed = recorder(tmp_path / ".live", "cid", worker="gw2")
    killed.add_step(step(0, "goto"), page("Staff"), page("Staff"), None)
    lost = result("cid", status="failed", outcome="other", reason="its worker was killed")
    assert merged(tmp_path, lost) == []
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == ["trajectory.db"]
    samples = read(tmp_path).samples()
    assert [(s.sample_id, s.status) for s in samples] == [
        ("ann", "done"),
        ("bob", "failed"),
        ("cid", "failed"),
    ]
    assert samples[2].reason == "its worker was killed"
    assert [len(read(tmp_path).steps(s)) for s in samples] == [3, 3, 1]


def test_a_sample_that_was_run_again_replaces_its_earlier_attempt(tmp_path):
    record_sample(tmp_path / ".live", "ann")
    record_sample(tmp_path / ".live", "bob")
    merged(tmp_path)
    again = recorder(tmp_path / ".live", "ann", started_at="2026-11-22T11:00:00.000Z")
    again.add_step(step(0, "goto"), page("Newer"), page("Newer"), None)
    # Before the run has ended, the newer attempt is read from the worker's file.
    assert len(read(tmp_path).steps(read(tmp_path).sample("ann"))) == 1
    again.finish(result(status="needs_review"))
    merged(tmp_path)
    ann, bob = read(tmp_path).samples()
    assert (ann.status, bob.status) == ("needs_review", "done")
    assert [s.before.title for s in read(tmp_path).steps(ann)] == ["Newer"]
    texts = sqlite3.connect(tmp_path / "trajectory.db").execute(
        "SELECT count(*) FROM texts WHERE body LIKE '%Record ann%'"
    )
    assert texts.fetchone() == (0,), "the texts of the earlier attempt are gone"


def test_an_older_attempt_that_turns_up_later_replaces_nothing(tmp_path):
    record_sample(tmp_path / ".live", "ann", started_at="2026-11-22T11:00:00.000Z")
    merged(tmp_path)
    older = recorder(tmp_path, "ann")  # a part that was kept by an earlier session
    older.finish(result(status="failed"))
    assert merged(tmp_path) == []
    (ann,) = read(tmp_path).samples()
    assert (ann.status, len(read(tmp_path).steps(ann))) == ("done", 3)


@pytest.mark.parametrize("obstacle", ["corrupt", "locked"])
def test_parts_are_kept_if_the_file_of_the_run_cannot_be_written(tmp_path, obstacle):
    lock, path = None, tmp_path / "trajectory.db"
    if obstacle == "corrupt":
        path.write_bytes(b"no database " * 500)
    else:
        record_sample(tmp_path / ".live", "bob")
        merged(tmp_path)
        lock = sqlite3.connect(path)
        lock.execute("BEGIN EXCLUSIVE")
    record_sample(tmp_path / ".live", "ann")
    (problem,) = merged(tmp_path)
    assert problem.startswith("trajectory.db could not be written (")
    assert problem.endswith("; kept as trajectory-gw0.db")
    if lock is not None:
        lock.close()
    else:
        with pytest.raises(InputError, match=r"trajectory\.db cannot be read"):
            read(tmp_path).samples()
        path.unlink()
    assert read(tmp_path).sample("ann").status == "done"
    assert merged(tmp_path) == [], "the next session adds what was kept"
    assert read(tmp_path).sample("ann").status == "done"
    assert not (tmp_path / "trajectory-gw0.db").exists()


def test_a_part_that_is_damaged_costs_only_itself(tmp_path):
    record_sample(tmp_path / ".live", "ann", worker="gw0")
    (tmp_path / ".live/trajectory-gw1.db").write_bytes(b"no database " * 500)
    (tmp_path / ".live/trajectory-gw1.problem").write_text("bob: file is not a database")
    noted, problem = merged(tmp_path)
    assert noted == "trajectory.db does not have every sample: bob: file is not a database"
    assert problem.startswith("trajectory-gw1.db could not be added to trajectory.db (")
    assert (tmp_path / "trajectory-gw1.db").read_bytes().startswith(b"no database")
    (tmp_path / "trajectory-gw1.db").unlink()
    assert [s.sample_id for s in read(tmp_path).samples()] == ["ann"]


def test_a_file_of_another_version_is_refused(tmp_path):
    record_sample(tmp_path / ".live")
    merged(tmp_path)
    connection = sqlite3.connect(tmp_path / "trajectory.db")
    connection.execute("UPDATE meta SET value = '9'")
    connection.commit()
    with pytest.raises(InputError, match="its schema_version is 9"):
        read(tmp_path).samples()


def test_a_run_without_a_trajectory_is_refused(tmp_path):
    assert merged(tmp_path) == []
    with pytest.raises(InputError, match="an earlier version made the run"):
        read(tmp_path)
