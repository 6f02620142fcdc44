"""Which results a person should look at."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import Judgment, SampleResult
from pytest_bwa.proof.flagging import SAVED_OF_NOTHING, flag, why_to_look
from pytest_bwa.steps.requests import NOT_LISTED, READ_ONLY

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
    assert note.startswith("nothing was found for due, and a worker of https://x.org/w.js was not")
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
    assert note.startswith("nothing was found for the sample, and a worker of ")


@pytest.mark.parametrize("doubts", [(), ("other_value",)])
def test_a_sample_with_a_doubted_value_is_flagged(doubts):
    record = Grounding(how="verbatim", doubts=doubts)
    result = flagged({"staff": [{"size": 915}]}, grounding={"staff": [{"size": record}]})
    assert result.flagged is bool(doubts)


def noted(*notes: str, reason: str = "", **against: str) -> list[str]:
    """The notes of a sample whose fee is doubted; of one that needs a review if it has a reason."""
    record = {"how": "verbatim", "text": "Fee | 12", "doubts": [*against], "against": against}
    ending = {"status": "needs_review" if reason else "done", "reason": reason}
    result = flagged({"fee": 12}, grounding={"fee": record}, notes=list(notes), **ending)
    assert result.flagged
    return result.notes


@pytest.mark.parametrize(
    ("code", "detail", "sentence"),
    [
        ("other_value", "Fee | 13", "fee (12): the page also says “Fee | 13”"),
        ("hidden", "", "fee (12): nobody can see the text that has it"),
        ("other_record", "K-2", "fee (12): it stands with another record, “K-2”"),
        ("two_readings", "-12", "fee (12): it may also mean -12"),
        ("painted", "it is struck out", "fee (12): a person sees it otherwise: it is struck out"),
        ("own_look", "", "fee (12): only the agent's own look at a picture has it"),
        ("odd", "under “Old”", "fee (12): it stands elsewhere than in most samples: under “Old”"),
        ("same_cell", "tax", "fee (12): tax was read from the same text"),
        ("unread", "Net.", "fee (12): nobody has read what stands beside it: “Net.”"),
    ],
)
def test_every_doubt_is_said_in_words_with_what_speaks_against_the_value(code, detail, sentence):
    assert noted(**{code: detail}) == [sentence]


def test_a_reason_that_is_noted_already_is_not_said_again():
    said = "fee (12): the page also says “Fee | 13”"
    assert noted(said, other_value="Fee | 13") == [said]
    assert noted("the fees were open", other_value="Fee | 13") == [said, "the fees were open"]
    assert noted(reason=f"no due date; {said}", other_value="Fee | 13") == []


def test_what_speaks_against_a_value_is_noted_of_a_sample_that_fails_for_another_reason():
    """Whoever looks at it must know all of it at once."""
    (note,) = notes = noted(reason="no due date", hidden="")
    assert note == "fee (12): nobody can see the text that has it"
    result = SampleResult(
        sample_id="s", task_id="t", status="needs_review", reason="no due date", flagged=True,
        extracted={"fee": 12}, grounding={"fee": Grounding(how="verbatim", doubts=("hidden",))},
        notes=notes,
    )  # fmt: skip
    assert why_to_look(result) == f"no due date; {note}"


def test_a_flag_always_has_a_reason_even_one_of_an_earlier_version():
    old = SampleResult(sample_id="s", task_id="t", status="done", outcome="found", flagged=True)
    assert why_to_look(old) == "its result.json does not say why"
    judged = {"answer": "inconclusive", "confidence": 0.0, "reasoning": "r"}
    judged_so = old.model_copy(update={"judgment": Judgment.model_validate(judged)})
    assert why_to_look(judged_so) == "the judgment is inconclusive"
    first = {"how": "verbatim", "contested": ["Fee | 13"]}
    contested = SampleResult.model_validate(
        {**old.model_dump(), "schema_version": 1, "extracted": {"fee": 12},
         "grounding": {"fee": first}}
    )  # fmt: skip
    assert why_to_look(contested) == "fee (12): the page also says “Fee | 13”"
    assert why_to_look(old.model_copy(update={"flagged": False})) == ""


def test_what_makes_a_sample_fail_alone_is_noted():
    judged = Judgment(answer="inconclusive", confidence=0.0, reasoning="r")
    result = SampleResult(
        sample_id="s", task_id="t", status="done", outcome="found", judgment=judged
    ).fail_on(["inconclusive"])
    flag(result, tried_forbidden=False)
    assert not result.passed
    assert result.failure_message() == "s: done (inconclusive): the judgment is inconclusive"


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
