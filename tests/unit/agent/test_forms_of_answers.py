"""No form of an answer costs a value: it is read, or sent back once, and then a person sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from unit.agent.stage import Stage, click
from unit.agent.test_cited_answers import lines

from pytest_bwa.actions.catalog import tools_for
from pytest_bwa.errors import ModelFailed
from pytest_bwa.policy.claude.response import ContentBlock, Response, read_action, read_decision
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action

TASK = {
    "output_schema": {"owner": "string", "due date": "string | null", "count": "number"},
    "required_fields": ["owner"],
    "judgment_required": True,
    "judgment_question": "Is it late?",
}
TOOLS = tools_for(TaskSpec.model_validate({"task_id": "t", "goal": "g", **TASK}))
OWNER = "Annabel Lee"
GOOD = {"answer": "no", "confidence": 0.9, "reasoning": "it says so", "evidence_refs": ["page"]}
PICTURE = Action(action="screenshot", label="page")
Play = Callable[..., tuple[Stage, Any]]


def read(tool: str = "done", /, **given: Any) -> Action:
    return read_action(tool, given, TOOLS)


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Runs a sample whose model takes a picture and sends these calls, the last one again."""

    def run(*calls: dict[str, Any] | Action | Exception) -> tuple[Stage, Any]:
        actions = [[read(**call)] if isinstance(call, dict) else call for call in calls]
        decisions = [[call] if isinstance(call, Action) else call for call in actions]
        sample = Stage(tmp_path, [PICTURE], *decisions, task=TASK)
        sample.observations = [lines(f"Owner | {OWNER}", "Due | 2026-05-20", "Count | 3")]
        return sample, sample.run()

    return run


# -- read as they are meant ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        {"extracted": '{"owner": "Annabel Lee", "count": 3}'},
        {"extracted": '```json\n{"owner": "Annabel Lee", "count": 3}\n```'},
        {"extracted": [{"owner": OWNER}, {"count": 3}]},
        {"extracted": [{"field": "owner", "value": OWNER}, {"name": "count", "value": 3}]},
        {"extracted": {"Owner": OWNER, "COUNT": 3}},
        {"extracted": {"fields": {"owner": OWNER, "count": 3}}},
        {"extracted": {"owner": {"value": OWNER}, "count": 3}},
        {"owner": OWNER, "count": 3},
        {"extracted": {"owner": OWNER}, "count": 3},
        {"data": {"owner": OWNER, "count": 3}},
        {"Extracted": {"owner": OWNER, "count": 3}},
    ],
)
def test_values_are_read_from_any_form(given: dict[str, Any]) -> None:
    for tool in ("done", "save_progress"):
        action = read(tool, **given)
        assert (action.extracted, action.unread, action.note) == (
            {"owner": OWNER, "count": 3}, None, None,
        )  # fmt: skip


@pytest.mark.parametrize(
    "given",
    [
        {"sources": '{"owner": 0}'},
        {"sources": {"Owner": 0}},
        {"sources": [{"field": "owner", "line": 0}]},
        {"source": {"owner": 0}},
        {"extracted": {"owner": {"value": OWNER, "source": 0}}},
        {"extracted": {"owner": OWNER, "sources": {"owner": 0}}},
    ],
)
def test_sources_are_read_from_any_form(given: dict[str, Any]) -> None:
    action = read(**{"extracted": {"owner": OWNER}, **given})
    assert (action.extracted, action.sources) == ({"owner": OWNER}, {"owner": 0})


@pytest.mark.parametrize("sources", [3.5, True, "?", [None], [[]], [{"x": 1}], {"owner": None}])
def test_no_form_of_sources_costs_the_values(sources: Any, play: Play) -> None:
    _, outcome = play({"extracted": {"owner": OWNER}, "sources": sources, "judgment": GOOD})
    assert (outcome.status, outcome.extracted) == ("done", {"owner": OWNER})


