"""What people have decided of a run, and what somebody decides now."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.record import ReviewMark, SampleResult, has_values
from pytest_bwa.evidence.reviews import Key, Review, Verdict, add_review, in_force
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.proof.doubts.groups import DoubtedPlace, doubted_values
from pytest_bwa.proof.flagging import is_only_doubted
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.review.subjects import ReviewSubject, subjects_of


class DoubtAt(NamedTuple):
    """One doubt of one value, without the value."""

    place: DoubtedPlace
    key: Key
    label: str
    detail: str


@dataclass(frozen=True, slots=True)
class ToReview:
    """What there is to decide of a result, without its values."""

    sample_id: str
    marks: tuple[ReviewMark, ...]
    keys: tuple[Key, ...]
    """How a sample ended is asked only if it has no value."""
    doubts: tuple[DoubtAt, ...]
    is_only_doubted: bool

    @classmethod
    def of(cls, result: SampleResult) -> ToReview:
        left_out = "sample" if has_values(result.extracted) else "value"
        return cls(
            result.sample_id,
            result.review_marks,
            tuple(s.key for s in subjects_of(result) if s.kind != left_out),
            tuple(
                DoubtAt(doubted.place, ("value", doubted.path), doubted.label, doubted.detail)
                for doubted in doubted_values(result)
            ),
            is_only_doubted(result),
        )

    def open_keys(self, decided: Collection[Key]) -> tuple[Key, ...]:
        """What nobody has decided yet."""
        return tuple(key for key in self.keys if key not in decided)

    def is_asked(self, decided: Collection[Key]) -> bool:
        """Whether a person should still look at the sample: something asks for it, and it is more
        than doubts of values that are all decided."""
        return bool(self.marks) and not (
            self.is_only_doubted and all(doubt.key in decided for doubt in self.doubts)
        )


class Decisions:
    """Each new decision is written at once: quitting loses nothing."""

    def __init__(self, run: FinishedRun, reviewer: str) -> None:
        self._run, self._reviewer = run, reviewer
        self._reviews = {name: list(reviews) for name, reviews in run.reviews.items()}
        self.written: list[Review] = []

    def add(
        self,
        subject: ReviewSubject,
        result: SampleResult,
        decision: Verdict,
        corrected: Any = None,
        comment: str = "",
    ) -> None:
        """Raises EvidenceError."""
        folder = self._run.folder
        digest = sha256_of(folder.sample(result.sample_id) / RESULT)
        review = subject.decided(
            result.sample_id, digest, self._reviewer, decision, corrected, comment
        )
        self.written.append(add_review(folder.path, review))
        self._reviews.setdefault(result.sample_id, []).append(self.written[-1])

    def open_subjects(self, result: SampleResult) -> Iterator[ReviewSubject]:
        """What nobody has decided yet."""
        keys = ToReview.of(result).open_keys(self._decided(result))
        return (subject for subject in subjects_of(result) if subject.key in keys)

    def is_to_review(self, result: SampleResult) -> bool:
        """Whether a person should still look at a sample."""
        return ToReview.of(result).is_asked(self._decided(result))

    def _decided(self, result: SampleResult) -> Collection[Key]:
        return in_force(self._reviews.get(result.sample_id, ()))
