"""A server that refuses the key to a helper: the run goes on, and the helper is not asked again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from unit.policy.claude.long_run import SAMPLE, TASK, step

from pytest_bwa.agent.summaries import Summaries
from pytest_bwa.errors import CredentialsRefused, ModelFailed
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.claude.policy import ClaudePolicy
from pytest_bwa.steps.step import Observation
from wire.messages_server import MessagesServer, error, text_only, tool_use

PNG = b"\x89PNG\r\n\x1a\nrest"
STEPS = [step(n) for n in range(1, 11)]
TURN = Turn(Observation(url="u", title=""), TASK, SAMPLE, step=11, max_steps=60, history=STEPS)
FALLBACK = "claude-haiku-5-5"

HELPERS: dict[str, Callable[[ClaudePolicy], object]] = {
    "vision": lambda claude: claude.helpers.vision_model.read_picture(PNG, "What else?", None),
    "summarizer": lambda claude: claude.helpers.summarizer.summarize(TURN, STEPS),
    "finalizer": lambda claude: claude.helpers.finalizer.finalize(TURN, "over", model_failed=False),
}


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("helper", HELPERS)
def test_a_refused_helper_is_a_failed_model_and_is_not_asked_again(server, policy, helper, status):
    server.script([error(status, "permission_error", "not this model")])
    for claude in (policy(), policy()):  # also by another policy of this process
        with pytest.raises(ModelFailed, match=rf"refused access \({status}: not this model\)"):
            HELPERS[helper](claude)
    assert len(server.requests) == 1


def test_the_deciding_model_and_the_other_helpers_are_still_asked(server, policy, turn):
    claude = policy(BWA_FAST_MODEL="claude-sonnet-5-5")  # one model on one server for everything
    server.script([error(403, "permission_error", "no pictures")])
    with pytest.raises(ModelFailed):
        HELPERS["vision"](claude)
    server.script([tool_use("done", extracted={"prs": []})])
    HELPERS["finalizer"](claude)
    claude.decide(turn())
    assert len(server.requests) == 2
    server.script([error(403, "permission_error", "no access")])
    with pytest.raises(CredentialsRefused):
        claude.decide(turn())


def test_another_key_is_tried(server, policy):
    server.script([error(401, "authentication_error"), text_only("a badge")])
    with pytest.raises(ModelFailed):
        HELPERS["vision"](policy())
    HELPERS["vision"](policy(ANTHROPIC_API_KEY="sk-ant-renewed"))
    assert len(server.requests) == 2


def test_a_refused_summarizer_leaves_a_mechanical_summary(server, policy):
    server.script([error(403, "permission_error")])
    summaries = Summaries(policy().helpers.summarizer)
    summaries.add(TURN)
    assert summaries.latest[0].startswith("FOUND: steps 1 to 5; saved")


def test_a_vision_server_of_its_own_may_refuse(server, policy, turn):
    with MessagesServer([error(401, "authentication_error", "no key")]) as local:
        claude = policy(BWA_VISION_MODEL="ollama/m", BWA_MODEL_SERVERS={"ollama": local.url})
        with pytest.raises(ModelFailed, match="no key"):
            HELPERS["vision"](claude)
    assert claude.decide(turn()).actions


def test_a_refused_fallback_model_is_a_failed_model(server, policy, turn):
    refused, overloaded = error(403, "permission_error"), error(529, "overloaded_error")
    server.script(lambda r: refused if r.body["model"] == FALLBACK else overloaded)
    with pytest.raises(ModelFailed, match=r"529.*the fallback model .* failed too: .*403"):
        policy(BWA_ENABLE_FALLBACK_LLM=True).decide(turn())
