"""The requests of the claude policy, as the server receives them from the real SDK."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime

import pytest

from pytest_bwa.errors import DecisionUnusable, InputError, ModelFailed
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.claude.policy import ClaudePolicy
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from wire.conftest import KEY, OFFERED, TASK
from wire.messages_server import (
    USAGE,
    Answer,
    MessagesServer,
    Request,
    call,
    error,
    message,
    text_block,
    text_only,
    tool_choice_refused,
    tool_use,
)

Policies = Callable[..., ClaudePolicy]
Turns = Callable[..., Turn]
REFUSE_FORCED = [
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-fable-5-1",
    "claude-opus-5-5-20261001",
]
ACCEPT_FORCED = ["claude-sonnet-4-6", "claude-haiku-4-5", "claude-haiku-5-5", "qwen2.5:7b"]


def send(server: MessagesServer, policy: ClaudePolicy, turn: Turn) -> Request:
    """Make one decision; the request that was sent for it."""
    policy.decide(turn)
    return server.requests[-1]


def test_the_sdk_itself_is_used(server: MessagesServer, policy: Policies, turn: Turns) -> None:
    request = send(server, policy(), turn())
    assert request.path == "/v1/messages"
    assert request.headers["user-agent"].startswith("AsyncAnthropic/Python 2.")
    assert request.headers["x-stainless-lang"] == "python"
    assert request.headers["x-stainless-retry-count"] == "0"
    assert KEY in (request.headers.get("authorization", "") + request.headers.get("x-api-key", ""))


def test_a_step_is_one_user_message(server: MessagesServer, policy: Policies, turn: Turns) -> None:
    body = send(server, policy(), turn()).body
    assert [m["role"] for m in body["messages"]] == ["user"]
    assert body["messages"][0]["content"].startswith("## Current page state\n")
    assert '[0] [heading] "Linus Torvalds"' in body["messages"][0]["content"]


def test_samples_share_the_cached_prefix(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    claude = policy()
    other = Sample("gvanrossum", {"sample_id": "gvanrossum", "name": "Guido van Rossum"})
    one = send(server, claude, turn()).body
    two = send(server, claude, turn(sample=other, step=7)).body
    assert json.dumps(one["tools"]) == json.dumps(two["tools"])
    assert json.dumps(one["system"][0]) == json.dumps(two["system"][0])
    assert one["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert len(one["system"]) == 2
    assert "cache_control" not in one["system"][1]
    assert one["system"][1] != two["system"][1]


def test_all_tools_are_sent_in_their_order(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    tools = send(server, policy(), turn()).body["tools"]
    assert [tool["name"] for tool in tools] == [*OFFERED]
    assert all(set(tool) == {"name", "description", "input_schema"} for tool in tools)


def test_only_allowed_tools_are_sent(server: MessagesServer, policy: Policies, turn: Turns) -> None:
    server.script([tool_use("fail", note="gone")])
    tools = send(server, policy(), turn(allowed=("fail", "done"))).body["tools"]
    assert [tool["name"] for tool in tools] == ["done", "fail"]


def test_usual_actions_may_bring_a_picture_and_the_others_take_none(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    task = TASK.model_copy(update={"required_artifacts": ["profile"]})
    request = send(server, policy(task), turn())
    without = [
        tool["name"]
        for tool in request.body["tools"]
        if "screenshot_label" not in tool["input_schema"]["properties"]
    ]
    rare = ["hover", "upload", "switch_tab", "drag", "find", "look", "read"]
    assert without == ["screenshot", "extract", "download", "fail", *rare]


def test_no_label_is_offered_where_none_is_needed(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    assert "screenshot_label" not in json.dumps(send(server, policy(), turn()).body)


def test_answers_are_asked_where_their_values_stand(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    body = send(server, policy(), turn()).body
    schemas = {tool["name"]: tool["input_schema"] for tool in body["tools"]}
    for name in ("done", "save_progress"):
        assert schemas[name]["properties"]["sources"] == {"type": "object"}
        assert schemas[name]["required"] == ["extracted"]
    assert schemas["fail"]["properties"]["source"] == {"type": "integer"}
    assert body["system"][0]["text"].count("Give in sources") == 1


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({"name": 3, "followers": [4, "[5]"]}, {"name": 3, "followers": [4, "[5]"]}),
        ({"name": "[3]", "nobody": {"x": 1}}, {"name": "[3]", "nobody": {"x": 1}}),
        ([3, 4], None),
        (7, None),
        (None, None),
    ],
)
def test_no_form_of_sources_makes_an_answer_unusable(
    server: MessagesServer, policy: Policies, turn: Turns, sent: object, read: object
) -> None:
    extracted = {"name": "Linus", "followers": 7}
    server.script([tool_use("done", extracted=extracted, sources=sent)])
    (action,) = policy().decide(turn()).actions
    assert (action.extracted, action.sources) == (extracted, read)


@pytest.mark.parametrize("sent", [12, [12, 13], "[12]", "12", {"line": 12}])
def test_no_form_of_a_source_makes_a_fail_unusable(
    server: MessagesServer, policy: Policies, turn: Turns, sent: object
) -> None:
    server.script([tool_use("fail", kind="not_found", note="none", source=sent)])
    (action,) = policy().decide(turn()).actions
    assert action.source == sent


@pytest.mark.parametrize("model", REFUSE_FORCED)
def test_models_that_refuse_forced_tool_use(
    server: MessagesServer, policy: Policies, turn: Turns, model: str
) -> None:
    claude = policy(BWA_MODEL=model, BWA_EFFORT="high")
    body = send(server, claude, turn()).body
    assert body["tool_choice"] == {"type": "auto"}
    assert body["output_config"] == {"effort": "high"}
    assert body["max_tokens"] == 4096
    assert not {"temperature", "top_p", "top_k", "thinking"} & set(body)


@pytest.mark.parametrize("model", ACCEPT_FORCED)
def test_models_that_accept_forced_tool_use(
    server: MessagesServer, policy: Policies, turn: Turns, model: str
) -> None:
    body = send(server, policy(BWA_MODEL=model), turn()).body
    assert body["model"] == model
    assert body["tool_choice"] == {"type": "any"}
    assert not {"temperature", "top_p", "top_k", "thinking"} & set(body)
    assert ("output_config" in body) == (model == "claude-haiku-5-5")


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "qwen2.5:7b"])
def test_a_full_reflection_is_asked_for_once_and_read_from_the_text_before_the_call(
    server: MessagesServer, policy: Policies, turn: Turns, model: str
) -> None:
    """No model is forced to call a tool then: it would write no text before the call."""
    said = "evaluation_previous_step: opened\nmemory_update: 3 of 5\nnext_goal: the fourth"
    first, second = call("click", {"selector": "0"}), call("click", {"selector": "1"})
    server.script([message(text_block(said), first, second)])
    settings = {"BWA_MODEL": model, "BWA_REFLECTION_MODE": "full", "BWA_ENABLE_MULTI_ACTIONS": True}
    decision = policy(**settings).decide(turn())
    body = server.requests[-1].body
    assert body["tool_choice"] == {"type": "auto"}
    assert json.dumps(body["system"]).count("memory_update") == 1
    assert "memory_update" not in json.dumps(body["tools"])
    one, two = decision.actions
    assert (one.evaluation_previous_step, one.memory_update) == ("opened", "3 of 5")
    assert (one.next_goal, two.memory_update) == ("the fourth", None)
    assert one.params() == {"selector": "0"}


def test_the_day_and_the_time_zone_are_sent(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    before = datetime.now().astimezone()
    cached, of_this_sample = send(server, policy(), turn()).body["system"]
    around = before, datetime.now().astimezone()  # it may be midnight
    assert any(f"{n:%Y-%m-%d} (time zone UTC{n:%z})" in of_this_sample["text"] for n in around)
    assert not any(f"{n:%Y-%m-%d}" in cached["text"] for n in around)


@pytest.mark.filterwarnings("ignore::pytest_bwa.errors.ModelServerNotice")
def test_a_400_about_tool_choice_is_learnt_once_for_the_process(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([tool_choice_refused(), tool_use("click", selector="1")])
    claude = policy(BWA_MODEL="claude-next")
    claude.decide(turn())
    policy(BWA_MODEL="claude-next").decide(turn())
    kinds = [request.body["tool_choice"]["type"] for request in server.requests]
    assert kinds == ["any", "auto", "auto"]


@pytest.mark.filterwarnings("ignore::pytest_bwa.errors.ModelServerNotice")
def test_a_400_about_effort_is_learnt_too(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    refusal = error(400, "invalid_request_error", "output_config: Extra inputs are not permitted")
    server.script([refusal, tool_use("click", selector="1")])
    claude = policy(BWA_MODEL="claude-haiku-5-5-20261001")
    claude.decide(turn())
    assert ["output_config" in request.body for request in server.requests] == [True, False]


def test_a_request_that_is_refused_without_the_parameter_too_fails(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([tool_choice_refused()])
    with pytest.raises(ModelFailed, match=r"refused the request \(400: tool_choice"):
        policy(BWA_MODEL="claude-stubborn").decide(turn())
    assert len(server.requests) == 2


# -- replies that were cut off -------------------------------------------------------------------

CUT_OFF = tool_use("done", extracted={}, stop_reason="max_tokens")


def limits_of(server: MessagesServer) -> list[int]:
    return [request.body["max_tokens"] for request in server.requests]


def ask_until_cut_off(claude: ClaudePolicy, turn: Turn, times: int) -> None:
    for _ in range(times):
        with pytest.raises(DecisionUnusable, match="cut off"):
            claude.decide(turn)


def test_after_a_reply_that_was_cut_off_the_limit_is_doubled(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    claude = policy()
    server.script([CUT_OFF])
    ask_until_cut_off(claude, turn(), 5)
    assert limits_of(server) == [4096, 8192, 16384, 32768, 32768]


@pytest.mark.parametrize(
    "refusal",
    [
        "max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens",
        "This model's maximum context length is 16000 tokens. However, you requested 20000 tokens",
    ],
)
def test_a_larger_limit_that_is_refused_is_taken_back(
    server: MessagesServer, policy: Policies, turn: Turns, refusal: str
) -> None:
    def script(request: Request) -> Answer:
        too_large = request.body["max_tokens"] > 8192
        return error(400, "invalid_request_error", refusal) if too_large else CUT_OFF

    server.script(script)
    ask_until_cut_off(policy(), turn(), 4)
    assert limits_of(server) == [4096, 8192, 16384, 8192, 8192]


def test_a_first_limit_that_is_refused_fails(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([error(400, "invalid_request_error", "max_tokens: 4096 > 1024")])
    with pytest.raises(ModelFailed, match="max_tokens: 4096 > 1024"):
        policy().decide(turn())
    assert len(server.requests) == 1


def test_a_text_that_was_cut_off_does_not_raise_the_limit(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    claude = policy()
    server.script([text_only("a badge", stop_reason="max_tokens"), tool_use("click", selector="1")])
    claude.helpers.vision_model.read_picture(b"", "What else?", None)
    claude.decide(turn())
    assert limits_of(server) == [4096, 4096]


# -- usage, secrets and keys ---------------------------------------------------------------------


def test_usage_and_cost(server: MessagesServer, policy: Policies, turn: Turns) -> None:
    usage = policy().decide(turn()).usage
    assert (usage.input_tokens, usage.output_tokens, usage.calls) == (1000, 200, 1)
    assert (usage.cache_read, usage.cache_write) == (3000, 400)
    # Sonnet 5.5: (1000 + 1.25 * 400 + 0.1 * 3000) * $2 + 200 * $10, per million tokens
    assert usage.cost_usd == pytest.approx(0.0056)


def test_an_unknown_price_gives_no_cost(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    usage = policy(BWA_MODEL="qwen2.5:7b").decide(turn()).usage
    assert usage.input_tokens == USAGE["input_tokens"]
    assert usage.cost_usd is None


def test_usage_may_be_missing(server: MessagesServer, policy: Policies, turn: Turns) -> None:
    server.script([tool_use("click", selector="1", usage=None)])
    usage = policy().decide(turn()).usage
    assert (usage.calls, usage.cost_usd) == (1, None)


def test_thinking_and_the_answering_model_are_recorded(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    thought = {"type": "thinking", "thinking": "The name is there.", "signature": "x"}
    call = {"type": "tool_use", "id": "t", "name": "click", "input": {"selector": "1"}}
    server.script(
        [message(thought, text_block("I open it."), call, model="claude-sonnet-5-5-20261001")]
    )
    decision = policy().decide(turn())
    assert decision.thinking == "The name is there.\nI open it."
    assert decision.model == "claude-sonnet-5-5-20261001"
    assert decision.usage.cost_usd == pytest.approx(0.0056)


def test_secrets_are_not_sent(server: MessagesServer, policy: Policies, turn: Turns) -> None:
    words = {"goal": "Log in with {password}.", "system_prompt": "Use {password}."}
    task = TaskSpec.model_validate({**TASK.model_dump(), **words, "secrets": ["password"]})
    columns = {"sample_id": "s1", "password": "<secret:password>", "xfail": "known bad"}
    sample = Sample("s1", columns, secrets={"password": "correct-horse"})
    request = send(server, policy(task), turn(placeholders.fill(task, sample), sample))
    assert b"correct-horse" not in request.raw
    assert b"known bad" not in request.raw
    assert "Log in with <secret:password>." in request.prompt


class TestCredentials:
    def header(self, server: MessagesServer, claude: ClaudePolicy, turn: Turn) -> str:
        headers = send(server, claude, turn).headers
        return headers.get("authorization", "") + headers.get("x-api-key", "")

    def test_a_bearer_token_is_sent(
        self, server: MessagesServer, policy: Policies, turn: Turns
    ) -> None:
        claude = policy(ANTHROPIC_API_KEY=None, ANTHROPIC_AUTH_TOKEN="token-1")
        assert self.header(server, claude, turn()) == "Bearer token-1"

    def test_a_key_is_preferred_to_a_token(
        self, server: MessagesServer, policy: Policies, turn: Turns
    ) -> None:
        sent = self.header(server, policy(ANTHROPIC_AUTH_TOKEN="token-1"), turn())
        assert KEY in sent
        assert "token-1" not in sent

    def test_a_local_server_needs_no_key(
        self, server: MessagesServer, policy: Policies, turn: Turns
    ) -> None:
        assert "no-key-needed" in self.header(server, policy(ANTHROPIC_API_KEY=None), turn())

    def test_neither_key_nor_base_url(self, policy: Policies) -> None:
        with pytest.raises(InputError, match=r"needs ANTHROPIC_API_KEY .* --policy rules"):
            policy(ANTHROPIC_API_KEY=None, ANTHROPIC_BASE_URL=None)

    @pytest.mark.parametrize("key", ["sk-ant-ключ", "sk-ant\n-1"])
    def test_a_key_with_impossible_characters(self, policy: Policies, key: str) -> None:
        with pytest.raises(InputError, match="ANTHROPIC_API_KEY contains characters") as caught:
            policy(ANTHROPIC_API_KEY=key)
        assert "sk-ant" not in str(caught.value)

    @pytest.mark.parametrize("url", ["localhost:11434", "ftp://x", "http://"])
    def test_an_invalid_base_url(self, policy: Policies, url: str) -> None:
        with pytest.raises(InputError, match="ANTHROPIC_BASE_URL is not a web address"):
            policy(ANTHROPIC_BASE_URL=url)
