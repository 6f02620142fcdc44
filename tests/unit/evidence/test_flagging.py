"""Which results a person should look at."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.confinement.boundary import NOT_LISTED, READ_ONLY
from pytest_bwa.proof.flagging import SAVED_OF_NOTHING, flag
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.proof.sightings import OWN_READING

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


def noted(*notes: str, **record: Any) -> list[str]:
    grounding = {"fee": {"how": "verbatim", "text": "Fee | 12", "name": "Fee", **record}}
    result = flagged({"fee": 12}, grounding=grounding, notes=list(notes))
    assert result.flagged
    return result.notes


def test_every_flag_has_its_reason_in_words():
    """A sample that passes has no reason but its notes, which summaries and tables show."""
    own = noted(how="vision", role=OWN_READING, artifact="02_saved.png")
    assert own == ["only the agent's own look at a picture has fee (12): compare with 02_saved.png"]
    assert noted(hidden=True) == ["only text that nobody can see has fee (12)"]
    assert "only what stands around the content" in noted(beside=True)[0]
    assert "neither does a page name the sample" in noted(unrelated=True)[0]
    assert noted(contested=("Fee | 13",)) == [
        "fee is reported as 12, and the page also says “Fee | 13”"
    ]
    assert noted(other_reading="-12")[0].startswith("fee is 12 or -12")


def test_a_reason_that_is_noted_already_is_not_said_again():
    said = "fee is reported as 12, and the page also says “Fee | 13”"
    assert noted(said, contested=("Fee | 13",)) == [said]
    other = "feeling sure; the fees were open"
    assert noted(other, contested=("Fee | 13",)) == [said, other]


def test_what_is_not_a_value_is_a_reason_in_words_too():
    judged = {"answer": "inconclusive", "confidence": 0.0, "reasoning": "r"}
    assert flagged({}, judgment=judged).notes == ["the judgment is inconclusive"]
    read = {"source": "ocr", "text": "Fee 12", "why": "its tree is empty"}
    assert "read by OCR" in flagged({}, picture_texts=[read]).notes[0]
    assert flagged({}, picture_texts=[{**read, "source": "vision"}]).notes == []


@pytest.mark.parametrize("size", [None, 37])
def test_a_sample_with_values_that_passes_as_not_found_is_flagged(size):
    result = SampleResult(
        sample_id="s", task_id="t", status="failed", outcome="not_found", extracted={"staff": size}
    )
    flag(result.take_not_found_as("pass"), tried_forbidden=False)
    assert result.flagged is (size is not None)
    assert result.notes == [SAVED_OF_NOTHING] * result.flagged
