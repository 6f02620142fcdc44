"""Lists that are too long for the memory: they stay on the disk, and are read as any other."""

from __future__ import annotations

import hashlib
import sqlite3

import pytest

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import load_samples, read_samples
from pytest_bwa.spec.shard import Shard
from pytest_bwa.spec.table import on_disk
from pytest_bwa.spec.table.on_disk import SamplesOnDisk, kept, sorted_names
from pytest_bwa.spec.table.rows import HEAD
from pytest_bwa.spec.task import TaskSpec

IDS = ("b", "A", "d", "c", "E-1")
LIST = "sample_id,note\r\n" + "".join(f'{name},"{name},\r\nß ""x"""\r\n' for name in IDS)


@pytest.fixture(autouse=True)
def two_are_many(monkeypatch):
    monkeypatch.setattr(on_disk, "MOST_IN_MEMORY", 2)


@pytest.fixture
def write_list(tmp_path):
    def write(content: str | bytes):
        path = tmp_path / "samples.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_a_long_list_is_read_as_a_short_one(write_list):
    path = write_list(LIST)
    listed, short = read_samples(path), read_samples(path, keep=tuple)
    assert isinstance(listed.samples, SamplesOnDisk)
    assert len(listed.samples) == 5
    for _ in range(2):
        assert tuple(listed.samples) == short.samples
    assert listed.sha256 == short.sha256 == hashlib.sha256(LIST.encode()).hexdigest()
    assert listed.to_csv() == short.to_csv() == LIST


def test_samples_are_found_by_id_and_place(write_list):
    listed = read_samples(write_list(LIST))
    assert listed.get("d") == Sample("d", {"sample_id": "d", "note": 'd,\r\nß "x"'}, 4)
    assert listed.find("D") is listed.find("e-1") is listed.find("") is None
    with pytest.raises(KeyError):
        listed.get("D")
    assert [listed.samples[place].sample_id for place in (0, 4, -1, -5)] == ["b", "E-1", "E-1", "b"]
    for place in (5, -6):
        with pytest.raises(IndexError):
            listed.samples[place]


@pytest.mark.parametrize(
    "part",
    [
        slice(None),
        slice(1, 3),
        slice(0, None, 2),
        slice(1, None, 2),
        slice(4, 2),
        slice(None, None, -2),
    ],
)
def test_a_part_is_that_of_a_tuple(part):
    samples = [Sample(name, {"sample_id": name}) for name in IDS]
    assert tuple(kept(samples)[part]) == tuple(samples[part])


def test_a_shard_of_a_long_list_is_its_every_other_sample(write_list):
    shard = read_samples(write_list(LIST)).part(Shard(2, 2))
    assert [sample.sample_id for sample in shard.samples] == ["A", "c"]


def test_samples_can_be_read_when_nobody_holds_their_list():
    samples = [Sample(name, {"sample_id": name}) for name in IDS]
    assert [sample.sample_id for sample in iter(kept(samples))] == list(IDS)
    assert list(iter(sorted_names(IDS))) == ["A", "E-1", "b", "c", "d"]


def test_names_are_sorted_and_counted():
    names = sorted_names(iter(IDS))
    assert len(names) == 5
    assert "b" in names
    assert "B" not in names
    assert list(names) == list(names) == sorted(IDS)


@pytest.mark.parametrize(
    ("last", "problem"),
    [("b", '"b" is already used in row 2'), ("a", '"a" differs only in case from "A" in row 3')],
)
def test_an_id_that_is_there_twice_is_refused(write_list, last, problem):
    with pytest.raises(SamplesError, match=rf'row 7, column "sample_id": {problem}; rename one'):
        read_samples(write_list(f"{LIST}{last},\r\n"))


def test_the_list_of_a_person_is_kept_in_memory_because_it_may_have_secrets(write_list):
    task = TaskSpec(task_id="t", goal="Read {note}", output_schema={"x": "string"})
    assert isinstance(load_samples(write_list(LIST), task).samples, tuple)


def test_the_row_is_named_where_a_long_file_is_not_utf8(write_list):
    rows = [f"row-{number},{'x' * 100}".encode() for number in range(3 * HEAD // 100)]
    rows[-2] += b"\xff"
    path = write_list(b"sample_id,note\n" + b"\n".join(rows))
    with pytest.raises(SamplesError, match=rf"row {len(rows)}: is not UTF-8"):
        read_samples(path)


def test_a_full_disk_is_named(write_list, monkeypatch):
    connect = sqlite3.connect

    def of_two_pages(*asked, **options):
        database = connect(*asked, **options)
        database.execute("PRAGMA max_page_count = 2")
        return database

    path = write_list(LIST)
    monkeypatch.setattr(on_disk.sqlite3, "connect", of_two_pages)
    with pytest.raises(SamplesError, match=r"database or disk is full; set TMPDIR to another"):
        read_samples(path)
