"""A run as it is now, while it goes on and after it: its results, and what people decided of them.

Results and reviews are read once; each look reads only what is new. What is open is kept up to date
sample by sample, so that a decision costs the same in a run of ten and of ten thousand.
"""

from __future__ import annotations

import math
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from pytest_bwa.evidence.folder import SAMPLES, RunFolder
from pytest_bwa.evidence.record import REVIEW_MARKS, SampleResult
from pytest_bwa.evidence.result_reader import ResultReader, for_display
from pytest_bwa.evidence.reviews import Key, NewReviews, Review, ReviewedResult, in_force
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.proof.doubts.groups import DoubtedPlace, DoubtGroup, DoubtGroups
from pytest_bwa.reports.base import as_taken, load_run_task
from pytest_bwa.reports.handover.words import Kind, kind_of
from pytest_bwa.reports.review.decisions import ToReview
from pytest_bwa.spec.samples import read_samples

KEPT_RESULTS = 300
"""Whole results that are kept in memory, those used last."""


class Entry(NamedTuple):
    """One thing to decide."""

    sample_id: str
    key: Key


@dataclass(frozen=True, slots=True)
class Known:
    """What is kept of each result."""

    to_review: ToReview
    summary: SampleResult
    """Without its values."""
    file: ReviewedResult

    @property
    def name(self) -> str:
        return self.summary.sample_id

    @property
    def order(self) -> tuple[int, str, str]:
        """Which samples come first: those that need a review before those that are flagged, and
        what was finished first before what came later."""
        urgency = min(map(REVIEW_MARKS.index, self.to_review.marks), default=len(REVIEW_MARKS))
        return urgency, self.summary.finished_at, self.name


@dataclass(slots=True)
class OpenGroup:
    """What is open of the values that are doubted at one place."""

    group: DoubtGroup
    entries: list[Entry]

    @property
    def samples(self) -> int:
        return len({entry.sample_id for entry in self.entries})


