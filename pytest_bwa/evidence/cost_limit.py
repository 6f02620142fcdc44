"""How much the model calls of one session may cost (``--max-cost``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_bwa.errors import CostLimitReached
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.result_reader import RecipeChecks, ResultReader
from pytest_bwa.text import dollars


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
        self._reader = spending_reader()

    def check(self) -> None:
        """Raises CostLimitReached if no further sample may begin."""
        if reason := self._reason():
            raise CostLimitReached(reason)

    def stop_reason(self, folder: RunFolder) -> str:
        """Why samples of this run were not run; empty if the limit is not the reason."""
        self._reader = spending_reader()  # which reads everything at once
        if not (reason := self._reason()):
            return ""
        is_complete = len(self._reader.results(folder)) >= folder.record().samples_in
        return "" if is_complete else reason

    def _reason(self) -> str:
        limit = self._limit()
        if (stopped := self._of_cluster()) or limit is None:
            return stopped
        spent = sum(spent_in(folder, self._reader) for folder in self._folders())
        return f"{dollars(spent)} are spent, of --max-cost {limit:g}" if spent >= limit else ""


Spending = tuple[str, float | None]
"""When a sample ended, and what it had cost."""


def spending_reader() -> ResultReader[Spending]:
    return ResultReader(lambda result: (result.finished_at, result.usage.cost_usd))


def spent_in(folder: RunFolder, reader: ResultReader[Spending]) -> float:
    """US dollars of the run's last session: what a resumed run had cost before does not count.
    Raises EvidenceError."""
    record = folder.record()
    since = (record.resumed_at or [record.started_at])[-1]
    costs = [cost for ended, cost in reader.results(folder) if ended >= since]
    costs += [check.usage.cost_usd for check in RecipeChecks(folder).read()]
    costs += [live.cost_usd for live in folder.live_samples()]
    if not record.resumed_at:
        costs.append(record.preparation_usage.cost_usd)
    return sum(cost or 0.0 for cost in costs)
