"""Reads the results of runs from their files, as often as they are asked for."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from pytest_bwa.evidence.checks import SampleCheck
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.spec.sample import FAN_OUT, folders_in_run

Kept = TypeVar("Kept")
CHECKS, CHECK = "recipe_checks", "check.json"
"""The folder with the samples that were run again by the policy alone, and what came of each."""
SHORT = 0.1
"""Seconds; a look that takes no longer is repeated whenever somebody asks."""
PAUSE = 20
"""How many times as long as a look at all folders took, the next one has to wait: so a run of many
samples spends at most a twentieth of its time on them."""


class StoredResults(Collection[SampleResult]):
    """The results of a run that has ended, in the order of their sample ids. Only their ids are
    kept: each pass reads the files again, so that any number of them takes no memory."""

    def __init__(
        self,
        folder: RunFolder,
        prepare: Callable[[SampleResult], SampleResult] = lambda result: result,
        is_listed: Callable[[str], bool] = lambda name: True,
    ) -> None:
        """``prepare`` sets what the file does not say; a folder of a sample that is not listed is
        none of the run's."""
        self._folder, self._prepare = folder, prepare
        self._names = folder.finished(is_listed)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, result: object) -> bool:
        return isinstance(result, SampleResult) and self.get(result.sample_id) == result

    def __iter__(self) -> Iterator[SampleResult]:
        return (result for name in self._names if (result := self.get(name)) is not None)

    def get(self, sample_id: str) -> SampleResult | None:
        result = self._folder.result(sample_id)
        return None if result is None else self._prepare(result)


class Checks:
    """The samples of a run that were run again by the policy alone. In a run of many samples, their
    folders are fanned out as those of the samples are."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    def place(self, sample_id: str) -> Path:
        """The folder of one."""
        place = self._folder.place(sample_id).removeprefix(f"{FAN_OUT}/")
        return self._folder.path / CHECKS / place

    def begun(self) -> int:
        """How many there are, also without a result."""
        return sum(1 for _ in self._places())

    def has(self, sample_id: str) -> bool:
        """Whether something came of it."""
        return (self.place(sample_id) / CHECK).is_file()

    def result(self, sample_id: str) -> SampleResult | None:
        """That of its second run."""
        try:
            return SampleResult.model_validate_json((self.place(sample_id) / RESULT).read_bytes())
        except (OSError, ValidationError):
            return None

    def forget(self, sample_id: str) -> None:
        (self.place(sample_id) / CHECK).unlink(missing_ok=True)

    def read(self) -> list[SampleCheck]:
        """What came of them, sorted by sample_id."""
        found = []
        for place in sorted(self._places(), key=lambda path: path.name):
            with suppress(OSError, ValidationError):
                content = (place / CHECK).read_bytes()
                found.append(SampleCheck.model_validate_json(content))
        return found

    def _places(self) -> Iterator[Path]:
        is_fanned_out = "/" in self._folder.place("any")
        return (self._folder.path / CHECKS).glob("*/*/" if is_fanned_out else "*/")


class ResultReader(Generic[Kept]):
    """The results of runs that may still go on, each file read only once unless it changes; of
    each, only what ``keep`` makes of it stays in memory."""

    def __init__(self, keep: Callable[[SampleResult], Kept]) -> None:
        self._keep = keep
        self._known: dict[Path, dict[Path, tuple[int, str, Kept]]] = {}
        """By the folder of the run, each result with the time of its file and of its end."""
        self._sorted: dict[Path, list[Kept]] = {}
        self._not_before: dict[Path, float] = {}
        self.is_up_to_date = False
        """Whether the last look has read all that there was."""

    def results(self, folder: RunFolder, seconds: float = math.inf) -> list[Kept]:
        """What is kept of all results of a run, in the order in which they were finished; of those
        that are read for the first time, only what can be read in so many seconds."""
        started = time.monotonic()
        if started >= self._not_before.get(folder.path, 0.0):
            self.is_up_to_date = self._look(folder, started + seconds)
            ended = time.monotonic()
            took = ended - started if self.is_up_to_date else 0.0
            self._not_before[folder.path] = ended + PAUSE * took if took > SHORT else ended
        return self._sorted[folder.path]

    def _look(self, folder: RunFolder, until: float) -> bool:
        is_late = False
        known = self._known.setdefault(folder.path, {})
        for place in folders_in_run(folder.path):
            path = place / RESULT
            try:
                modified = path.stat().st_mtime_ns
            except OSError:
                continue
            if path in known and known[path][0] == modified:
                continue
            if is_late := time.monotonic() > until:
                break
            if (result := folder.result(place.name)) is not None:
                known[path] = (modified, result.finished_at, self._keep(result))
        ordered = sorted(known.values(), key=itemgetter(1))
        self._sorted[folder.path] = [kept for _, _, kept in ordered]
        return not is_late


def for_display(result: SampleResult) -> SampleResult:
    """The result without what takes room and is shown nowhere while a run lasts."""
    lists = ("artifacts", "picture_texts", "notes", "mode", "writes", "blocked_requests")
    empty: dict[str, Any] = {"grounding": {}, "extracted": {}, **{name: [] for name in lists}}
    return result.model_copy(update=empty)
