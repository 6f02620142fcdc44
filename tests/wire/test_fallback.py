"""The fallback model, stricter prompts, several actions in one decision, and the last answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_bwa.errors import CredentialsRefused, LimitReached, ModelFailed
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.claude.policy import ClaudePolicy
from wire.conftest import OFFERED
from wire.messages_server import (
    MessagesServer,
    call,
    drip,
    error,
    message,
    text_only,
    tool_use,
)

Policies = Callable[..., ClaudePolicy]
Turns = Callable[..., Turn]
PRIMARY, FALLBACK = "claude-sonnet-5-5", "claude-haiku-5-5"
WITH_FALLBACK = {"BWA_ENABLE_FALLBACK_LLM": True}


def models(server: MessagesServer) -> list[str]:
    return [request.body["model"] for request in server.requests]


def only(model: str, good, bad):
    """A script with a good answer for ``model``, and a bad one for every other model."""
    return lambda request: good if request.body["model"] == model else bad


# -- the fallback model ------------------------------------------------------------------------


def test_after_three_tries_the_fallback_decides_and_the_log_says_so(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script(only(FALLBACK, tool_use("click", selector="1"), error(529, "overloaded_error")))
    decision = policy(**WITH_FALLBACK).decide(turn())
    assert models(server) == [PRIMARY] * 3 + [FALLBACK]
    assert decision.actions[0].action == "click"
    assert decision.model == FALLBACK
    assert decision.usage.cost_usd == pytest.approx(0.00028)  # at the fallback model's price
    (note,) = decision.notes
    assert note.startswith(f"{PRIMARY} failed (")
    assert note.endswith(f"{FALLBACK} decided")


def test_the_next_decision_asks_the_primary_model_first_again(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    claude = policy(**WITH_FALLBACK)
    server.script(only(FALLBACK, tool_use("click", selector="1"), error(529, "overloaded_error")))
    claude.decide(turn())
    server.script([tool_use("click", selector="1")])
    assert claude.decide(turn()).notes == ()
    assert models(server) == [PRIMARY]


def test_the_fallback_must_be_enabled_and_be_another_model(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([error(529, "overloaded_error")])
    for settings in (
        {},
        {**WITH_FALLBACK, "BWA_FALLBACK_LLM_MODEL": PRIMARY},
    ):
        server.script([error(529, "overloaded_error")])
        with pytest.raises(ModelFailed):
            policy(**settings).decide(turn())
        assert models(server) == [PRIMARY] * 3


def test_if_both_fail_the_message_names_both(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script(only(PRIMARY, error(529, "overloaded_error"), error(404, "not_found_error")))
    with pytest.raises(ModelFailed) as caught:
        policy(**WITH_FALLBACK).decide(turn())
    reason = str(caught.value)
    assert "529" in reason
    assert f"the fallback model {FALLBACK} failed too" in reason
    assert f'does not know the model "{FALLBACK}"' in reason


def test_a_refused_key_does_not_lead_to_the_fallback(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([error(401, "authentication_error")])
    with pytest.raises(CredentialsRefused):
        policy(**WITH_FALLBACK).decide(turn())
    assert models(server) == [PRIMARY]


def test_both_models_together_get_only_the_samples_time(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([drip()])
    with pytest.raises(LimitReached):
        policy(**WITH_FALLBACK, BWA_MODEL_DEADLINE=60).decide(turn(seconds_left=0.5))
    assert models(server) in ([PRIMARY], [])


# -- stricter prompts --------------------------------------------------------------------------


def test_after_an_unusable_reply_the_instruction_is_stricter(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    claude = policy()
    claude.decide(turn())
    claude.decide(turn(failed_decisions=1))
    claude.decide(turn(failed_decisions=3, allowed=("click", "done")))
    plain, once, thrice = (request.prompt for request in server.requests)
    assert "could not be used" not in plain
    assert "Your last reply could not be used. Write no text." in once
    assert ", ".join(OFFERED) in once
    assert thrice.endswith("no others: click, done.")
    assert "Your last 3 replies" in thrice


# -- several actions ---------------------------------------------------------------------------

TWO = message(
    call("type", {"selector": "1", "text": "Ann"}),
    call("click", {"selector": "2"}),
    call("scroll", {"direction": "down"}),
    stop_reason="tool_use",
)


def test_one_action_is_taken_if_several_are_off_and_a_note_counts_the_rest(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([TWO])
    decision = policy(BWA_ENABLE_MULTI_ACTIONS=False).decide(turn())
    assert [action.action for action in decision.actions] == ["type"]
    assert decision.notes == ("not carried out: click, scroll; 1 is the most",)
    body = server.requests[0].body
    assert body["tool_choice"]["disable_parallel_tool_use"] is True
    assert "Answer with one tool call." in body["system"][0]["text"]


def test_by_default_up_to_eight_actions_are_taken(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    calls = [call("type", {"selector": str(n), "text": "x"}) for n in range(9)]
    server.script([message(*calls, stop_reason="tool_use")])
    assert len(policy().decide(turn()).actions) == 8
    assert "up to 8" in server.requests[0].body["system"][0]["text"]


def test_the_number_of_actions_is_a_setting(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([TWO])
    claude = policy(BWA_MAX_ACTIONS_PER_STEP=2)
    decision = claude.decide(turn())
    assert [action.action for action in decision.actions] == ["type", "click"]
    body = server.requests[0].body
    assert "disable_parallel_tool_use" not in body["tool_choice"]
    assert "up to 2" in body["system"][0]["text"]


@pytest.mark.parametrize(
    "ending",
    [
        call("look", {"question": "x"}),
        call("done", {"extracted": {}}),
        call("fail", {"note": "x"}),
    ],
    ids=lambda block: block["name"],
)
def test_some_actions_end_the_batch(
    server: MessagesServer, policy: Policies, turn: Turns, ending
) -> None:
    server.script([message(ending, call("click", {"selector": "1"}), stop_reason="tool_use")])
    decision = policy().decide(turn())
    assert [action.action for action in decision.actions] == [ending["name"]]
    assert decision.notes == (f"not carried out: click; {ending['name']} ends a reply",)


def test_what_comes_before_an_unusable_call_is_carried_out(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    calls = [call("click", {"selector": "1"}), call("type", {}), call("click", {"selector": "2"})]
    server.script([message(*calls, stop_reason="tool_use")])
    decision = policy().decide(turn())
    assert [action.selector for action in decision.actions] == ["1"]
    (note,) = decision.notes
    assert note.startswith("not carried out: type, click; ")
    assert "required: selector, text" in note


# -- the last answer ---------------------------------------------------------------------------


def last_answer(policy: ClaudePolicy, turn: Turn, *, model_failed: bool = False):
    finalizer = policy.helpers.finalizer
    assert finalizer is not None
    return finalizer.finalize(turn, "the limit of 9 steps is spent", model_failed=model_failed)


def test_the_last_answer_offers_only_done(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([tool_use("done", extracted={"name": "Linus"})])
    decision = last_answer(policy(), turn(collected={"name": "Linus"}))
    assert decision.actions[0].extracted == {"name": "Linus"}
    (request,) = server.requests
    assert [tool["name"] for tool in request.body["tools"]] == ["done"]
    assert "This sample is over: the limit of 9 steps is spent." in request.prompt
    assert '"name": "Linus"' in request.prompt


@pytest.mark.parametrize(
    ("failed", "settings", "model"),
    [(True, WITH_FALLBACK, FALLBACK), (False, WITH_FALLBACK, PRIMARY), (True, {}, PRIMARY)],
)
def test_the_last_answer_is_the_fallbacks_if_the_primary_just_failed(
    server: MessagesServer, policy: Policies, turn: Turns, failed, settings, model
) -> None:
    server.script([tool_use("done", extracted={})])
    last_answer(policy(**settings), turn(), model_failed=failed)
    assert models(server) == [model]


@pytest.mark.parametrize("answer", [text_only(), error(400, "invalid_request_error")])
def test_an_unusable_last_answer_is_a_failed_model(
    server: MessagesServer, policy: Policies, turn: Turns, answer
) -> None:
    server.script([answer])
    with pytest.raises(ModelFailed):
        last_answer(policy(), turn())


def test_the_last_answer_can_be_disabled(policy: Policies) -> None:
    assert policy(BWA_FINALIZE_ON_FAILURE=False).helpers.finalizer is None
