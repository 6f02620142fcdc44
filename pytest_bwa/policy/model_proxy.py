"""Whether a model can be asked through the proxies of the environment."""

from __future__ import annotations

import os
import urllib.request
from importlib.util import find_spec
from urllib.parse import urlsplit

from pytest_bwa.errors import InputError

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
            f"{variable} is no address of a proxy through which a model can be asked: set it to "
            "http://HOST:PORT, or unset it"
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