class LiveRun:
    """Everything that the page shows is asked of it; ``lock`` keeps two threads apart."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = RunFolder(folder.path.resolve())
        self.record = self.folder.record()
        self.task = load_run_task(self.folder, self.record)
        self.samples = read_samples(self.folder.path / SAMPLES)
        self.lock = threading.RLock()
        self.version = 0
        """Grows whenever a result or a decision comes."""
        self.decided: Counter[str] = Counter()
        self.said_of_run: list[Review] = []
        self.kinds: Counter[Kind] = Counter()
        self._taken = as_taken(self.folder, self.record, self.task, self.samples)
        self._reader = ResultReader(self._known_of)
        self._new_reviews = NewReviews(self.folder.path)
        self._known: dict[str, Known] = {}
        self._reviews: dict[str, list[Review]] = {}
        self._by_hash: dict[str, Review] = {}
        self._in_force: dict[str, Mapping[Key, Review]] = {}
        self._open: dict[str, tuple[Key, ...]] = {}
        """Of the samples that are to be looked at."""
        self._results: OrderedDict[str, SampleResult] = OrderedDict()
        self._groups: tuple[int, list[OpenGroup]] = (-1, [])

    # -- what is new -----------------------------------------------------------------------------

    def look(self, seconds: float = math.inf) -> list[Review]:
        """Read what is new, as far as so many seconds suffice; returns the new reviews. Raises
        BwaError."""
        with self.lock:
            self._look_at_record()
            found = self._reader.results(self.folder, seconds)
            new = [known for known in found if self._known.get(known.name) is not known]
            for known in new:
                if (before := self._known.get(known.name)) is not None:
                    self.kinds[kind_of(before.summary)] -= 1
                self.kinds[kind_of(known.summary)] += 1
                self._known[known.name] = known
                self._results.pop(known.name, None)
                self._count(known.name)
            self.version += bool(new)
            return self.look_at_reviews()

    def _look_at_record(self) -> None:
        """Which reviews hold of which results depends on when the run ended."""
        record = self.folder.record()
        if record.finished_at != self.record.finished_at:
            self._taken = as_taken(self.folder, record, self.task, self.samples)
            self._reader = ResultReader(self._known_of)
            self.version += 1
        self.record = record

    def look_at_reviews(self) -> list[Review]:
        """The same of the reviews alone."""
        with self.lock:
            new = self._new_reviews.read()
            for review in new:
                self._reviews.setdefault(review.sample_id, []).append(review)
                self._by_hash[review.hash] = review
            self.said_of_run += [review for review in new if review.subject == "run"]
            for name in {review.sample_id for review in new}:
                self._count(name)
            self.version += bool(new)
            return new

    def _known_of(self, result: SampleResult) -> Known:
        result = self._taken(result)
        path = self.folder.sample(result.sample_id) / RESULT
        file = ReviewedResult(path, self.record.finished_at or "")
        return Known(ToReview.of(result), for_display(result), file)

    def _count(self, name: str) -> None:
        """Keep what is decided and open of a sample up to date."""
        known = self._known.get(name)
        if known is None:
            return
        self.decided -= Counter(review.decision for review in self.decisions(name).values())
        own = [review for review in self._reviews.get(name, ()) if known.file.is_of(review)]
        self._in_force[name] = decided = in_force(own)
        self.decided += Counter(review.decision for review in decided.values())
        self._open.pop(name, None)
        if known.to_review.is_asked(decided) and (keys := known.to_review.open_keys(decided)):
            self._open[name] = keys

    # -- what is asked of it ---------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return self.record.finished_at is not None

    @property
    def is_read(self) -> bool:
        """Whether all results that there were at the last look are known."""
        return self._reader.is_up_to_date

    def known(self, name: str) -> Known | None:
        return self._known.get(name)

    def everything(self) -> Iterable[Known]:
        """In the order in which they were finished."""
        return self._known.values()

    def decisions(self, name: str) -> Mapping[Key, Review]:
        """What holds of a sample."""
        return self._in_force.get(name, {})

    def history(self, name: str) -> list[Review]:
        """All that was ever said of a sample."""
        return self._reviews.get(name, [])

    def review(self, digest: str) -> Review | None:
        """The line of the record that has this hash."""
        return self._by_hash.get(digest)

    @property
    def number_of_reviews(self) -> int:
        return len(self._by_hash)

    def reviews_from(self, number: int) -> list[Review]:
        """Those after so many, in the order of the record."""
        with self.lock:
            return list(islice(self._by_hash.values(), number, None))

    def result(self, name: str) -> SampleResult | None:
        """The whole result of one sample."""
        with self.lock:
            if name not in self._known:
                return None
            if name not in self._results:
                if (result := self.folder.result(name)) is None:
                    return None
                self._results[name] = self._taken(result)
                if len(self._results) > KEPT_RESULTS:
                    self._results.popitem(last=False)
            self._results.move_to_end(name)
            return self._results[name]

    @property
    def to_review(self) -> int:
        """How many samples a person should still look at."""
        return len(self._open)

    @property
    def open_entries(self) -> int:
        """How much there is to decide of these."""
        return sum(len(self._singles(name)) for name in self._open)

    def groups(self) -> list[OpenGroup]:
        """What is doubted at one place in more than one sample and is open, the largest first."""
        with self.lock:
            if self._groups[0] != self.version:
                self._groups = self.version, self._find_groups()
            return self._groups[1]

    def _find_groups(self) -> list[OpenGroup]:
        groups = DoubtGroups()
        entries: dict[DoubtedPlace, dict[Entry, None]] = {}
        for name in self._in_order():
            keys = self._open[name]
            for doubt in self._known[name].to_review.doubts:
                groups.add_doubt(name, doubt.place, doubt.label, doubt.detail)
                if doubt.key in keys:
                    own = entries.setdefault(doubt.place, {})
                    own[Entry(name, doubt.key)] = None
        found = [
            OpenGroup(group, list(entries.get(group.place, ()))) for group in groups.largest_first()
        ]
        return [group for group in found if group.samples > 1]

    def singles(self) -> list[Entry]:
        """What is open besides: sample by sample, those first that need it most. Of a sample of
        which nothing but doubts asks for a look, only what is doubted."""
        with self.lock:
            grouped = {entry for group in self.groups() for entry in group.entries}
            found = (entry for name in self._in_order() for entry in self._singles(name))
            return [entry for entry in found if entry not in grouped]

    def _in_order(self) -> list[str]:
        return sorted(self._open, key=lambda name: self._known[name].order)

    def _singles(self, name: str) -> list[Entry]:
        to_review, keys = self._known[name].to_review, self._open[name]
        doubted = {doubt.key for doubt in to_review.doubts}
        first = [key for key in keys if key in doubted]
        rest = [key for key in keys if key not in doubted] if not to_review.is_only_doubted else []
        return [Entry(name, key) for key in (*first, *rest)]

    def open_of(self, names: Iterable[str]) -> list[Entry]:
        """What nobody has decided of these samples, whether or not anything asks for a look."""
        with self.lock:
            return [
                Entry(name, key)
                for name in names
                if (known := self._known.get(name)) is not None
                for key in known.to_review.open_keys(self.decisions(name))
            ]
