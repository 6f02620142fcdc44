"""Reading a picture: the request, and the answer."""

from __future__ import annotations

import base64

import pytest

from pytest_bwa.errors import ModelFailed
from wire.messages_server import MessagesServer, error, text_only

PNG = b"\x89PNG\r\n\x1a\nrest"


def test_picture_and_question_are_sent_to_the_deciding_model(server, policy):
    server.script([text_only("next to build: red cross")])
    answer = policy().helpers.vision_model.read_picture(PNG, "What else?", None)
    assert answer.text == "next to build: red cross"
    assert answer.usage.calls == 1
    assert answer.usage.cost_usd > 0
    (request,) = server.requests
    image, question = request.body["messages"][0]["content"]
    assert image["source"]["media_type"] == "image/png"
    assert base64.b64decode(image["source"]["data"]) == PNG
    assert question == {"type": "text", "text": "What else?"}
    assert request.body["model"] == "claude-sonnet-5-5"
    assert "tools" not in request.body


def test_another_model_on_another_server_can_read_pictures(server, policy):
    with MessagesServer([text_only("a badge")]) as local:
        claude = policy(BWA_VISION_MODEL="qwen2.5vl:7b", BWA_VISION_BASE_URL=local.url)
        assert claude.helpers.vision_model.read_picture(PNG, "?", None).text == "a badge"
        assert [request.body["model"] for request in local.requests] == ["qwen2.5vl:7b"]
    assert server.requests == []


@pytest.mark.parametrize("answer", [text_only(""), error(529, "overloaded_error")])
def test_no_answer_is_a_failed_model(server, policy, answer):
    server.script([answer])
    with pytest.raises(ModelFailed):
        policy(BWA_MODEL_BACKOFF=0.01).helpers.vision_model.read_picture(PNG, "?", None)


def test_vision_can_be_disabled(policy):
    assert policy(BWA_VISION="off").helpers.vision_model is None
