"""One question of a helper to a model, whose answer is a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pytest_bwa.errors import ModelFailed
from pytest_bwa.policy.claude.client import Helper, MessagesClient
from pytest_bwa.steps.exchange import Call, Purpose
from pytest_bwa.steps.step import ModelAnswer

PURPOSES: Mapping[Helper, Purpose] = {
    "vision": "vision",
    "summarizer": "summary",
    "distiller": "advice",
}
"""What each helper's call is called in a trajectory."""


def ask_for_text(
    client: MessagesClient,
    helper: Helper,
    content: dict[str, Any],
    seconds: float,
    seconds_left: float | None,
    *,
    read: Callable[[str], str],
    complaint: str,
) -> ModelAnswer:
    """What ``read`` takes from the reply. Raises ModelFailed, with the exchange, if the call fails
    or, with the complaint, if nothing is left of the reply."""
    call = Call(PURPOSES[helper], content, client.model)
    with call.attached_to_errors():
        reply = client.ask_for(helper, content, seconds, seconds_left)
        model = reply.model or client.model
        call.received(reply.blocks(), model)
        usage, text = reply.usage_for(client.model), read(reply.text())
        if not text:
            raise ModelFailed(complaint, usage)
    return ModelAnswer(text, usage, model, call.exchange)
