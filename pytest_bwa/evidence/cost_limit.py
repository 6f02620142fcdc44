"""How much the model calls of one session may cost (``--max-cost``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pytest_bwa.errors import CostLimitReached
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.result_reader import Checks, ResultReader
from pytest_bwa.steps.text import dollars


class CostLimit:
    """Counts what all workers have spent, from the files that they write.

    A sample that is running goes on to its end: what is spent may exceed the limit by one sample
    of each worker, and in a run of so many samples that their folders take long to read by what
    they spend between two readings (``ResultReader``). ``of_cluster`` says why a run of several
    machines is to stop, empty if not.
    """

    def __init__(
        self,
        dollars: Callable[[], float | None],
        folders: Callable[[], Sequence[RunFolder]],
        of_cluster: Callable[[], str] = lambda: "",
    ) -> None:
        self._limit, self._folders, self._of_cluster = dollars, folders, of_cluster
        self._reader = SpendingReader()

    def check(self) -> None:
        """Raises CostLimitReached if no further sample may begin."""
        if reason := self._reason():
            raise CostLimitReached(reason)

    def stop_reason(self, folder: RunFolder) -> str:
        """Why samples of this run were not run; empty if the limit is not the reason."""
        self._reader = SpendingReader()  # which reads everything at once
        if not (reason := self._reason()):
            return ""
        is_complete = len(self._reader.results(folder)) >= folder.record().samples_in
        return "" if is_complete else reason

    def _reason(self) -> str:
        limit = self._limit()
        if (stopped := self._of_cluster()) or limit is None:
            return stopped
        spent = sum(spent_in(folder, self._reader) for folder in self._folders())
        return f"{dollars(spent)} spent of --max-cost {limit:g}" if spent >= limit else ""


Spending = tuple[str, float | None]
"""When a sample ended, and what it had cost."""


class SpendingReader(ResultReader[Spending]):
    """Adds up what the samples of runs and their checks cost, once for each look at
    the folders of a run."""

    def __init__(self) -> None:
        super().__init__(lambda result: (result.finished_at, result.usage.cost_usd))
        self._sums: dict[Path, tuple[list[Spending], float]] = {}
        """By the folder of a run, what was added up."""

    def spent(self, folder: RunFolder, since: str) -> float:
        """US dollars of what ended since a time, and of all checks."""
        found = self.results(folder)
        known, total = self._sums.get(folder.path, ([], 0.0))
        if known is not found:
            total = sum(cost or 0.0 for ended, cost in found if ended >= since)
            checks = Checks(folder).read()
            total += sum(check.usage.cost_usd or 0.0 for check in checks)
            self._sums[folder.path] = found, total
        return total


def spent_in(folder: RunFolder, reader: SpendingReader) -> float:
    """US dollars of the run's last session: what a resumed run had cost before does not count.
    Raises EvidenceError."""
    record = folder.record()
    since = (record.resumed_at or [record.started_at])[-1]
    costs = [live.cost_usd for live in folder.live_samples()]
    if not record.resumed_at:
        costs.append(record.preparation_usage.cost_usd)
    return reader.spent(folder, since) + sum(cost or 0.0 for cost in costs)
