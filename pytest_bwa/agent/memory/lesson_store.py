"""The lessons of all runs, in memory.json under BWA_HOME."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel

from pytest_bwa.agent.memory.lessons import Event, Lesson, LessonBook, seeds
from pytest_bwa.agent.memory.locked_file import LockedFile

MEMORY = "memory.json"
Result = TypeVar("Result")


class LessonFile(BaseModel):
    """What memory.json contains."""

    version: Literal[1] = 1
    lessons: list[Lesson] = []


class LessonStore:
    """Reads and changes memory.json; two runs at once lose nothing. Raises EvidenceError."""

    def __init__(self, home: Path) -> None:
        folder = home.expanduser()
        self._file = LockedFile(folder / MEMORY, folder / f"{MEMORY}.lock", LessonFile)

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def problems(self) -> list[str]:
        """What was wrong with the file, a line for each."""
        return self._file.problems

    def open(self) -> tuple[LessonBook, list[Event]]:
        """The lessons with which a run starts, after old ones were pruned."""
        return self.change(lambda book: (book, book.prune(today())))

    def record(self, found: Sequence[tuple[Lesson, str]], renewed: Collection[str]) -> list[Event]:
        """Add what a sample learnt, each with its host, and renew the lessons that it used."""

        def change(book: LessonBook) -> list[Event]:
            book.renew(renewed, today())
            return [event for x, host in found for event in book.record(x, host, today())]

        return self.change(change)

    def change(self, change: Callable[[LessonBook], Result]) -> Result:
        """Change the lessons while no other process does."""
        with self._file.locked():
            content = self._file.read()
            before = content.lessons if content else []
            book = LessonBook(before if content else seeds(today()))
            result = change(book)
            if content is None or list(book) != before:
                self._file.write(LessonFile(lessons=list(book)))
        return result


def today() -> date:
    return datetime.now(UTC).date()
