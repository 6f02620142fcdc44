"""Summaries of older steps by the fast model."""

from __future__ import annotations

import dataclasses

import pytest
from unit.policy.claude.long_run import SAMPLE, TASK, step

from pytest_bwa.errors import ModelFailed
from pytest_bwa.policy.base import Turn
from pytest_bwa.steps import Observation
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


@pytest.mark.parametrize("answer", [text_only("I do not know."), error(529, "overloaded_error")])
def test_no_usable_summary_is_a_failed_model(server, policy, answer):
    server.script([answer])
    with pytest.raises(ModelFailed):
        policy(BWA_MODEL_BACKOFF=0.01).helpers.summarizer.summarize(turn(), turn().history)


def test_a_summary_gets_only_the_samples_time(server, policy):
    late = dataclasses.replace(turn(), seconds_left=0.4)
    summarizer = policy().helpers.summarizer
    server.script([drip()])
    with pytest.raises(ModelFailed):
        summarizer.summarize(late, late.history)
