"""What is kept of a call: exactly what was sent and received, but no pictures."""

from __future__ import annotations

import dataclasses

import pytest

from pytest_bwa.errors import DecisionUnusable, ModelFailed
from wire.messages_server import error, text_only, tool_use
from wire.test_vision import PNG


def test_a_decision_carries_what_was_sent_and_received(server, policy, turn):
    exchange = policy().decide(turn()).exchange
    (request,) = server.requests
    assert exchange.purpose == "decision"
    assert exchange.model == "claude-sonnet-5-5"
    assert list(exchange.system) == [block["text"] for block in request.body["system"]]
    assert list(exchange.messages) == request.body["messages"]
    assert list(exchange.tools) == request.body["tools"]
    assert list(exchange.reply) == [
        {"type": "tool_use", "name": "click", "input": {"selector": "1"}}
    ]
    assert exchange.seconds > 0


def test_a_picture_is_named_but_not_kept(policy, turn):
    with_picture = dataclasses.replace(turn(), picture=PNG)
    (message,) = policy().decide(with_picture).exchange.messages
    picture, text = message["content"]
    assert picture == {"type": "image", "media_type": "image/png", "bytes": len(PNG)}
    assert text["text"].startswith("## Current page state")


def test_errors_carry_the_call_too(server, policy, turn):
    server.script([text_only("I would click."), error(400, "invalid_request_error")])
    claude = policy()
    with pytest.raises(DecisionUnusable) as unusable:
        claude.decide(turn())
    assert unusable.value.exchange.reply == ({"type": "text", "text": "I would click."},)
    with pytest.raises(ModelFailed) as failed:
        claude.decide(turn())
    assert failed.value.exchange.reply == ()
    assert len(failed.value.exchange.messages) == 1


def test_helpers_carry_their_calls(server, policy, turn):
    server.script([text_only("a chart"), tool_use("done", extracted={"name": "Linus"})])
    helpers = policy().helpers
    seen = helpers.vision_model.read_picture(PNG, "What is it?", None).exchange
    assert (seen.purpose, seen.reply) == ("vision", ({"type": "text", "text": "a chart"},))
    last = helpers.finalizer.finalize(turn(), "it is over", model_failed=False).exchange
    assert (last.purpose, last.reply[0]["name"]) == ("last_answer", "done")
    server.script([text_only("FOUND: a\nGAPS: b\nNEXT: c")])
    assert helpers.summarizer.summarize(turn(), []).exchange.purpose == "summary"