@pytest.mark.parametrize(
    "given",
    [
        {"judgment": GOOD},
        {"judgment": str(GOOD).replace("'", '"')},
        {"judgment": [GOOD]},
        {"judgment": {key.title(): value for key, value in GOOD.items()}},
        {"judgment": {**GOOD, "answer": " No "}},
        {"judgment": {**GOOD, "answer": False}},
        {"judgment": {**GOOD, "confidence": "0.9", "evidence_refs": "page"}},
        {"extracted": {"owner": OWNER, "judgment": GOOD}},
        {"extracted": {"owner": OWNER, **GOOD}},
        GOOD,
    ],
)
def test_a_judgment_is_read_from_any_form(given: dict[str, Any], play: Play) -> None:
    _, outcome = play({"extracted": {"owner": OWNER}, **given})
    assert (outcome.status, outcome.extracted) == ("done", {"owner": OWNER})
    assert (outcome.judgment.answer, outcome.judgment.confidence) == ("no", 0.9)
    assert outcome.judgment.evidence_refs == ["01_page.png"]


def test_what_is_no_parameter_becomes_a_note(play: Play) -> None:
    sample, outcome = play(
        {"extracted": {"owner": OWNER}, "judgment": GOOD, "summary": "fine", "mood": [1]}
    )
    assert outcome.status == "done"
    assert sample.loop.progress.notes == ["summary: fine; mood: [1]"]


def test_fail_keeps_its_values_and_says_its_reason_under_any_name(play: Play) -> None:
    call = {"extracted": {"owner": OWNER}, "kind": "timeout", "reason": "the page is slow"}
    _, outcome = play(read("fail", **call))
    assert (outcome.status, outcome.kind, outcome.extracted) == (
        "failed", "other", {"owner": OWNER},
    )  # fmt: skip
    assert outcome.reason == "the page is slow; kind: timeout"


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "done", "arguments": {"extracted": {"owner": "Annabel Lee"}}}',
        '<tool_call>\n{"name": "Done", "parameters": {"owner": "Annabel Lee"}}\n</tool_call>',
        '```json\n[{"function": {"name": "done", "arguments": "{\\"owner\\": \\"Annabel Lee\\"}"}}]'
        "```",
    ],
)
def test_a_call_that_is_written_as_text_is_read(text: str) -> None:
    reply = Response(content=[ContentBlock(type="text", text=text)])
    (action,) = read_decision(reply, TOOLS, "model").actions
    assert (action.action, action.extracted) == ("done", {"owner": OWNER})


def test_what_is_saved_where_only_the_end_is_left_is_the_answer() -> None:
    final = [tool for tool in TOOLS if tool.name in ("done", "fail")]
    action = read_action("save_progress", {"extracted": {"owner": OWNER}}, final)
    assert (action.action, action.extracted) == ("done", {"owner": OWNER})


def test_an_answer_may_follow_what_is_saved_in_one_reply() -> None:
    calls = [("save_progress", {"extracted": {"owner": OWNER}}), ("done", {"extracted": {}})]
    blocks = [ContentBlock(type="tool_use", name=name, input=given) for name, given in calls]
    decision = read_decision(Response(content=blocks), TOOLS, "model", 5)
    assert [action.action for action in decision.actions] == ["save_progress", "done"]


# -- sent back once, in one notice, and then for a person ------------------------------------------


@pytest.mark.parametrize(
    ("judgment", "words"),
    [
        (None, ("the judgment is missing",)),
        ("perhaps", ("the judgment is invalid: answer", "confidence")),
        ({**GOOD, "answer": "maybe", "confidence": 9}, ("answer: Input should be", "confidence")),
        ({**GOOD, "evidence_refs": ["9.png"]}, ("not saved screenshots: 9.png",)),
        ({**GOOD, "evidence_refs": [], "reasoning": ""}, ("names no picture", "gives no reason")),
        ({"answer": "no"}, ("confidence: Field required; reasoning: Field required",)),
        (7, ("it is not an object",)),
    ],
)
def test_a_judgment_that_is_not_whole_costs_no_value(
    judgment: Any, words: tuple[str, ...], play: Play
) -> None:
    given = {} if judgment is None else {"judgment": judgment}
    sample, outcome = play({"extracted": {"owner": OWNER}, **given})
    assert (outcome.status, outcome.extracted, outcome.broken) == (
        "needs_review", {"owner": OWNER}, False,
    )  # fmt: skip
    assert len(sample.turns) == 3
    (notice,) = sample.turns[-1].notices
    assert all(word in notice for word in words)
    assert all(word in outcome.reason for word in words)


