"""Asks a model's server how many tokens fit into the model's context window."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping
from typing import Any, Protocol

NAMES = ("loaded_context_length", "max_model_len", "max_input_tokens", "context_length", "n_ctx")
"""What servers call it: LM Studio; vLLM; Anthropic; Ollama; llama.cpp."""
LOADED_BY_OLLAMA = "/api/ps"


class Ask(Protocol):
    """Asks the server for a path, by POST if there is a body; None if it has no JSON for it."""

    def __call__(self, path: str, body: Mapping[str, str] | None = None) -> Awaitable[Any]: ...


async def window_from_server(ask: Ask, model: str) -> int | None:
    """The tokens that the server keeps for the model; None if it does not say."""
    for path in ("/v1/models", "/api/v0/models", "/props"):
        if window := _window(await ask(path), model):
            return window
    loaded = await ask(LOADED_BY_OLLAMA)
    if window := _window(loaded, model):
        return window
    if not isinstance(loaded, dict) or "models" not in loaded:
        return None
    # Ollama decides about the window when it loads the model, which it does for an empty prompt.
    await ask("/api/generate", {"model": model})
    return _window(await ask(LOADED_BY_OLLAMA), model)


def _window(answer: Any, model: str) -> int | None:
    if not isinstance(answer, dict):
        return None
    entries = [answer.get("default_generation_settings"), *_entries(answer, model)]
    return next((window for entry in entries for window in _numbers(entry)), None)


def _entries(answer: Mapping[str, Any], model: str) -> Iterable[Any]:
    """What a list of models says about this one."""
    for name in ("data", "models"):
        listed = answer.get(name)
        for entry in listed if isinstance(listed, list) else ():
            if isinstance(entry, dict) and _names(entry) & {model, f"{model}:latest"}:
                yield from (entry, entry.get("meta"))


def _names(entry: Mapping[str, Any]) -> set[str]:
    return {name for key in ("id", "name", "model") if isinstance(name := entry.get(key), str)}


def _numbers(entry: Any) -> Iterable[int]:
    values = [entry.get(name) for name in NAMES] if isinstance(entry, dict) else []
    return (value for value in values if isinstance(value, int) and value > 0)
