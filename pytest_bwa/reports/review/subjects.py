"""What there is to review in a result: its values, its judgment, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.reviews import Review, Subject
from pytest_bwa.reports.handover.values import seen_values, value_text


@dataclass(frozen=True, slots=True)
class ReviewSubject:
    """One thing that a person accepts, corrects or rejects."""

    kind: Subject
    field: str
    value: Any
    how: str = ""
    """How the value was seen, or why the judgment was made, in words."""
    grounding: Grounding | None = None

    @property
    def name(self) -> str:
        """The subject for people."""
        return self.field if self.kind == "value" else f"{self.kind} ({self.field})"

    @property
    def text(self) -> str:
        return value_text(self.value)

    def is_of(self, review: Review) -> bool:
        return (self.kind, self.field) == (review.subject, review.field)


def subjects_of(result: SampleResult) -> Iterator[ReviewSubject]:
    """All of a result: how it ended, every plain value of its answer, and its judgment."""
    yield ReviewSubject("sample", "status", result.status, result.reason)
    for value in seen_values(result.extracted, result.grounding):
        how = "; ".join(filter(None, (value.how, value.found_by)))
        yield ReviewSubject("value", value.field, value.value, how, value.grounding)
    if result.judgment is not None:
        judgment = result.judgment
        yield ReviewSubject("judgment", "answer", judgment.answer, judgment.reasoning)
