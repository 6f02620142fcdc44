"""Reads the results of runs again and again, each file only once unless it changes."""

from __future__ import annotations

from pathlib import Path

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.writer import RESULT


class ResultReader:
    """The results of runs that may still go on."""

    def __init__(self) -> None:
        self._known: dict[Path, dict[Path, tuple[int, SampleResult]]] = {}
        """By the folder of the run, each result with the time of its file."""

    def results(self, folder: RunFolder) -> list[SampleResult]:
        """All results of a run, in the order in which they were finished."""
        known = self._known.setdefault(folder.path, {})
        for path in folder.path.glob(f"*/{RESULT}"):
            modified = path.stat().st_mtime_ns
            if path in known and known[path][0] == modified:
                continue
            if (result := folder.result(path.parent.name)) is not None:
                known[path] = (modified, result)
        return sorted((result for _, result in known.values()), key=lambda r: r.finished_at)
