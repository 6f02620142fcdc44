"""What the results of a run come to, counted in one pass over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from pytest_bwa.evidence.expected import ExpectedRecord, KnownSamples
from pytest_bwa.evidence.record import NOT_AS_EXPECTED, REVIEW_MARKS, ReviewMark, SampleResult
from pytest_bwa.evidence.run_record import RecipeRecord
from pytest_bwa.proof.doubts.groups import DoubtGroups, cleared_doubts
from pytest_bwa.proof.flagging import is_only_doubted
from pytest_bwa.spec.network.advice import RequestCounts
from pytest_bwa.steps.step import Usage

MAX_NAMED = 10
"""Results that are kept, to be named; of all others only the ids."""
MANY_TIMES = 10_000


class Times:
    """When samples were running; times that overlap are joined, so that many take little room."""

    def __init__(self) -> None:
        self._times: list[tuple[datetime, datetime]] = []
        self._limit = MANY_TIMES

    def add(self, started: str, finished: str) -> None:
        self._times.append((datetime.fromisoformat(started), datetime.fromisoformat(finished)))
        if len(self._times) > self._limit:
            self._join()
            self._limit = max(MANY_TIMES, 2 * len(self._times))

    def seconds(self) -> float:
        self._join()
        return sum((until - since).total_seconds() for since, until in self._times)

    def _join(self) -> None:
        joined: list[tuple[datetime, datetime]] = []
        for since, until in sorted(self._times):
            if joined and since <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(until, joined[-1][1]))
            elif until > since:
                joined.append((since, until))
        self._times = joined


@dataclass(slots=True)
class RunTotals:
    """Counts, sums and ids of the results of a run."""

    usage: Usage = field(default_factory=Usage)
    steps: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    counted_apart: Counter[str] = field(default_factory=Counter)
    """The statuses of samples that pass as not found, and of those that fail only because a person
    should look at them."""
    not_passed: list[str] = field(default_factory=list)
    first_not_passed: list[SampleResult] = field(default_factory=list)
    first_flagged: list[SampleResult] = field(default_factory=list)
    """Of those that passed. Neither has samples of which nothing is to be said but doubts of places
    that an earlier one has: ``doubts`` names them with the number of their samples."""
    failed_for_review: int = 0
    not_as_expected: int = 0
    """Samples that fail only because a value is not what the list says."""
    passed_as_not_found: list[str] = field(default_factory=list)
    """The samples that do not exist, if that is taken as a pass."""
    to_review: dict[ReviewMark, list[str]] = field(default_factory=dict)
    """The samples that a person should look at, by each reason that a sample has for it."""
    has_broken: bool = False
    blocked: RequestCounts = field(default_factory=RequestCounts)
    blocked_total: int = 0
    writes_total: int = 0
    first_began: str = ""
    fields_of_many: set[str] = field(default_factory=set)
    """The fields of which a sample has a list or an object."""
    doubts: DoubtGroups = field(default_factory=DoubtGroups)
    known: KnownSamples = field(default_factory=KnownSamples)
    cleared: Counter[tuple[str, str]] = field(default_factory=Counter)
    """The doubts that known samples cleared, and by what."""
    _times: Times = field(default_factory=Times)

    @property
    def seconds(self) -> float:
        """How long at least one sample was running, in all sessions of the run."""
        return self._times.seconds()

    def known_record(self, recipe: RecipeRecord | None) -> ExpectedRecord | None:
        """What run.json says of the known samples; None if nothing was known."""
        if (known := self.known.record(recipe.learnt_from if recipe else ())) is not None:
            known.cleared = [
                f"{doubt} cleared in {-number:,} samples: {by}"
                for number, (doubt, by) in sorted((-n, key) for key, n in self.cleared.items())
            ]
        return known

    def add(self, result: SampleResult) -> None:
        self.usage += result.usage
        self.steps += result.steps
        self.statuses[result.status] += 1
        self.has_broken = self.has_broken or result.broken
        self._add_ending(result)
        for mark in result.review_marks:
            self.to_review.setdefault(mark, []).append(result.sample_id)
        self.doubts.add(result)
        self.known.add(result)
        self.cleared.update(cleared_doubts(result))
        self.blocked.add(result.blocked_requests)
        self.blocked_total += result.blocked_requests_total
        self.writes_total += result.writes_total
        values = result.extracted.items()
        self.fields_of_many |= {name for name, value in values if isinstance(value, list | dict)}
        if result.started_at:
            self.first_began = min(self.first_began or result.started_at, result.started_at)
            self._times.add(result.started_at, result.finished_at)

    def _add_ending(self, result: SampleResult) -> None:
        is_not_found = result.passed and result.status != "done"
        if is_not_found:
            self.passed_as_not_found.append(result.sample_id)
        if result.failed_marks:
            is_known = NOT_AS_EXPECTED in result.failed_marks
            self.not_as_expected += is_known
            self.failed_for_review += not is_known
        self.counted_apart[result.status] += is_not_found or bool(result.failed_marks)
        if not result.passed:
            self.not_passed.append(result.sample_id)
        elif not result.flagged:
            return
        first = self.first_flagged if result.passed else self.first_not_passed
        is_only_known = self.doubts.have_all(result) and is_only_doubted(result)
        is_said = is_only_known or bool(result.differences)
        if len(first) < MAX_NAMED and not is_said:
            first.append(result)


def totals_of(results: Iterable[SampleResult]) -> RunTotals:
    totals = RunTotals()
    for result in results:
        totals.add(result)
    marks = totals.to_review
    totals.to_review = {mark: marks[mark] for mark in REVIEW_MARKS if mark in marks}
    return totals
