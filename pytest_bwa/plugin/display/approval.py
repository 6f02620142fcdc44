"""Asks for approval in the terminal of a run without workers."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from pytest_bwa.evidence.approvals import ApprovalDesk, Question
from pytest_bwa.evidence.integrity.origin import login_name
from pytest_bwa.steps.approval import Answer
from pytest_bwa.steps.step import utc_now
from pytest_bwa.steps.text import in_encoding, show_controls

HINT = "y: approve, a: approve all alike, n [why]: reject, and Enter: "
PROMPT = pytest.StashKey[str]()
"""The id of the question that the terminal asked last; nothing else is drawn beside it."""
CLEAR = "\x1b[K"
"""Clears what is right of the cursor: the line of the running samples."""
STDIN = 0
MAX_LINE = 4096


class TerminalApproval:
    """Shows a question once, and takes what is typed; without a terminal, it does neither."""

    def __init__(self, config: pytest.Config) -> None:
        self._capture = config.pluginmanager.getplugin("capturemanager")
        self._stash = config.stash

    def __call__(self, desk: ApprovalDesk, question: Question) -> None:
        """Raises EvidenceError."""
        with self._terminal() as is_there:
            if not is_there:
                return
            if question.id != self._stash.get(PROMPT, ""):
                self._stash[PROMPT] = question.id
                _forget_typed()
                _write("\n".join([CLEAR, *_lines(question), HINT]))
            for line in _typed():
                answer = answer_of(line)
                if answer is None:
                    _write(HINT)
                elif desk.decide(question.id, answer):
                    return

    @contextmanager
    def _terminal(self) -> Iterator[bool]:
        """Whether a person can type here; pytest has stdin and stdout for itself otherwise."""
        if self._capture is None or sys.platform == "win32":  # where nothing tells what was typed
            yield False
            return
        self._capture.suspend(in_=True)
        try:
            yield os.isatty(STDIN)
        finally:
            self._capture.resume()


def answer_of(line: str) -> Answer | None:
    """What a person typed; None if it is no answer."""
    word, _, comment = line.strip().partition(" ")
    if word.lower() not in ("y", "a", "n"):
        return None
    return Answer(
        decision="rejected" if word.lower() == "n" else "approved",
        by=login_name() or "somebody at the terminal",
        at=utc_now(),
        comment=comment.strip(),
        alike=word.lower() == "a",
    )


def _lines(question: Question) -> list[str]:
    lines = [
        f"bwa: {question.sample_id} waits for approval: {question.what}",
        f"     sends {question.to}",
        f"     from {question.title} {question.url}",
        *(f"     {name}: {text}" for name, text in question.fields),
    ]
    return [show_controls(line) for line in lines]


def _write(text: str) -> None:
    print(in_encoding(text, sys.stdout.encoding), end="", flush=True)


def _typed() -> list[str]:
    """Whole lines that were typed; none at the end of the input."""
    with suppress(OSError, ValueError):
        if select.select([STDIN], [], [], 0)[0]:
            return os.read(STDIN, MAX_LINE).decode("utf-8", "replace").splitlines()
    return []


def _forget_typed() -> None:
    """What was typed before the question was not meant for it."""
    while _typed():
        pass
