"""Which chunks run where, again, or not at all; with workers that exist only here."""

from __future__ import annotations

import io
import itertools
import tarfile
from collections import deque

import pytest

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.run_record import FileRecord, RunRecord
from pytest_bwa.scale.cluster import coordinator as coordinating
from pytest_bwa.scale.cluster.coordinator import AttemptEnd, AttemptLost, Coordinator
from pytest_bwa.scale.cluster.job import ChunkEnd, ChunkProgress
from pytest_bwa.scale.cluster.kept_shards import ClusterRecord, KeptShards

CHUNKS = 4


class InventedCluster:
    """Runs one chunk in each round of the coordinator's, on each worker; ``events`` happen before
    the rounds with their numbers."""

    def __init__(self, workers, events=None, refuses=None, statuses=None):
        self.there = dict(workers)
        self.events, self.refuses = events or {}, refuses or {}
        self.statuses = statuses or {}
        """The exit statuses of a chunk's attempts; 0 if there are none left."""
        self.started, self.asked, self.stops, self.fetched = [], [], [], []
        self.earlier = {}
        self.running = deque()
        self.unfetchable = set()
        self.on_start = lambda attempt: None
        self._rounds = itertools.count()

    def workers(self):
        if event := self.events.get(next(self._rounds)):
            event(self)
        return dict(self.there)

    def refusals(self, addresses):
        self.asked += addresses
        return {a: self.refuses[a] for a in addresses if a in self.refuses}

    def start(self, address, chunk, attempt, earlier):
        self.started.append((address, chunk))
        self.earlier[attempt] = earlier
        self.running.append((address, chunk, attempt))
        self.on_start(attempt)

    def give_up(self, attempt):
        self.running = deque(entry for entry in self.running if entry[2] != attempt)

    def ended(self, seconds):
        if not self.running:
            return []
        address, chunk, attempt = self.running.popleft()
        if address not in self.there:  # nobody says anything any more
            return []
        statuses = self.statuses.get(chunk, [])
        status = statuses.pop(0) if statuses else 0
        if isinstance(status, str):
            return [AttemptEnd(attempt, None, status)]
        return [AttemptEnd(attempt, ChunkEnd(chunk, attempt, status, 1, "", "the last line"))]

    def fetch(self, end, target):
        if end.attempt in self.unfetchable:
            raise AttemptLost("its worker is gone")
        self.fetched.append(end.attempt)
        record = RunRecord(
            run_id="r", task_id="t", policy="rules", model="", versions={}, started_at="",
            samples_in=5, results_out={"done": 5}, not_found="fail",
            spec=FileRecord(path="", sha256=""), samples=FileRecord(path="", sha256=""),
        )  # fmt: skip
        with tarfile.open(target, "w") as archive:
            files = {f"r_{end.chunk}-of-{CHUNKS}/run.json": record.model_dump_json()}
            for name, text in {**files, "pytest.txt": end.attempt}.items():
                info = tarfile.TarInfo(name)
                info.size = len(text.encode())
                archive.addfile(info, io.BytesIO(text.encode()))

    def stop(self, reason, *, at_once):
        self.stops.append((reason, at_once))


def shards(tmp_path):
    record = ClusterRecord(
        run_id="r", spec_sha256="a", samples_sha256="b", samples=20, chunks=CHUNKS
    )
    return KeptShards.create(tmp_path / "r.shards", record)


def run(tmp_path, cluster, **options):
    kept, lines = shards(tmp_path), []
    coordinator = Coordinator(cluster, kept, lines.append, **options)
    coordinator.run()
    return coordinator, kept, lines


def kept_once(kept):
    """Each chunk with the attempt that counts."""
    found = {c: [a.attempt for a in attempts if a.kept] for c, attempts in
             kept.record.attempts.items()}  # fmt: skip
    assert all(len(attempts) <= 1 for attempts in found.values())
    return {chunk: attempts[0] for chunk, attempts in found.items() if attempts}


def test_each_chunk_runs_once_and_no_worker_has_more_than_its_threads(tmp_path):
    cluster = InventedCluster({"a": 1, "b": 2})
    most = []
    cluster.on_start = lambda attempt: most.append(
        max(sum(entry[0] == name for entry in cluster.running) - n for name, n in
            cluster.there.items())
    )  # fmt: skip
    coordinator, kept, _ = run(tmp_path, cluster)
    assert sorted(chunk for _, chunk in cluster.started) == [1, 2, 3, 4]
    assert {address for address, _ in cluster.started} == {"a", "b"}
    assert max(most) == 0
    assert kept_once(kept) == {1: "1.1", 2: "2.1", 3: "3.1", 4: "4.1"}
    assert kept.finished_samples() == 20
    assert coordinator.stop_reason == ""
    assert KeptShards.reopen(kept.folder, "a", "b").open_chunks() == []


