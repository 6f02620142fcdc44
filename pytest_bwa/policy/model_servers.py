"""The server that a model's name names, and whether a proxy of this machine can be used."""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Mapping
from importlib.util import find_spec
from typing import NamedTuple
from urllib.parse import urlsplit

from pytest_bwa.errors import InputError

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


_HTTP = {"http", "https"}
_SOCKS = {"socks5", "socks5h"}


def refuse_unusable_proxies() -> None:
    """Raise InputError for a proxy with which the SDK cannot even be started, whatever NO_PROXY
    says. The address may have a password, so only its variable is named."""
    found = urllib.request.getproxies()
    for kind in ("http", "https", "all"):
        if url := found.get(kind):
            _refuse_unusable(url, _variable(url, kind))


def _refuse_unusable(url: str, variable: str) -> None:
    parts = urlsplit(url if "://" in url else f"http://{url}")
    try:
        is_address = bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is no number
        is_address = False
    if not is_address or parts.scheme not in _HTTP | _SOCKS:
        raise InputError(
            f"{variable} is not the address of a proxy through which a model can be reached: "
            "set it to http://HOST:PORT, or unset it"
        )
    if parts.scheme in _SOCKS and find_spec("socksio") is None:
        raise InputError(
            f"{variable} names a SOCKS proxy, and a model can be asked through one only with the "
            f"package socksio: pip install socksio, or unset {variable}"
        )


def _variable(url: str, kind: str) -> str:
    names = [name for name in os.environ if name.lower() == f"{kind}_proxy"]
    given = (name for name in names if os.environ[name] == url)
    return next(given, f"the system's proxy for {kind}")
