"""How much the model calls of one session may cost (``--max-cost``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_bwa.errors import CostLimitReached
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.result_reader import ResultReader
from pytest_bwa.text import dollars


class CostLimit:
    """Counts what all workers have spent, from the files that they write.

    A sample that is running goes on to its end: what is spent may exceed the limit by one sample
    of each worker.
    """

    def __init__(
        self, dollars: Callable[[], float | None], folders: Callable[[], Sequence[RunFolder]]
    ) -> None:
        self._limit, self._folders = dollars, folders
        self._reader = ResultReader()

    def check(self) -> None:
        """Raises CostLimitReached if no further sample may begin."""
        if reason := self._reason():
            raise CostLimitReached(reason)

    def stop_reason(self, folder: RunFolder) -> str:
        """Why samples of this run were not run; empty if the limit is not the reason."""
        if not (reason := self._reason()):
            return ""
        is_complete = len(self._reader.results(folder)) >= folder.record().samples_in
        return "" if is_complete else reason

    def _reason(self) -> str:
        limit = self._limit()
        if limit is None:
            return ""
        spent = sum(map(self._spent, self._folders()))
        return f"{dollars(spent)} are spent, of --max-cost {limit:g}" if spent >= limit else ""

    def _spent(self, folder: RunFolder) -> float:
        """US dollars of this session: what a resumed run had cost before does not count."""
        record = folder.record()
        since = (record.resumed_at or [record.started_at])[-1]
        costs = [r.usage.cost_usd for r in self._reader.results(folder) if r.finished_at >= since]
        costs += [live.cost_usd for live in folder.live_samples()]
        if not record.resumed_at:
            costs.append(record.preparation_usage.cost_usd)
        return sum(cost or 0.0 for cost in costs)