def test_the_chunks_of_a_worker_that_is_gone_run_again_elsewhere(tmp_path):
    cluster = InventedCluster({"a": 1, "b": 1}, {1: lambda c: c.there.pop("b")})
    _, kept, lines = run(tmp_path, cluster)
    assert [place for place, chunk in cluster.started if chunk == 2] == ["b", "a"]
    assert kept_once(kept) == {1: "1.1", 2: "2.2", 3: "3.1", 4: "4.1"}
    (lost,) = kept.lost_attempts()
    assert (lost.attempt, lost.worker, lost.lost) == ("2.1", "b", "its worker b is gone")
    assert "chunk 2 runs again: its worker b is gone" in lines


def test_what_a_worker_says_after_it_was_given_up_counts_for_nothing(tmp_path):
    """It was only out of reach for a moment, and its chunk runs elsewhere already."""

    class Returning(InventedCluster):
        given_up = ()

        def give_up(self, attempt):
            super().give_up(attempt)
            self.given_up = (attempt,)

        def ended(self, seconds):
            late = [AttemptEnd(a, ChunkEnd(2, a, 0, 1, "", "")) for a in self.given_up]
            return [*late, *super().ended(seconds)]

    cluster = Returning({"a": 1, "b": 1}, {1: lambda c: c.there.pop("b")})
    _, kept, _ = run(tmp_path, cluster)
    assert cluster.given_up == ("2.1",)
    assert sorted(cluster.fetched) == ["1.1", "2.2", "3.1", "4.1"]
    assert kept_once(kept)[2] == "2.2"


def test_a_chunk_whose_folder_cannot_be_fetched_runs_again(tmp_path):
    cluster = InventedCluster({"a": 1})
    cluster.unfetchable = {"3.1"}
    _, kept, _ = run(tmp_path, cluster)
    assert kept_once(kept)[3] == "3.2"
    assert sorted(cluster.fetched) == ["1.1", "2.1", "3.2", "4.1"]


def test_a_refused_worker_gets_nothing_and_one_that_joins_later_is_asked(tmp_path):
    join = {1: lambda c: c.there.update(late=1, later=1)}
    cluster = InventedCluster(
        {"a": 1, "old": 4}, join, refuses={"old": "it has pytest-bwa 0.0.1", "later": "no\nbrowser"}
    )
    _, _, lines = run(tmp_path, cluster)
    assert cluster.asked == ["a", "old", "late", "later"]  # each once
    assert {address for address, _ in cluster.started} == {"a", "late"}
    assert lines[:1] == ["worker old is refused: it has pytest-bwa 0.0.1"]
    assert "worker later is refused: no browser" in lines


def test_a_refused_worker_alone_is_no_reason_to_end_while_others_start_anew(tmp_path):
    """All fit workers are gone before anything ran; the cluster puts new ones in their place."""
    events = {1: lambda c: c.there.pop("a"), 3: lambda c: c.there.update(anew=1)}
    cluster = InventedCluster({"a": 1, "old": 1}, events, refuses={"old": "too old"})
    cluster.running.append(("nobody", 0, "0.0"))  # so that nothing of "a" ended yet
    _, kept, _ = run(tmp_path, cluster)
    assert sorted(kept_once(kept)) == [1, 2, 3, 4]
    assert {place for place, _ in cluster.started[1:]} == {"anew"}


@pytest.mark.parametrize("statuses", [{}, {1: [4], 2: [4]}])
def test_without_a_fit_worker_nothing_runs(tmp_path, statuses):
    refuses = {} if statuses else {"a": "it has no browser", "b": "it has no browser"}
    cluster = InventedCluster({"a": 1, "b": 1}, refuses=refuses, statuses=statuses)
    with pytest.raises(InputError, match="no worker of the cluster can run this audit"):
        run(tmp_path, cluster)


def test_a_worker_on_which_pytest_cannot_start_is_refused_and_its_chunk_runs_elsewhere(tmp_path):
    cluster = InventedCluster({"a": 1, "b": 1}, statuses={1: [4]})
    _, kept, lines = run(tmp_path, cluster)
    assert "worker a is refused: pytest cannot run there: the last line" in lines
    assert kept_once(kept)[1] == "1.2"
    assert [place for place, _ in cluster.started].count("a") == 1


def test_the_other_chunk_of_a_refused_worker_is_not_waited_for_if_it_dies(tmp_path):
    def die(cluster):
        cluster.there = {"b": 1}

    cluster = InventedCluster({"a": 2}, {1: die}, statuses={1: ["the disk is full"]})
    _, kept, lines = run(tmp_path, cluster)
    assert "worker a is refused: the disk is full" in lines
    assert "chunk 2 runs again: its worker a is gone" in lines
    assert sorted(kept_once(kept)) == [1, 2, 3, 4]


def test_a_worker_that_was_started_anew_at_its_address_is_asked_again(tmp_path):
    cluster = InventedCluster({"a": 1}, statuses={2: [""]})
    _, kept, lines = run(tmp_path, cluster)
    assert cluster.asked == ["a", "a"]
    assert kept_once(kept) == {1: "1.1", 2: "2.2", 3: "3.1", 4: "4.1"}
    assert not any("refused" in line for line in lines)


