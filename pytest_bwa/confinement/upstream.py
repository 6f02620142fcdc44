"""The user's own proxy, behind which the filtering proxy sends what it lets through."""

from __future__ import annotations

import base64
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from pytest_bwa.spec.network.hosts import Endpoint, address_of

LOCAL = ("localhost", "127.0.0.1", "::1")


class UnusableProxy(Exception):
    """A proxy of the user behind which nothing can be sent; the message says why."""


@dataclass(frozen=True, slots=True)
class ParentProxy:
    """A proxy that speaks HTTP."""

    host: str
    port: int
    tls: bool = False
    authorization: str = ""
    """The value of Proxy-Authorization; empty without user and password."""


@dataclass(frozen=True, slots=True)
class Upstream:
    """The proxies of the user by the scheme of what they carry, and the hosts that need none."""

    proxies: Mapping[str, ParentProxy]
    bypass: tuple[str, ...] = ()

    def proxy_for(self, scheme: str, endpoint: Endpoint) -> ParentProxy | None:
        proxy = self.proxies.get(scheme)
        return None if proxy is None or self._is_direct(endpoint.host) else proxy

    def _is_direct(self, host: str) -> bool:
        address = address_of(host)
        is_local = host in LOCAL or (address is not None and address.is_loopback)
        if is_local and "<-loopback>" not in self.bypass:
            return True
        return any(_is_in(host, entry) for entry in self.bypass)


def _is_in(host: str, entry: str) -> bool:
    name = entry.partition(":")[0].removeprefix("*")
    return name == "" or host == name.lstrip(".") or host.endswith(f".{name.lstrip('.')}")


def upstream_of(chosen: Mapping[str, Any] | None) -> Upstream:
    """The user's proxies: those that the fixtures give to Playwright, else those of the
    environment or the system. Raises UnusableProxy."""
    if chosen:
        proxy = _parse(str(chosen["server"]), chosen.get("username"), chosen.get("password"))
        return Upstream({"http": proxy, "https": proxy}, _entries(chosen.get("bypass") or ""))
    found = urllib.request.getproxies()
    fallback = found.get("all")
    urls = {scheme: found.get(scheme) or fallback for scheme in ("http", "https")}
    proxies = {scheme: _parse(url) for scheme, url in urls.items() if url}
    return Upstream(proxies, _entries(found.get("no", "")))


def _entries(text: str) -> tuple[str, ...]:
    return tuple(entry.strip().lower() for entry in text.split(",") if entry.strip())


def _parse(url: str, user: str | None = None, password: str | None = None) -> ParentProxy:
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UnusableProxy(f"no other proxy can be put behind one of the kind {parts.scheme}://")
    tls = parts.scheme == "https"
    name, word = user or unquote(parts.username or ""), password or unquote(parts.password or "")
    coded = base64.b64encode(f"{name}:{word}".encode()).decode("ascii")
    port = parts.port or (443 if tls else 80)
    return ParentProxy(parts.hostname, port, tls, f"Basic {coded}" if name else "")
