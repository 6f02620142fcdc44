"""What people read in place of codes; the codes stay in the files and in the pages' data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pytest_bwa.evidence.record import SampleResult, Status

Kind = Literal[
    "done", "to_look_at", "not_found", "access_denied", "blocked", "failed", "broken", "not_run"
]  # fmt: skip
KINDS: Mapping[Kind, str] = {
    "done": "done", "to_look_at": "unsure", "not_found": "quiet", "access_denied": "failed",
    "blocked": "failed", "failed": "failed", "broken": "failed", "not_run": "quiet",
}  # fmt: skip
"""Each sample is of one kind, by which a run is summed up; and how that is painted."""
_STATUSES: Mapping[Status, str] = {"partial_success": "partly done", "needs_review": "to review"}
_OUTCOMES: Mapping[str, Kind] = {
    "not_found": "not_found", "access_denied": "access_denied", "blocked": "blocked"
}  # fmt: skip


def in_words(code: str) -> str:
    return code.replace("_", " ")


def status_in_words(status: Status) -> str:
    return _STATUSES.get(status, status)


def title_of(title: str | None, task_id: str) -> str:
    """What the task is called: its title, else its id in words."""
    words = (title or "").strip() or in_words(task_id).replace("-", " ")
    return words[:1].upper() + words[1:]


def kind_of(result: SampleResult, *, test_failed: bool = False) -> Kind:
    if result.broken:
        return "broken"
    if result.status == "failed" and not (result.passed and result.review_marks):
        return _OUTCOMES.get(result.outcome, "failed")
    return "to_look_at" if result.review_marks or test_failed or not result.passed else "done"


def ending_in_words(result: SampleResult) -> str:
    """How a sample ended; what was taken as an answer is said to be accepted."""
    if result.broken:
        return "broken"
    status = status_in_words(result.status)
    more = [in_words(mark) for mark in result.failed_marks]
    if outcome := in_words(_OUTCOMES.get(result.outcome, "")):
        if result.status == "failed":
            status = f"{outcome}, accepted" if result.passed else outcome
        else:
            more.insert(0, outcome)
    return f"{status} ({', '.join(more)})" if more else status


def css_class(result: SampleResult) -> str:
    """How the end of a sample is painted: done, failed or unsure."""
    if result.passed:
        return "done"
    return "failed" if result.status == "failed" else "unsure"
