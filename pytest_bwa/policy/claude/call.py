"""A call of a model while it is made."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pytest_bwa.errors import DecisionUnusable, ModelFailed
from pytest_bwa.steps.exchange import Block, Exchange, Purpose


class Call:
    """What is sent with it, and what comes back."""

    def __init__(self, purpose: Purpose, content: Mapping[str, Any], model: str) -> None:
        self._purpose, self._content, self._model = purpose, content, model
        self._started = time.monotonic()
        self._seconds: float | None = None
        self._reply: tuple[Block, ...] = ()

    def received(self, reply: Iterable[Block], model: str) -> None:
        """Note the answer, and which model gave it."""
        self._seconds = time.monotonic() - self._started
        self._reply, self._model = tuple(reply), model

    @property
    def exchange(self) -> Exchange:
        system = self._content.get("system", ())
        texts = [system] if isinstance(system, str) else [block["text"] for block in system]
        seconds = self._seconds
        return Exchange(
            self._purpose,
            self._model,
            tuple(texts),
            tuple(_without_pictures(message) for message in self._content["messages"]),
            tuple(self._content.get("tools", ())),
            self._reply,
            round(time.monotonic() - self._started if seconds is None else seconds, 3),
        )

    @contextmanager
    def attached_to_errors(self) -> Iterator[None]:
        """Give the exchange to an error that says that the call, or its answer, was no good."""
        try:
            yield
        except (DecisionUnusable, ModelFailed) as problem:
            problem.exchange = self.exchange
            raise


def _without_pictures(message: Block) -> Block:
    content = message["content"]
    if isinstance(content, str):
        return message
    return {**message, "content": [_without_bytes(block) for block in content]}


def _without_bytes(block: Block) -> Block:
    if block.get("type") != "image":
        return block
    data, media_type = block["source"]["data"], block["source"]["media_type"]
    size = len(data) * 3 // 4 - data[-2:].count("=")  # base64
    return {"type": "image", "media_type": media_type, "bytes": size}
