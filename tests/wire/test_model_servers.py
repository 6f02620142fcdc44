"""Models of local servers, by the name of the server: ``ollama/qwen3``."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from pytest_bwa.errors import InputError, ModelFailed, ModelServerNotice
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.claude.policy import ClaudePolicy
from pytest_bwa.policy.registry import choose
from pytest_bwa.settings import Settings
from wire.conftest import KEY
from wire.messages_server import MessagesServer, error, text_only, tool_use

Policies = Callable[..., ClaudePolicy]
Turns = Callable[..., Turn]
CLICK = tool_use("click", selector="1")


@pytest.fixture
def local(server: MessagesServer, policy: Policies) -> Policies:
    """Makes policies whose model is on the server ``ollama``; the key and the base URL that are
    set belong to somebody else."""

    def make(**settings: Any) -> ClaudePolicy:
        chosen = {
            "BWA_MODEL": "ollama/qwen3",
            "BWA_MODEL_SERVERS": {"ollama": server.url},
            "anthropic_base_url": "http://127.0.0.1:9",
        }
        return policy(**{**chosen, **settings})

    return make


def test_a_model_is_asked_on_the_server_that_its_name_names_without_the_key_of_another(
    server: MessagesServer, local: Policies, turn: Turns
) -> None:
    decision = local().decide(turn())
    (request,) = server.requests
    assert request.body["model"] == "qwen3"
    assert decision.actions[0].action == "click"
    assert KEY not in str(request.headers)


def test_its_summaries_are_made_by_the_same_model_unless_another_is_set(
    server: MessagesServer, local: Policies, turn: Turns
) -> None:
    server.script([text_only("FOUND: a\nGAPS: b\nNEXT: c")])
    for settings in ({}, {"BWA_FAST_MODEL": "ollama/tiny"}):
        summarizer = local(**settings).helpers.summarizer
        assert summarizer is not None
        summarizer.summarize(turn(), [])
    assert [request.body["model"] for request in server.requests] == ["qwen3", "tiny"]


@pytest.mark.parametrize(
    ("model", "chosen"),
    [
        ("ollama/qwen3", "claude"),
        ("lab/qwen3", "claude"),
        ("Qwen/Qwen3-8B", "rules"),
        ("ollama/", "rules"),
        ("ollama", "rules"),
    ],
)
def test_a_model_with_a_server_of_its_own_is_all_that_the_policy_claude_needs(
    model: str, chosen: str
) -> None:
    servers = {"lab": "http://gpu7:8000"}
    settings = Settings(_env_file=None, model=model, model_servers=servers)  # type: ignore[call-arg]
    assert choose("auto", settings) == chosen


def test_an_address_that_is_none_names_its_setting(local: Policies) -> None:
    with pytest.raises(InputError, match="BWA_MODEL_SERVERS is not a web address"):
        local(BWA_MODEL_SERVERS={"ollama": "gpu7"})


# -- the context window ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/v1/models", {"data": [{"id": "x"}, {"id": "qwen3", "max_model_len": 20_000}]}),
        ("/v1/models", {"data": [{"id": "qwen3", "meta": {"n_ctx": 20_000}}]}),
        ("/api/v0/models", {"data": [{"id": "qwen3", "loaded_context_length": 20_000}]}),
        ("/props", {"default_generation_settings": {"n_ctx": 20_000}}),
        ("/api/ps", {"models": [{"name": "qwen3:latest", "context_length": 20_000}]}),
    ],
    ids=["vllm", "llamacpp-router", "lmstudio", "llamacpp", "ollama"],
)
def test_the_context_window_is_what_the_server_says(
    server: MessagesServer, local: Policies, path: str, answer: object
) -> None:
    server.information[path] = answer
    assert local()._primary.context_window() == 20_000
    assert local(BWA_CONTEXT_WINDOW=50_000)._primary.context_window() == 50_000


def test_ollama_is_asked_again_after_it_loaded_the_model(
    server: MessagesServer, local: Policies
) -> None:
    loaded: list[dict[str, Any]] = []

    def load(body: bytes) -> dict[str, str]:
        loaded.append({"name": json.loads(body)["model"], "context_length": 30_000})
        return {"done_reason": "load"}

    server.information = {"/api/ps": lambda _: {"models": loaded}, "/api/generate": load}
    assert local()._primary.context_window() == 30_000


@pytest.mark.parametrize(
    "answer",
    [[], "text", {"data": "none"}, {"data": [{"id": "other", "max_model_len": 20_000}]}],
)
def test_a_server_that_does_not_say_it_leaves_the_setting(
    server: MessagesServer, local: Policies, answer: object
) -> None:
    server.information["/v1/models"] = answer
    assert local()._primary.context_window() == 200_000


def test_a_window_that_is_too_small_is_refused_because_servers_cut_in_silence(
    server: MessagesServer, local: Policies
) -> None:
    server.information["/api/ps"] = {"models": [{"name": "qwen3", "context_length": 4096}]}
    with pytest.raises(InputError, match=r"keeps only 4,096 tokens .* needs 12,096"):
        local()


def test_the_question_for_the_window_ends_no_call_later_than_its_deadline(
    server: MessagesServer, local: Policies, turn: Turns
) -> None:
    summarizer = local(BWA_FAST_MODEL="ollama/tiny").helpers.summarizer
    assert summarizer is not None
    server.script([text_only("FOUND: a\nGAPS: b\nNEXT: c")])
    server.information["/v1/models"] = lambda _: time.sleep(6)  # it loads the model
    begin = time.monotonic()
    summarizer.summarize(turn(seconds_left=2.0), [])
    assert time.monotonic() - begin < 4
    server.information = {"/props": {"default_generation_settings": {"n_ctx": 4096}}}
    with pytest.raises(ModelFailed, match="keeps only 4,096 tokens"):  # it is asked again
        summarizer.summarize(turn(), [])


def test_a_window_that_is_too_small_for_a_helper_is_a_failed_model(
    server: MessagesServer, local: Policies, turn: Turns
) -> None:
    server.information["/api/ps"] = {"models": [{"name": "tiny", "context_length": 4096}]}
    summarizer = local(BWA_FAST_MODEL="ollama/tiny").helpers.summarizer
    assert summarizer is not None
    with pytest.raises(ModelFailed, match="keeps only 4,096 tokens"):
        summarizer.summarize(turn(), [])


# -- what a server lacks -----------------------------------------------------------------------


def test_a_server_without_a_cache_is_used_without_it_after_one_notice(
    server: MessagesServer, local: Policies, turn: Turns
) -> None:
    def answer(request: Any) -> Any:
        if "cache_control" in json.dumps(request.body["system"]):
            text = "system.0.cache_control: Extra inputs are not permitted"
            return error(400, "invalid_request_error", text)
        return CLICK

    server.script(answer)
    claude = local()
    with pytest.warns(ModelServerNotice, match="takes no cache_control for ollama/qwen3"):
        first = claude.decide(turn())
    second = claude.decide(turn())
    assert len(server.requests) == 3
    assert any("takes no cache_control" in note for note in first.notes)
    assert second.notes == ()


@pytest.mark.filterwarnings("error")
def test_where_warnings_are_errors_the_decision_stands(
    server: MessagesServer, local: Policies, turn: Turns
) -> None:
    text = "tool_choice: forced tool use is not supported by this model"
    server.script([error(400, "invalid_request_error", text), CLICK])
    assert "takes no tool_choice" in local().decide(turn()).notes[0]


def test_the_fallback_model_is_asked_once(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([error(529, "overloaded_error")])
    with pytest.raises(ModelFailed, match="the fallback model claude-haiku-5-5 failed too"):
        policy(BWA_ENABLE_FALLBACK_LLM=True).decide(turn())
    models = [request.body["model"] for request in server.requests]
    assert models == ["claude-sonnet-5-5"] * 3 + ["claude-haiku-5-5"]
