"""Which request parameters a model accepts: known by its name, or learnt from a 400 response."""

from __future__ import annotations

import re
from typing import Any

from pytest_bwa.policy.claude.prices import undated

THINKING_MODELS = frozenset(
    {"claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1", "claude-haiku-5-5"}
)
"""Models that always think before they answer; the thinking counts against max_tokens."""
REFUSE_FORCED_TOOL_USE = frozenset({"claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1"})
"""Models that answer a request with forced tool use with status 400."""
MIN_THINKING_TOKENS = 4096
"""The smallest max_tokens that is sent to a thinking model."""

_REFUSAL_PATTERNS = {
    "disable_parallel_tool_use": re.compile(r"disable_parallel_tool_use", re.I),
    "tool_choice": re.compile(r"tool[ _.]?choice|forc\w+ (a )?tool", re.I),
    "output_config": re.compile(r"output_config|\beffort\b", re.I),
}
"""How the message of a 400 names each parameter that can be left out."""


class ModelCapabilities:
    """The request parameters that one model on one server accepts; remembers what it learns."""

    def __init__(self, model: str) -> None:
        name = undated(model)
        self.thinks = name in THINKING_MODELS
        self._refused: set[str] = set()
        if name in REFUSE_FORCED_TOOL_USE:
            self._refused.add("tool_choice")

    def parameters(self, *, max_tokens: int, effort: str, parallel: bool) -> dict[str, Any]:
        """The part of a request that depends on the model; ``parallel`` allows several tool calls
        in one reply."""
        choice: dict[str, Any] = {"type": "auto" if "tool_choice" in self._refused else "any"}
        if not parallel and "disable_parallel_tool_use" not in self._refused:
            choice["disable_parallel_tool_use"] = True
        request: dict[str, Any] = {"max_tokens": max_tokens, "tool_choice": choice}
        if self.thinks:
            request["max_tokens"] = max(max_tokens, MIN_THINKING_TOKENS)
            if "output_config" not in self._refused:
                request["output_config"] = {"effort": effort}
        return request

    def learn_from(self, message: str) -> bool:
        """Whether the message of a 400 names a parameter that was sent; from now on that parameter
        is left out."""
        for parameter, pattern in _REFUSAL_PATTERNS.items():
            sent = parameter not in self._refused and (self.thinks or parameter != "output_config")
            if sent and pattern.search(message):
                self._refused.add(parameter)
                return True
        return False
