"""Which results a person should look at."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.confinement.boundary import NOT_LISTED, READ_ONLY
from pytest_bwa.evidence.doubts.flagging import flag
from pytest_bwa.evidence.record import Grounding, SampleResult

WORKER = {"step": 0, "method": "WORKER", "url": "https://x.org/w.js", "reason": READ_ONLY}


def flagged(extracted: dict[str, Any], *blocked: dict[str, Any], **values: Any) -> SampleResult:
    result = SampleResult.model_validate(
        {
            **{"sample_id": "a", "task_id": "t", "status": "done", "outcome": "found"},
            **{"reason": "", "extracted": extracted, "blocked_requests": blocked, **values},
        }
    )
    flag(result, tried_forbidden=False)
    return result


@pytest.mark.parametrize("nothing", [None, "", []])
def test_that_there_is_nothing_is_not_certain_where_a_worker_was_not_started(nothing):
    result = flagged({"owner": "Ann", "due": nothing}, WORKER)
    assert result.flagged
    (note,) = result.notes
    assert note.startswith("nothing was found of due, and a worker of https://x.org/w.js was not")
    assert "allow_requests" in note
    assert not flagged({"owner": "Ann", "due": nothing}).flagged


@pytest.mark.parametrize(
    "blocked",
    [
        {**WORKER, "method": "POST"},  # such as a count of visitors
        {**WORKER, "method": "SEND"},
        {**WORKER, "reason": NOT_LISTED},
    ],
)
def test_what_else_was_not_sent_makes_no_null_doubtful(blocked):
    result = flagged({"due": None}, blocked)
    assert (result.flagged, result.notes) == (False, [])


@pytest.mark.parametrize("value", [0, False, "none"])
def test_a_value_that_was_seen_is_certain_all_the_same(value):
    assert not flagged({"due": value}, WORKER).flagged


def test_a_sample_that_was_not_found_may_be_what_the_worker_makes():
    missing = {"status": "failed", "outcome": "not_found", "reason": "no such record"}
    (note,) = flagged({}, WORKER, **missing).notes
    assert note.startswith("nothing was found of the sample, and a worker of ")


@pytest.mark.parametrize("contested", [None, ("Employees | –",)])
def test_a_sample_with_a_contested_value_is_flagged(contested):
    record = Grounding(how="verbatim", contested=contested)
    result = flagged({"staff": [{"size": 915}]}, grounding={"staff": [{"size": record}]})
    assert result.flagged is (contested is not None)


@pytest.mark.parametrize("size", [None, 37])
def test_a_sample_with_values_that_passes_as_not_found_is_flagged(size):
    result = SampleResult(
        sample_id="s", task_id="t", status="failed", outcome="not_found", extracted={"staff": size}
    )
    flag(result.take_not_found_as("pass"), tried_forbidden=False)
    assert result.flagged is (size is not None)
