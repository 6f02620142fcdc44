"""Which request parameters a model accepts: known by its name, or learnt from a 400 response."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any

from pytest_bwa.policy.claude.cost import json_tokens, picture_tokens, undated

THINKING_MODELS = frozenset(
    {"claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1", "claude-haiku-5-5"}
)
"""Models that always think before they answer; the thinking counts against max_tokens."""
REFUSE_FORCED_TOOL_USE = frozenset({"claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1"})
"""Models that answer a request with forced tool use with status 400."""
MAX_TOKENS = 4096
"""The max_tokens of the first request, thinking included."""
MAX_DOUBLED_TOKENS = 32_768
"""Up to this, max_tokens is doubled after a reply that was cut off. Models write more than this
only in minutes, and a decision has two of them (BWA_MODEL_DEADLINE)."""

_REFUSAL_PATTERNS = {
    "disable_parallel_tool_use": re.compile(r"disable_parallel_tool_use", re.I),
    "tool_choice": re.compile(r"tool[ _.]?choice|forc\w+ (a )?tool", re.I),
    "output_config": re.compile(r"output_config|\beffort\b", re.I),
    "cache_control": re.compile(r"cache_control|prompt cach", re.I),
}
"""How the message of a 400 names each parameter that can be left out."""
_PICTURE_REFUSAL = re.compile(r"image|picture|vision|multimodal", re.I)
_LIMIT_REFUSAL = re.compile(r"max_tokens|context[ _](length|window)", re.I)
"""How the message of a 400 says that max_tokens is too large for the model or its server."""

_NO_PICTURE = {"type": "text", "text": "(The picture cannot be shown: you read no pictures.)"}


class ModelCapabilities:
    """The request parameters that one model on one server accepts and needs; remembers what it
    learns."""

    def __init__(self, model: str) -> None:
        self._model, name = model, undated(model)
        self.thinks = name in THINKING_MODELS
        self.sees_pictures = True
        """False after the model refused a picture."""
        self._refused: set[str] = set()
        self._lacks: list[str] = []
        if name in REFUSE_FORCED_TOOL_USE:
            self._refused.add("tool_choice")
        self._doublings = 0
        """How often max_tokens is doubled, because replies were cut off."""
        self._may_double = True

    def parameters(
        self, *, room: int, effort: str, parallel: bool, forced: bool = True
    ) -> dict[str, Any]:
        """The part of a request that depends on the model; ``parallel`` allows several tool calls
        in one reply, and without ``forced`` the model may write text before them. ``room`` is what
        the prompt leaves of the context window."""
        is_forced = forced and "tool_choice" not in self._refused
        choice: dict[str, Any] = {"type": "any" if is_forced else "auto"}
        if not parallel and "disable_parallel_tool_use" not in self._refused:
            choice["disable_parallel_tool_use"] = True
        limit = self._token_limit(room)
        request: dict[str, Any] = {"max_tokens": limit, "tool_choice": choice}
        if self.thinks and "output_config" not in self._refused:
            request["output_config"] = {"effort": effort}
        return request

    @property
    def caches(self) -> bool:
        """False after the server refused the marks of what it should cache."""
        return "cache_control" not in self._refused

    def take_lacks(self) -> list[str]:
        """What was refused since the last call of this method."""
        lacks, self._lacks = self._lacks, []
        return lacks

    def learn_from_cut_off(self, limit: int) -> None:
        """A reply to a request with this max_tokens was cut off: from now on it is doubled."""
        if self._may_double and limit < MAX_DOUBLED_TOKENS:
            self._doublings += 1

    def learn_from(self, message: str, has_picture: bool = False) -> bool:
        """Whether the message of a 400 names something that was sent and can be changed: from now
        on it is left out or, if it is a doubled max_tokens, doubled once less."""
        if has_picture and self.sees_pictures and _PICTURE_REFUSAL.search(message):
            self.sees_pictures = False
            self._lacks.append(f"takes no pictures for {self._model}: they are left out")
            return True
        for parameter, pattern in _REFUSAL_PATTERNS.items():
            sent = parameter not in self._refused and (self.thinks or parameter != "output_config")
            if sent and pattern.search(message):
                self._refused.add(parameter)
                self._lacks.append(f"takes no {parameter} for {self._model}: it is left out")
                return True
        if self._doublings and _LIMIT_REFUSAL.search(message):
            self._doublings, self._may_double = self._doublings - 1, False
            return True
        return False

    def _token_limit(self, room: int) -> int:
        """The max_tokens that is sent: doubled only as far as there is room."""
        doubled: int = MAX_TOKENS * 2**self._doublings
        return max(MAX_TOKENS, min(doubled, MAX_DOUBLED_TOKENS, room))


def has_picture(content: Mapping[str, Any]) -> bool:
    return any(_is_picture(block) for message in content["messages"] for block in _blocks(message))


def request_tokens(content: Mapping[str, Any]) -> int:
    """The tokens of a whole request, with its pictures."""
    blocks = [block for message in content["messages"] for block in _blocks(message)]
    heads = [base64.b64decode(b["source"]["data"][:32]) for b in blocks if _is_picture(b)]
    return json_tokens(without_pictures(content)) + sum(map(picture_tokens, heads))


def without_pictures(content: Mapping[str, Any]) -> dict[str, Any]:
    """The request with a sentence in place of each picture."""
    messages = [
        {**message, "content": [_NO_PICTURE if _is_picture(b) else b for b in _blocks(message)]}
        if _blocks(message)
        else message
        for message in content["messages"]
    ]
    return {**content, "messages": messages}


def without_cache_marks(content: Mapping[str, Any]) -> dict[str, Any]:
    """The request without ``cache_control``, which only system blocks have."""
    system = content.get("system")
    if not isinstance(system, list):
        return dict(content)
    bare = [{key: v for key, v in block.items() if key != "cache_control"} for block in system]
    return {**content, "system": bare}


def _blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    blocks = message["content"]
    return blocks if isinstance(blocks, list) else []


def _is_picture(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "image"
