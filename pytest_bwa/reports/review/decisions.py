"""What people have decided of a run, and what somebody decides now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.record import SampleResult, has_values
from pytest_bwa.evidence.reviews import Review, Verdict, add_review
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.proof.doubts.groups import doubted_values
from pytest_bwa.proof.flagging import is_only_doubted
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.review.subjects import ReviewSubject, subjects_of
from pytest_bwa.steps.step import utc_now


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
        review = Review(
            reviewer=self._reviewer,
            time=utc_now(),
            sample_id=result.sample_id,
            subject=subject.kind,
            field=subject.field,
            decision=decision,
            value=subject.value,
            corrected=corrected,
            comment=comment,
            result_sha256=sha256_of(folder.sample(result.sample_id) / RESULT),
        )
        self.written.append(add_review(folder.path, review))
        self._reviews.setdefault(result.sample_id, []).append(self.written[-1])

    def open_subjects(self, result: SampleResult) -> Iterator[ReviewSubject]:
        """What nobody has decided yet; a comment decides nothing. How a sample ended is asked only
        if it has no value."""
        left_out = "sample" if has_values(result.extracted) else "value"
        decided = self._decided(result)
        for subject in subjects_of(result):
            if subject.kind != left_out and not any(map(subject.is_of, decided)):
                yield subject

    def is_to_review(self, result: SampleResult) -> bool:
        """Whether a person should still look at a sample: something asks for it, and it is more
        than doubts of values that are all decided."""
        return bool(result.review_marks) and not self._is_cleared(result)

    def _is_cleared(self, result: SampleResult) -> bool:
        decided = {review.field for review in self._decided(result) if review.subject == "value"}
        doubted = {doubted.path for doubted in doubted_values(result)}
        return is_only_doubted(result) and doubted <= decided

    def _decided(self, result: SampleResult) -> list[Review]:
        reviews = self._reviews.get(result.sample_id, ())
        return [review for review in reviews if review.decision != "commented"]
