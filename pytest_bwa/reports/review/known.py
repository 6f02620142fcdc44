"""What people accepted or corrected, as known rows for the next run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.reviews import Review, Subject, in_force
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.handover.values import seen_values
from pytest_bwa.reports.review.subjects import replaced
from pytest_bwa.spec.known import JUDGMENT, OUTCOME, known_text
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import SampleList
from pytest_bwa.spec.typed_secrets import is_redacted
from pytest_bwa.steps.text import text_or_json

_Latest = Mapping[tuple[Subject, str], Review]
"""The last decision of each subject of a sample, by kind and field."""


def reviewed_list(run: FinishedRun) -> SampleList:
    """The list of a run, with all that is known of its samples now. Raises InputError if nothing
    is."""
    samples = tuple(_with_known(sample, run) for sample in run.samples.samples)
    found = {name for sample in samples for name, text in sample.expected.items() if text}
    names = (*run.samples.known, *run.task.output_schema, JUDGMENT, OUTCOME)
    known = tuple(dict.fromkeys(n for n in names if n in run.samples.known or n in found))
    if not found:
        raise InputError(
            f"nothing of {run.folder.path} is known: nobody has accepted or corrected a value of it"
        )
    return replace(run.samples, samples=samples, known=known)


def _with_known(sample: Sample, run: FinishedRun) -> Sample:
    reviews = run.reviews.get(sample.sample_id)
    result = run.result(sample.sample_id) if reviews else None
    if not reviews or result is None:
        return sample
    latest = in_force(reviews)
    own = {
        name: known_text(run.task, name, value)
        for name, value in _decided(result, latest, run.task.output_schema)
        if not is_redacted(text_or_json(value))
    }
    return replace(sample, expected={**sample.expected, **own})


def _decided(
    result: SampleResult, latest: _Latest, fields: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Each field of which a person accepted or corrected every plain value, and what it ought to
    be; and what a person said of the judgment, and of a record that is not there."""
    for name, value in result.extracted.items():
        parts = [seen.field for seen in seen_values({name: value}, result.grounding)]
        reviews = [latest.get(("value", part)) for part in parts]
        if name in fields and all(_is_known(review) for review in reviews):
            yield name, _corrected(name, value, filter(None, reviews))
    judged = latest.get(("judgment", "answer"))
    if judged and _is_known(judged) and JUDGMENT not in fields:
        yield JUDGMENT, judged.value if judged.decision == "accepted" else judged.corrected
    ended = latest.get(("sample", "status"))
    is_gone = result.outcome == "not_found" and ended and ended.decision == "accepted"
    if is_gone and OUTCOME not in fields:
        yield OUTCOME, result.outcome


def _is_known(review: Review | None) -> bool:
    return review is not None and review.decision in ("accepted", "corrected")


def _corrected(name: str, value: Any, reviews: Iterator[Review]) -> Any:
    for review in reviews:
        if review.decision == "corrected":
            value = replaced(name, value, review.field, review.corrected)
    return value
