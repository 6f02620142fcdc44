"""Whether a person should look at a sample's result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_bwa.confinement.advice import unsent
from pytest_bwa.confinement.request_list import WORKER
from pytest_bwa.evidence.grounding import plain_values
from pytest_bwa.evidence.objections import doubts_in_words
from pytest_bwa.evidence.record import GroundingTree, SampleResult, has_values
from pytest_bwa.evidence.sightings import OWN_READING

SAVED_OF_NOTHING = "values had been saved of what was then not found"
_NOTHING: tuple[object, ...] = (None, "", [], {})


def flag(result: SampleResult, *, tried_forbidden: bool) -> None:
    """Mark a result that did not pass or is not certain, as is never what OCR read, a doubtful
    value, or one of a sample that does not exist, and note why: only a result that did not pass has
    a reason. ``tried_forbidden``: the task's own rules refused an action, which has a note."""
    is_unsure = bool(result.review_marks) or is_doubtful(result.extracted, result.grounding)
    whys = [*(_doubts(result) if result.passed else ()), *filter(None, [_withheld(result)])]
    result.flagged = not result.passed or is_unsure or bool(whys) or tried_forbidden
    # First, because a summary has room for the beginning only.
    result.notes[:0] = [why for why in whys if why not in result.notes]


def why_flagged(result: SampleResult) -> str:
    """What its notes say, for a sample that passed or would have, and that a person should look at;
    empty for any other, whose ``reason`` says it."""
    if not result.flagged or not (result.passed or result.failed_marks):
        return ""
    return "; ".join(result.notes) or "no reason was recorded"


def _doubts(result: SampleResult) -> Iterator[str]:
    """What makes a result not certain, in words, but for what its notes say already."""
    noted = "; ".join((result.reason, *result.notes))
    if result.judgment is not None and result.judgment.answer == "inconclusive":
        yield "the judgment is inconclusive"
    yield from doubts_in_words(list(plain_values(result.extracted, result.grounding)), noted)
    if result.outcome == "not_found" and has_values(result.extracted):
        yield SAVED_OF_NOTHING
    if any(text.source == "ocr" for text in result.picture_texts):
        yield "text of a picture was read by OCR, which may mistake signs"


def is_doubtful(values: Mapping[str, Any], grounding: Mapping[str, GroundingTree | None]) -> bool:
    """Whether a page has another value under the label of one of these, nobody can see it there, it
    stands only around the page's content, the page has nothing to do with the sample, it may be
    another day or number, or only the policy's own word says that a picture shows it."""
    records = [record for _, _, record in plain_values(values, grounding)]
    return any(
        r.contested or r.hidden or r.beside or r.unrelated or r.other_reading for r in records
    ) or any(record.role == OWN_READING for record in records)


def _withheld(result: SampleResult) -> str:
    """What speaks against an answer that something is not there: a page whose worker was not
    started may lack what it makes. Requests that were not sent count for nothing here: nearly every
    page reports its visitors by such."""
    absent = [name for name, value in result.extracted.items() if value in _NOTHING]
    if result.outcome == "not_found":
        absent = ["the sample"]
    workers = [r.url for r in unsent(result.blocked_requests) if r.method == WORKER]
    if not absent or not workers:
        return ""
    return (
        f"nothing was found of {', '.join(absent)}, and a worker of {workers[0]} was not started, "
        "because the task is read_only: the page may lack what it makes "
        "(bwa doctor --spec FILE prints the allow_requests that start it)"
    )
