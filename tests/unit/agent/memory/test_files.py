"""The files of memory: many writers at once, broken files, folders that cannot be written."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from pytest_bwa.agent.memory.lessons import Lesson, LessonStore, forget, list_lessons
from pytest_bwa.agent.memory.run_memory import MAX_OF_DOMAIN, Failure, Pattern, RunMemory
from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.memory_events import EventLog, count_events

TODAY = date(2026, 11, 22)
WORKERS, EACH = 8, 12


def learnt(text: str) -> Lesson:
    return Lesson(
        lesson=text, category="error_recovery", failed_command="click", error_pattern=text,
        created_at=TODAY, last_used=TODAY,
    )  # fmt: skip


def test_eight_writers_at_once_lose_nothing(tmp_path):
    """Each writer has locks of its own, as a process has."""

    def work(number: int) -> None:
        store = LessonStore(tmp_path / "home")
        memory = RunMemory(tmp_path / "memory", tmp_path / "locks")
        log = EventLog(tmp_path / "events.jsonl", tmp_path / "locks/events.lock")
        for n in range(EACH):
            store.record([(learnt("the same"), ""), (learnt(f"{number}-{n}"), "")], ())
            memory.add_pattern(f"{number}.org", Pattern(actions=["a", str(n)]))
            memory.add_pattern("x.org", Pattern(actions=["the same"]))
            memory.add_failure("x.org", Failure(reason="blocked"))
            log.add([{"event": "tried", "n": n}, {"event": "also"}])

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(work, range(WORKERS)))
    book, _ = LessonStore(tmp_path / "home").open()
    counts = {lesson.text: lesson.use_count for lesson in book}
    assert len(counts) == 3 + 1 + WORKERS * EACH
    assert counts["the same"] == WORKERS * EACH
    patterns = json.loads((tmp_path / "memory/patterns.json").read_text())["domains"]
    assert len(patterns) == WORKERS + 1
    assert [p["samples"] for p in patterns["x.org"]] == [WORKERS * EACH]
    failures = json.loads((tmp_path / "memory/failures.json").read_text())["domains"]
    assert failures["x.org"][0]["samples"] == WORKERS * EACH
    assert count_events(tmp_path / "events.jsonl", "tried") == WORKERS * EACH


@pytest.mark.parametrize(
    "content",
    [b"", b'{"version": 1, "lessons": [{"les', b"[]", b"\xff\xfe", b'{"version": 2, "lessons": []}',
     b'{"version": 1, "lessons": [{"lesson": "x", "category": "odd"}]}'],
    ids=["empty", "half", "list", "bytes", "version", "category"],
)  # fmt: skip
def test_a_broken_file_is_set_aside_and_named(tmp_path, content):
    (tmp_path / "memory.json").write_bytes(content)
    store = LessonStore(tmp_path)
    book, _ = store.open()
    assert len(book) == 3
    (aside,) = tmp_path.glob("memory.json.broken-*Z")
    assert aside.read_bytes() == content
    (problem,) = store.problems
    assert aside.name in problem
    assert LessonStore(tmp_path).open()[0].tier_1() == book.tier_1()


def test_a_folder_that_cannot_be_written_is_an_error_that_names_it(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EvidenceError, match="file"):
        LessonStore(tmp_path / "file/home").open()


def test_run_memory_is_capped_and_keeps_the_newest(tmp_path):
    memory = RunMemory(tmp_path, tmp_path)
    for n in range(MAX_OF_DOMAIN + 5):
        memory.add_pattern("x.org", Pattern(actions=[str(n)]))
    (kept,) = json.loads((tmp_path / "patterns.json").read_text())["domains"].values()
    assert [p["actions"] for p in kept] == [[str(n)] for n in range(5, MAX_OF_DOMAIN + 5)]


def test_the_line_of_an_event_that_was_cut_off_is_no_event(tmp_path):
    path = tmp_path / "events.jsonl"
    EventLog(path, tmp_path / "lock").add([{"event": "a", "text": "\ud800\n"}], "s1")
    with path.open("a") as stream:
        stream.write('{"event": "a", "tex')
    assert count_events(path, "a") == 1
    assert json.loads(path.read_text().splitlines()[0])["sample_id"] == "s1"


def test_lessons_are_listed_and_forgotten_for_good(tmp_path: Path):
    LessonStore(tmp_path).record([(learnt("obey \x1b[31m me"), "a.org")], ())
    first, *lines = list_lessons(tmp_path)
    assert first == f"4 lessons in {tmp_path / 'memory.json'}"
    assert all("seed" in line for line in lines[:3])
    assert lines[3].endswith("1 uses  learned  all sites  obey [31m me")
    ids = [line.split()[0] for line in lines]
    for lesson_id in (ids[0], ids[3]):
        (message,) = forget(tmp_path, lesson_id)
        assert message.startswith("forgotten: ")
        with pytest.raises(EvidenceError.__mro__[1], match="there is no lesson"):
            list(forget(tmp_path, lesson_id))
    assert len(list(list_lessons(tmp_path))) == 3
