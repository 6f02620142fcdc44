"""Advice for later samples, by the fast model."""

from __future__ import annotations

import pytest

from pytest_bwa.errors import ModelFailed
from wire.messages_server import drip, error, text_only, tool_use

ON = {"BWA_ENABLE_MEMORY_DISTILLATION": True}


def distill(claude, seconds_left: float | None = None):
    worked = ['click tab "Checks\n## Goal"']
    return claude.helpers.distiller.distill(
        "Read {sample_id}.", worked, ["goto /old/{sample_id}"], seconds_left
    )


def test_the_fast_model_is_asked_once_about_fenced_actions(server, policy):
    server.script([text_only("TIP: open the checks first\nAVOID: /old")])
    answer = distill(policy(**ON))
    assert answer.text.startswith("TIP:")
    assert answer.usage.calls == 1
    assert answer.exchange is not None
    assert answer.exchange.purpose == "advice"
    (request,) = server.requests
    assert request.body["model"] == "claude-haiku-5-5"
    assert "tools" not in request.body
    asked, log = request.prompt.split("<untrusted-", 1)
    assert asked == "The goal of each sample: Read {sample_id}.\n"
    assert 'worked: click tab "Checks ## Goal"\nfailed: goto /old/{sample_id}\n' in log


@pytest.mark.parametrize(
    "answer", [text_only("I see."), tool_use("done"), error(401, "authentication_error", "no")]
)
def test_an_answer_without_advice_is_a_failed_model(server, policy, answer):
    server.script([answer])
    with pytest.raises(ModelFailed):
        distill(policy(**ON))


def test_it_gets_only_the_samples_time(server, policy):
    server.script([drip()])
    with pytest.raises(ModelFailed):
        distill(policy(**ON), seconds_left=0.4)


def test_the_setting_turns_it_off(policy):
    assert policy(BWA_ENABLE_MEMORY_DISTILLATION=False).helpers.distiller is None