def test_a_judgment_whose_pictures_are_unknown_is_kept_for_the_person(play: Play) -> None:
    given = {**GOOD, "evidence_refs": ["9.png", "page"]}
    _, outcome = play({"extracted": {"owner": OWNER}, "judgment": given})
    assert (outcome.status, outcome.judgment.answer) == ("needs_review", "no")
    assert outcome.judgment.evidence_refs == ["01_page.png"]


def test_a_judgment_that_is_none_is_noted_as_given(play: Play) -> None:
    sample, _ = play({"extracted": {"owner": OWNER}, "judgment": {"answer": "maybe"}})
    assert sample.loop.progress.notes == ['the judgment as given: {"answer": "maybe"}']


def test_all_that_is_wrong_is_said_in_one_notice(play: Play) -> None:
    wrong = {"due date": 7, "count": "many", "owner": "Nobody Else"}
    sample, outcome = play({"extracted": wrong, "judgment": {**GOOD, "answer": "maybe"}})
    assert (outcome.status, outcome.extracted, len(sample.turns)) == ("needs_review", wrong, 3)
    (notice,) = sample.turns[-1].notices
    for word in ("due date should be", "count should be", "answer:", 'owner="Nobody Else"'):
        assert notice.count(word) == 1


def test_what_was_wrong_stays_if_the_next_answer_leaves_it_out(play: Play) -> None:
    first = {"extracted": {"owner": OWNER, "count": "many"}, "judgment": GOOD}
    _, outcome = play(first, {"extracted": {}})
    assert (outcome.status, outcome.extracted) == (
        "needs_review", {"owner": OWNER, "count": "many"},
    )  # fmt: skip
    assert outcome.judgment is not None


def test_what_is_corrected_is_done(play: Play) -> None:
    first = {"extracted": {"owner": OWNER, "count": "many"}}
    _, outcome = play(first, {"extracted": {"count": 3}, "judgment": GOOD})
    assert (outcome.status, outcome.extracted) == ("done", {"owner": OWNER, "count": 3})


def test_a_second_fault_is_sent_back_too_but_none_twice(play: Play) -> None:
    owner = {"extracted": {"owner": OWNER}}
    sample, outcome = play({"extracted": {"count": "many"}}, owner, {**owner, "judgment": GOOD})
    assert (outcome.status, len(sample.turns)) == ("needs_review", 3)
    assert "count should be number" in outcome.reason


def test_what_was_saved_needs_no_values_in_done(play: Play) -> None:
    save = read("save_progress", extracted={"owner": OWNER}, judgment=GOOD)
    _, outcome = play(save, {})
    assert (outcome.status, outcome.extracted) == ("done", {"owner": OWNER})


def test_values_that_cannot_be_read_are_said_and_shown_to_a_person(play: Play) -> None:
    sample, outcome = play({"extracted": "The owner is Annabel Lee", "judgment": GOOD})
    (notice,) = sample.turns[-1].notices
    assert "extracted should be an object with the fields owner, due date, count" in notice
    assert outcome.status == "needs_review"
    assert "The owner is Annabel Lee" in outcome.reason


def test_what_was_sent_back_is_not_lost_with_the_model(play: Play) -> None:
    wrong = {"owner": OWNER, "count": "many"}
    _, outcome = play({"extracted": wrong}, ModelFailed("529"))
    assert outcome.status == "partial_success"
    assert outcome.extracted.items() >= wrong.items()


def test_a_field_that_the_task_does_not_have_can_be_left_out(play: Play) -> None:
    first = {"extracted": {"owner": OWNER, "mood": "cheerful enough"}, "judgment": GOOD}
    _, outcome = play(first, {"extracted": {}})
    assert (outcome.status, outcome.extracted) == ("done", {"owner": OWNER})


def test_a_null_for_what_was_saved_and_a_missing_judgment_are_one_notice(tmp_path: Path) -> None:
    save = Action(action="save_progress", extracted={"owner": OWNER, "count": 3})
    done = Action(action="done", extracted={"count": None})
    sample = Stage(tmp_path, [PICTURE], [save], [done], [click()], task=TASK)
    sample.observations = [lines(f"Owner | {OWNER}", "Count | 3")]
    sample.run()
    (notice,) = sample.turns[3].notices
    assert "null for count, for which a value was saved" in notice
    assert "the judgment is missing" in notice
    assert sample.turns[3].collected == {"owner": OWNER, "count": 3}
