"""One call of a model: what was sent, and what came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

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
