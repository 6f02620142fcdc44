"""Whether a person should look at a sample's result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_bwa.confinement.advice import unsent
from pytest_bwa.confinement.request_list import WORKER
from pytest_bwa.evidence.grounding import plain_values
from pytest_bwa.evidence.record import GroundingTree, SampleResult, has_values
from pytest_bwa.evidence.sightings import OWN_READING

_NOTHING: tuple[object, ...] = (None, "", [], {})


def flag(result: SampleResult, *, tried_forbidden: bool) -> None:
    """Mark a result that did not pass or is not certain, as is never what OCR read, a doubtful
    value, or one of a sample that does not exist. ``tried_forbidden``: the task's own rules refused
    an action."""
    is_unsure = bool(result.review_marks) or is_doubtful(result.extracted, result.grounding)
    is_unsure |= result.outcome == "not_found" and has_values(result.extracted)
    is_unsure |= any(text.source == "ocr" for text in result.picture_texts)
    if withheld := _withheld(result):
        result.notes.append(withheld)
    result.flagged = not result.passed or is_unsure or bool(withheld) or tried_forbidden


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
