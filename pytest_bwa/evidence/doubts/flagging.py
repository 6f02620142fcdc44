"""Whether a person should look at a sample's result."""

from __future__ import annotations

from pytest_bwa.confinement.advice import unsent
from pytest_bwa.confinement.request_list import WORKER
from pytest_bwa.evidence.grounding import is_doubtful
from pytest_bwa.evidence.record import SampleResult, has_values

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
