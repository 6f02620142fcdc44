"""Which parameters a model takes: known by name, or learnt once from the 400 that refuses one."""

from __future__ import annotations

import re
from typing import Any

from pytest_bwa.policy.claude.prices import undated

THINKING_MODELS = frozenset(
    {"claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1", "claude-haiku-5-5"}
)
"""They always think before they answer, and pay for it from max_tokens."""
CHOOSING_MODELS = frozenset({"claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1"})
"""They answer forced tool use with 400."""
MIN_TOKENS = 4096

_PARAMETERS = {
    "disable_parallel_tool_use": re.compile(r"disable_parallel_tool_use", re.I),
    "tool_choice": re.compile(r"tool[ _.]?choice|forc\w+ (a )?tool", re.I),
    "output_config": re.compile(r"output_config|\beffort\b", re.I),
}


class ModelCapabilities:
    """What one model on one server takes. Keeps what it learns for its own lifetime."""

    def __init__(self, model: str) -> None:
        name = undated(model)
        self.thinks = name in THINKING_MODELS
        self._refused: set[str] = set()
        if name in CHOOSING_MODELS:
            self._refused.add("tool_choice")

    def parameters(self, *, max_tokens: int, effort: str, parallel: bool) -> dict[str, Any]:
        """The part of a request that depends on the model; ``parallel`` allows several tool calls
        in one reply."""
        choice: dict[str, Any] = {"type": "auto" if "tool_choice" in self._refused else "any"}
        if not parallel and "disable_parallel_tool_use" not in self._refused:
            choice["disable_parallel_tool_use"] = True
        request: dict[str, Any] = {"max_tokens": max_tokens, "tool_choice": choice}
        if self.thinks:
            request["max_tokens"] = max(max_tokens, MIN_TOKENS)
            if "output_config" not in self._refused:
                request["output_config"] = {"effort": effort}
        return request

    def learn(self, complaint: str) -> bool:
        """Whether a 400's message names a parameter that can be left out from now on."""
        for parameter, named in _PARAMETERS.items():
            sent = parameter not in self._refused and (self.thinks or parameter != "output_config")
            if sent and named.search(complaint):
                self._refused.add(parameter)
                return True
        return False
