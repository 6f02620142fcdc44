"""One call of a model: what was sent, and what came back."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from pytest_bwa.errors import DecisionUnusable, ModelFailed

Purpose = Literal["decision", "summary", "last_answer", "vision", "advice"]
"""What a model was asked for."""
Block = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was sent for one answer of a model, and the answer, in the form of the Messages API. It
    contains no pictures: in their place stands what kind they were and how large."""

    purpose: Purpose
    model: str
    system: tuple[str, ...]
    """The blocks of the system prompt."""
    messages: tuple[Block, ...]
    """Each with ``role`` and ``content``, which is a text or a list of blocks."""
    tools: tuple[Block, ...] = ()
    """Each with ``name``, ``description`` and ``input_schema``."""
    reply: tuple[Block, ...] = ()
    """Blocks with a ``type``, and ``text``, ``thinking``, or ``name`` and ``input``. Empty if no
    answer came."""
    seconds: float = 0.0


class Call:
    """A call of a model while it is made."""

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
