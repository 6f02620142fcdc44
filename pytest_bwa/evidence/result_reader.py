"""Reads the results of a run again and again, each file only once unless it changes."""

from __future__ import annotations

from pathlib import Path

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.writer import RESULT


class ResultReader:
    """The results of a run that may still go on."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._known: dict[Path, tuple[int, SampleResult]] = {}

    def results(self) -> list[SampleResult]:
        """All results, in the order in which they were finished."""
        for path in self._folder.path.glob(f"*/{RESULT}"):
            modified = path.stat().st_mtime_ns
            if path in self._known and self._known[path][0] == modified:
                continue
            if (result := self._folder.result(path.parent.name)) is not None:
                self._known[path] = (modified, result)
        return sorted((result for _, result in self._known.values()), key=lambda r: r.finished_at)
