"""What memory did in a run: memory_events.jsonl, one line for each event."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.file_lock import locked
from pytest_bwa.steps.step import utc_now
from pytest_bwa.steps.text import whole_characters

EVENTS = "memory_events.jsonl"
HINTS_SHOWN = "hints_shown"


class EventLog:
    """Appends events to the file; all workers of a run write to the same one."""

    def __init__(self, path: Path, lock: Path) -> None:
        self.path, self._lock = path, lock

    def add(self, events: Iterable[Mapping[str, Any]], sample_id: str = "") -> None:
        """Append the events in one write. Raises EvidenceError."""
        about = {"sample_id": sample_id} if sample_id else {}
        lines = [
            json.dumps({"time": utc_now(), **about, **event}, ensure_ascii=False)
            for event in events
        ]
        if not lines:
            return
        data = whole_characters("".join(f"{line}\n" for line in lines)).encode()
        with locked(self.path, self._lock):
            try:
                stream = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
                try:
                    os.write(stream, data)
                finally:
                    os.close(stream)
            except OSError as error:
                raise EvidenceError(f"cannot write {self.path}: {error}") from error


def count_events(path: Path, event: str) -> int:
    """How many events of this kind a run had; a line that was cut off is none."""
    try:
        lines = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return 0
    return sum(1 for line in lines if _kind(line) == event)


def _kind(line: str) -> str:
    try:
        return str(json.loads(line)["event"])
    except (ValueError, KeyError, TypeError):
        return ""
