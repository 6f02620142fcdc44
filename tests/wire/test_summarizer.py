"""Summaries of older steps by the fast model."""

from __future__ import annotations

import dataclasses

import pytest
from unit.policy.claude.long_run import SAMPLE, TASK, step

from pytest_bwa.errors import ModelFailed
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.claude.history import NOT_SHOWN
from pytest_bwa.steps.step import Element, Observation
from wire.messages_server import drip, error, text_only

SUMMARY = "FOUND: five pull requests\nGAPS: the checks of #3\nNEXT: open #3"


def turn() -> Turn:
    steps = [step(n) for n in range(1, 11)]
    observation = Observation(url="u", title="")
    return Turn(observation, TASK, SAMPLE, step=11, max_steps=60, history=steps)


def test_the_fast_model_writes_three_lines(server, policy):
    server.script([text_only("Here you are.\n" + SUMMARY)])
    claude = policy()
    answer = claude.helpers.summarizer.summarize(turn(), turn().history)
    assert answer.text == SUMMARY
    assert answer.usage.calls == 1
    (request,) = server.requests
    assert request.body["model"] == "claude-haiku-5-5"
    assert "tools" not in request.body
    assert "tool_choice" not in request.body
    assert "Step 9:" in request.prompt
    assert "<untrusted-" in request.prompt


def test_the_summarizer_sees_the_page_what_was_saved_and_the_judgment_question(server, policy):
    server.script([text_only(SUMMARY)])
    asked = {"judgment_required": True, "judgment_question": "Was it merged with failing checks?"}
    page = Observation(url="u", title="", elements=(Element(4, (0, 4), "text", "2 checks failed"),))
    known = dataclasses.replace(
        turn(),
        task=TASK.model_copy(update=asked),
        observation=page,
        collected={"author": "ann"},
        run_state={"Seen so far": ["“State: merged” on u"], "dead_ends": ["click [3]", "back"]},
    )
    policy().helpers.summarizer.summarize(known, known.history)
    prompt = server.requests[0].prompt
    asked_for, shown = prompt.split("<untrusted-", 1)
    assert "The judgment question: Was it merged with failing checks?" in asked_for
    lists = ("Seen so far: “State: merged” on u", "dead_ends: click [3], back")
    for fact in ("Step 9:", "2 checks failed", '{"author": "ann"}', *lists):
        assert fact in shown


def test_a_summary_is_needed_only_if_the_history_does_not_fit(server, policy):
    summarizer = policy().helpers.summarizer
    assert not summarizer.is_needed(turn())
    long = dataclasses.replace(turn(), history=[step(n) for n in range(1, 40)])
    assert summarizer.is_needed(long)
    assert server.requests == []


def test_a_summary_is_needed_exactly_when_the_prompt_leaves_steps_out(server, policy):
    claude = policy()
    histories = [[step(n) for n in range(1, last)] for last in range(2, 90)]
    lengths = [dataclasses.replace(turn(), history=history) for history in histories]
    first = next(n for n, one in enumerate(lengths) if claude.helpers.summarizer.is_needed(one))
    for one in (lengths[first - 1], lengths[first]):
        claude.decide(one)
    without, with_gap = (request.prompt for request in server.requests)
    assert NOT_SHOWN not in without
    assert NOT_SHOWN in with_gap


@pytest.mark.parametrize("answer", [text_only("I do not know."), error(529, "overloaded_error")])
def test_no_usable_summary_is_a_failed_model(server, policy, answer):
    server.script([answer])
    with pytest.raises(ModelFailed):
        policy().helpers.summarizer.summarize(turn(), turn().history)


def test_a_summary_gets_only_the_samples_time(server, policy):
    late = dataclasses.replace(turn(), seconds_left=0.4)
    summarizer = policy().helpers.summarizer
    server.script([drip()])
    with pytest.raises(ModelFailed):
        summarizer.summarize(late, late.history)
