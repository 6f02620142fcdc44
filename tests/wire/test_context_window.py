"""With a model of 32,000 tokens, every call fits, whatever the page and the goal are."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from unit.policy.claude.long_run import SAMPLE, TASK, page, step, turns

from pytest_bwa.errors import DecisionUnusable
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.claude.cost import prompt_budget, tokens
from wire.messages_server import Request, text_only, tool_use
from wire.test_vision import PNG

WINDOW = 32_000
LONG_GOAL = TASK.model_copy(update={"goal": "Read every line of the page, and say so. " * 1000})
PICTURE_TOKENS = 1536  # 1280 × 900 / 750


def sent(request: Request) -> int:
    """All tokens that a request shows to the model."""
    body = request.body
    system = body["system"] if isinstance(body["system"], list) else [{"text": body["system"]}]
    content = request.prompt if isinstance(request.prompt, list) else [{"text": request.prompt}]
    texts = [block["text"] for block in (*system, *content) if "text" in block]
    tools = json.dumps(body.get("tools", []), ensure_ascii=False, separators=(",", ":"))
    pictures = sum(block.get("type") == "image" for block in content)
    return sum(map(tokens, [*texts, tools])) + PICTURE_TOKENS * pictures


def last_turn(task=TASK, **more) -> Turn:
    """The fiftieth decision, with whole texts in the history."""
    reads = [step(n).model_copy(update={"action": "extract", "result": "w" * 4000})
             for n in range(45, 50)]  # fmt: skip
    turn = list(turns(49))[-1]
    return replace(turn, task=task, history=[*turn.history, *reads], **more)


@pytest.fixture
def claude(policy):
    return policy(task=TASK, BWA_CONTEXT_WINDOW=WINDOW)


def test_every_decision_keeps_to_the_budget_with_tools_system_and_picture(server, claude):
    for more in ({}, {"picture": PNG}, {"failed_decisions": 2}):
        claude.decide(last_turn(**more))
        assert sent(server.requests[-1]) <= prompt_budget(WINDOW), more


def test_a_very_long_goal_fits_the_window(server, policy):
    claude = policy(task=LONG_GOAL, BWA_CONTEXT_WINDOW=WINDOW)
    claude.decide(last_turn(LONG_GOAL, picture=PNG))
    request = server.requests[-1]
    assert tokens(LONG_GOAL.goal) > 13_000
    assert sent(request) + request.body["max_tokens"] <= WINDOW
    assert LONG_GOAL.goal.strip() in request.prompt[1]["text"]
    assert '[0] [link] "Row 0' in request.prompt[1]["text"]


@pytest.mark.parametrize("task", [TASK, LONG_GOAL], ids=["usual goal", "long goal"])
def test_the_last_answer_fits(server, policy, task):
    server.script([tool_use("done", extracted={})])
    finalizer = policy(task=task, BWA_CONTEXT_WINDOW=WINDOW).helpers.finalizer
    finalizer.finalize(last_turn(task), "the steps are used up", model_failed=False)
    (request,) = server.requests
    assert sent(request) + request.body["max_tokens"] <= WINDOW
    if task is TASK:
        assert sent(request) <= prompt_budget(WINDOW)


def test_a_summary_fits(server, claude):
    server.script([text_only("FOUND: a\nGAPS: b\nNEXT: c")])
    steps = [step(n).model_copy(update={"action": "extract", "result": "漢" * 4000})
             for n in range(1, 11)]  # fmt: skip
    turn = Turn(page(11), LONG_GOAL, SAMPLE, step=11, max_steps=60, history=steps)
    claude.helpers.summarizer.summarize(turn, steps)
    assert sent(server.requests[-1]) <= prompt_budget(WINDOW)


def test_an_answer_that_was_cut_off_gets_only_the_room_that_there_is(server, claude):
    server.script([tool_use("done", extracted={}, stop_reason="max_tokens")])
    for _ in range(5):
        with pytest.raises(DecisionUnusable):
            claude.decide(last_turn())
        request = server.requests[-1]
        assert sent(request) + request.body["max_tokens"] <= WINDOW + 100
