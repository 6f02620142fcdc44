"""Where samples wait for a person: files in the run's folder, which go when the run ends.

The worker of a sample writes a question and waits; whoever decides, on the reviewer's page or in
the terminal, writes the answer. What was decided stays in the log of the sample. A question whose
worker was killed is one that nobody touches any more.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError

from pytest_bwa.evidence.file_lock import locked
from pytest_bwa.evidence.files import make_folder, write_atomically, write_json
from pytest_bwa.evidence.folder import LIVE
from pytest_bwa.steps.approval import Answer
from pytest_bwa.steps.read_lines import Box
from pytest_bwa.steps.step import utc_now

FOLDER = "approvals"
PERIOD = 0.1
"""Seconds between two looks for an answer."""
LOST_SECONDS = 10.0
"""Untouched for so long, a question has nobody who waits."""

Record = TypeVar("Record", bound=BaseModel)


class Question(BaseModel):
    """What a sample would send. Everything in it is redacted."""

    id: str = Field(default_factory=lambda: token_hex(8))
    sample_id: str
    task_id: str
    what: str
    """The action, in words."""
    to: str
    """Method and address."""
    fields: list[tuple[str, str]]
    url: str
    """The address of the page."""
    title: str
    box: Box | None
    """Where the picture shows the element."""
    alike: str
    """The same for the same button and the same fields of the same task."""
    since: str = Field(default_factory=utc_now)
    seconds: float
    """How long it waits."""


class ApprovalDesk:
    """The questions of one run and their answers."""

    def __init__(self, run: Path) -> None:
        self._folder = run / LIVE / FOLDER

    def clear(self) -> None:
        """Forget what a session that was killed has left: what was decided of all alike held for
        that session."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def waiting(self) -> list[Question]:
        """What nobody has decided yet, the oldest first."""
        paths = filter(_is_touched, self._folder.glob("*.question.json"))
        found = (_read(path, Question) for path in paths)
        open_ones = [q for q in found if q is not None and self._answer(q) is None]
        return sorted(open_ones, key=lambda question: (question.since, question.id))

    def picture(self, id: str) -> bytes | None:
        """The PNG of a question that waits."""
        if any(question.id == id for question in self.waiting()):
            with suppress(OSError):
                return (self._folder / f"{id}.png").read_bytes()
        return None

    def decide(self, id: str, answer: Answer) -> bool:
        """Whether the answer counts: not if the question waits no more. Raises EvidenceError."""
        with self._locked():
            question = next((q for q in self.waiting() if q.id == id), None)
            if question is None:
                return False
            name = question.alike if answer.alike else question.id
            write_json(self._folder / f"{name}.answer.json", answer)
            return True

    def ask(
        self, question: Question, png: bytes | None, show: Callable[[Question], None]
    ) -> Answer | None:
        """Wait for the answer; None if nobody gave one in time. ``show`` is called again and again
        meanwhile. Raises EvidenceError."""
        if (known := self._answer(question)) is not None:
            return known
        make_folder(self._folder)
        if png is not None:
            write_atomically(self._folder / f"{question.id}.png", png)
        path = self._folder / f"{question.id}.question.json"
        write_json(path, question, durable=False)
        until = time.monotonic() + question.seconds
        try:
            while (answer := self._answer(question)) is None and time.monotonic() < until:
                show(question)
                with suppress(OSError):
                    os.utime(path)
                time.sleep(PERIOD)
        finally:
            with self._locked():  # what is decided until here counts
                answer = self._answer(question)
                path.unlink(missing_ok=True)
        return answer

    def _answer(self, question: Question) -> Answer | None:
        paths = (self._folder / f"{name}.answer.json" for name in (question.id, question.alike))
        return next(filter(None, (_read(path, Answer) for path in paths)), None)

    def _locked(self) -> AbstractContextManager[None]:
        return locked(self._folder, self._folder / "lock")


def _is_touched(path: Path) -> bool:
    with suppress(OSError):
        return time.time() - path.stat().st_mtime < LOST_SECONDS
    return False


def _read(path: Path, kind: type[Record]) -> Record | None:
    try:
        return kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