def test_a_chunk_that_always_loses_its_worker_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(coordinating, "MAX_LOSSES", 2)
    cluster = InventedCluster({"a": 1}, statuses={2: [-9, -9, -9, -9]})
    coordinator, kept, lines = run(tmp_path, cluster)
    assert coordinator.given_up == [2]
    assert [chunk for _, chunk in cluster.started].count(2) == 3
    assert sorted(kept_once(kept)) == [1, 3, 4]
    assert kept.missing() == [2]
    assert any("chunk 2 was lost 3 times and is given up" in line for line in lines)


def test_at_the_limit_of_cost_what_runs_comes_to_its_end_and_nothing_more_begins(tmp_path):
    cluster = InventedCluster({"a": 1})
    kept, lines = shards(tmp_path), []
    coordinator = Coordinator(cluster, kept, lines.append, max_cost=0.5)
    cluster.on_start = lambda attempt: coordinator.take_progress(ChunkProgress(attempt, 5, 0.3))
    coordinator.run()
    assert cluster.stops == [("$0.6000 spent of --max-cost 0.5", False)]
    assert sorted(kept_once(kept)) == [1, 2]
    assert kept.missing() == [3, 4]


def test_what_a_lost_attempt_spent_counts(tmp_path):
    cluster = InventedCluster({"a": 1}, statuses={1: [-9]})
    kept = shards(tmp_path)
    coordinator = Coordinator(cluster, kept, lambda line: None, max_cost=0.5)
    cluster.on_start = lambda attempt: coordinator.take_progress(ChunkProgress(attempt, 5, 0.3))
    coordinator.run()
    assert coordinator.stop_reason
    assert kept.lost_attempts()[0].cost_usd == 0.3
    assert sorted(kept_once(kept)) == [1]


def test_an_interrupt_keeps_what_the_workers_have_and_the_next_session_goes_on(tmp_path):
    asked = []
    cluster = InventedCluster(
        {"a": 1, "b": 1}, {1: lambda c: asked.append(1)}, statuses={1: [0], 2: [2]}
    )
    coordinator, kept, _ = run(tmp_path, cluster, is_interrupted=lambda: bool(asked))
    assert cluster.stops == [("interrupted", True)]
    assert coordinator.stop_reason == "interrupted"
    started = {chunk for _, chunk in cluster.started}
    assert set(kept_once(kept)) == started
    again = KeptShards.reopen(kept.folder, "a", "b")
    assert again.open_chunks() == [2, *sorted({3, 4} - started)]

    assert again.finished_samples() == 5  # of the chunk that is not run on
    cluster = InventedCluster({"c": 1})
    Coordinator(cluster, again, lambda line: None).run()
    assert cluster.earlier["2.2"] == kept.folder / "r_2-of-4"
    assert kept_once(again)[2] == "2.2"
    assert again.record.attempts[2][0].continued_by == "2.2"
    assert again.open_chunks() == []


def test_what_an_interrupt_stops_before_its_first_sample_is_left_for_the_next_session(tmp_path):
    asked = []
    ends = {1: [0], 2: [-15]}
    cluster = InventedCluster({"a": 1, "b": 1}, {1: lambda c: asked.append(1)}, statuses=ends)
    coordinator, kept, lines = run(tmp_path, cluster, is_interrupted=lambda: bool(asked))
    assert coordinator.stop_reason == "interrupted"
    assert "chunk 2 is left for --resume: it was stopped before its first sample" in lines
    assert not any("runs again" in line for line in lines)
    assert KeptShards.reopen(kept.folder, "a", "b").open_chunks() == [2, 3, 4]


def test_a_chunk_that_stops_by_itself_stops_the_run(tmp_path):
    """As when the server of the model refuses the key: no other sample could succeed."""
    coordinator, kept, _ = run(tmp_path, InventedCluster({"a": 1}, statuses={1: [2]}))
    assert coordinator.stop_reason == "chunk 1 stopped: the last line"
    assert kept.missing() == [2, 3, 4]


def test_if_all_workers_are_gone_the_run_waits_and_then_stops(tmp_path, monkeypatch):
    monkeypatch.setattr(coordinating, "WORKERS_GONE", 0.0)
    gone = {1: lambda c: c.there.clear()}
    coordinator, kept, _ = run(tmp_path, InventedCluster({"a": 1}, gone))
    assert coordinator.stop_reason == "no worker is left"
    assert kept.open_chunks() == [2, 3, 4]


def test_other_input_cannot_go_on_with_a_run(tmp_path):
    kept = shards(tmp_path)
    with pytest.raises(InputError, match="another spec or list"):
        KeptShards.reopen(kept.folder, "a", "other")
    with pytest.raises(InputError, match="no run of a cluster can go on from here"):
        KeptShards.reopen(tmp_path / "nothing", "a", "b")
