"""Reading a picture: the request, and the answer."""

from __future__ import annotations

import base64

import pytest

from pytest_bwa.errors import ModelFailed
from wire.conftest import KEY
from wire.messages_server import MessagesServer, Request, error, text_only, tool_use

PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    + (1280).to_bytes(4, "big")
    + (900).to_bytes(4, "big")
    + b"rest"
)


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
        servers = {"ollama": local.url}
        claude = policy(BWA_VISION_MODEL="ollama/qwen2.5vl:7b", BWA_MODEL_SERVERS=servers)
        assert claude.helpers.vision_model.read_picture(PNG, "?", None).text == "a badge"
        assert [request.body["model"] for request in local.requests] == ["qwen2.5vl:7b"]
        assert KEY not in str(local.requests[0].headers)  # it belongs to the server that decides
    assert server.requests == []


@pytest.mark.parametrize("answer", [text_only(""), error(529, "overloaded_error")])
def test_no_answer_is_a_failed_model(server, policy, answer):
    server.script([answer])
    with pytest.raises(ModelFailed):
        policy().helpers.vision_model.read_picture(PNG, "?", None)


def test_vision_can_be_disabled(policy):
    assert policy(BWA_VISION="off").helpers.vision_model is None


# -- the picture that the deciding model asks for ------------------------------------------------


def names(request: Request) -> list[str]:
    return [tool["name"] for tool in request.body["tools"]]


def test_the_picture_is_sent_with_the_decision_itself(server, policy, turn):
    policy().decide(turn(picture=PNG, picture_number=88))
    (request,) = server.requests
    image, text = request.prompt
    assert base64.b64decode(image["source"]["data"]) == PNG
    assert (
        "The picture above, [88], shows this page. Its numbers are those of this list."
        in text["text"]
    )
    assert "look" in names(request)


@pytest.mark.filterwarnings("ignore::pytest_bwa.errors.ModelServerNotice")
def test_a_model_that_refuses_pictures_is_asked_without_and_not_offered_to_look(
    server, policy, turn
):
    refused = error(400, "invalid_request_error", "this model does not support image input")
    server.script([refused, tool_use("click", selector="1")])
    claude = policy(BWA_MODEL="text-only")
    claude.decide(turn(picture=PNG))
    claude.decide(turn())
    _, again, later = server.requests
    assert [block["type"] for block in again.prompt] == ["text", "text"]
    assert "look" not in names(later)


def test_a_question_about_a_picture_is_never_asked_without_the_picture(server, policy):
    server.script(
        [error(400, "invalid_request_error", "image input is not supported"), text_only("a")]
    )
    vision = policy(BWA_MODEL="text-only-2").helpers.vision_model
    for _ in range(2):
        with pytest.raises(ModelFailed, match="reads no pictures"):
            vision.read_picture(PNG, "What else?", None)
    assert len(server.requests) == 1


def test_without_vision_the_model_is_not_offered_to_look(server, policy, turn):
    policy(BWA_VISION="off").decide(turn())
    assert "look" not in names(server.requests[-1])
