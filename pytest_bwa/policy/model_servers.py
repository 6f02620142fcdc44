"""Model servers by name: ``ollama/qwen3`` is the model ``qwen3`` of the server ``ollama``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

USUAL_ADDRESSES = {
    "ollama": "http://localhost:11434",
    "vllm": "http://localhost:8000",
    "llamacpp": "http://localhost:8080",
    "lmstudio": "http://localhost:1234",
}
"""Where these servers listen if nobody has changed it; each speaks the Messages API."""


class ServedModel(NamedTuple):
    """``url`` is empty if the name has no server in front of it."""

    url: str
    model: str


def served_model(name: str, addresses: Mapping[str, str]) -> ServedModel:
    """What a model's name means. ``addresses`` are the user's own servers, or other addresses of
    the usual ones; a name with a slash whose first part is no server is left whole."""
    server, slash, model = name.partition("/")
    url = {**USUAL_ADDRESSES, **addresses}.get(server, "")
    return ServedModel(url, model) if slash and url and model else ServedModel("", name)
