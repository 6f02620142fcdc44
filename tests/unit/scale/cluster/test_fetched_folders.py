"""How the packed folder of a chunk comes from a worker: in pieces, checked, and never from one that
is gone."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace

import pytest

from pytest_bwa.scale.cluster import dask_cluster, worker
from pytest_bwa.scale.cluster.coordinator import AttemptLost, ClusterLost
from pytest_bwa.scale.cluster.dask_cluster import DaskCluster
from pytest_bwa.scale.cluster.job import ChunkEnd

CONTENT = bytes(range(256)) * 3


class Answers:
    """A client of Dask's with one worker, which answers by itself."""

    def __init__(self):
        self.there, self.removed = {"a": 1}, []
        self.read = lambda offset, size: CONTENT[offset : offset + size]

    def nthreads(self):
        if isinstance(self.there, Exception):
            raise self.there
        return self.there

    def submit(self, *given, **options):
        return SimpleNamespace(add_done_callback=lambda done: None)

    def run(self, function, job_id, attempt, *given, workers, on_error):
        if function is worker.remove_chunk:
            self.removed.append(attempt)
            return dict.fromkeys(workers)
        return {address: self.read(*given) for address in workers}


@pytest.fixture
def client(monkeypatch):
    monkeypatch.setattr(dask_cluster, "PIECE", 100)
    return Answers()


def fetch(client, target):
    cluster = DaskCluster(client, SimpleNamespace(job_id="1"))
    cluster.start("a", 3, "3.1", None)
    digest = hashlib.sha256(CONTENT).hexdigest()
    cluster.fetch(ChunkEnd(3, "3.1", 0, len(CONTENT), digest, ""), target)


def test_it_comes_in_pieces_and_the_worker_removes_its_own(client, tmp_path):
    fetch(client, tmp_path / "packed")
    assert (tmp_path / "packed").read_bytes() == CONTENT
    assert client.removed == ["3.1"]


def test_what_is_not_what_was_packed_is_refused(client, tmp_path):
    client.read = lambda offset, size: bytes(size)
    with pytest.raises(AttemptLost, match="not what it had packed"):
        fetch(client, tmp_path / "packed")
    assert client.removed == []


def test_a_worker_that_is_gone_or_fails_loses_the_attempt(client, tmp_path):
    client.read = lambda offset, size: OSError("no such file")
    with pytest.raises(AttemptLost, match="no such file"):
        fetch(client, tmp_path / "packed")
    client.there = {"b": 1}
    with pytest.raises(AttemptLost, match="its worker a is gone"):
        fetch(client, tmp_path / "packed")


def test_without_the_scheduler_the_cluster_is_lost(client, tmp_path):
    client.there = TimeoutError("no answer after 30 s")
    with pytest.raises(ClusterLost, match="no answer after 30 s"):
        fetch(client, tmp_path / "packed")
