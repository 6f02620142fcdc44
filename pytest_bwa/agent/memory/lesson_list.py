"""What ``bwa lessons`` prints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pytest_bwa.agent.memory.lesson_store import LessonStore
from pytest_bwa.agent.memory.lessons import TIER_1, Lesson
from pytest_bwa.errors import InputError


def list_lessons(home: Path) -> Iterator[str]:
    """A line for each lesson, and what was wrong with the file. Raises EvidenceError."""
    store = LessonStore(home)
    book, _ = store.open()
    yield from store.problems
    yield f"{len(book)} lessons in {store.path}"
    for lesson in sorted(book, key=lambda x: (x.category not in TIER_1, -x.use_count, x.id)):
        yield f"{lesson.id}  {_about(lesson)}  {lesson.text}"


def forget(home: Path, lesson_id: str) -> Iterator[str]:
    """Remove a lesson; says which. Raises InputError if there is none, or EvidenceError."""
    store = LessonStore(home)
    removed = store.change(lambda book: book.forget(lesson_id))
    yield from store.problems
    if removed is None:
        raise InputError(f'there is no lesson "{lesson_id}": bwa lessons lists them')
    yield f"forgotten: {removed.text}"


def _about(lesson: Lesson) -> str:
    """Category, uses and site, in columns."""
    site = lesson.domain or "all sites"
    return f"{lesson.category:14} {lesson.use_count:3} uses  {lesson.source:7}  {site}"
