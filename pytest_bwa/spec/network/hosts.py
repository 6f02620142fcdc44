"""Hosts as a spec names them, compared in the one form to which every spelling is brought."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import idna

USUAL_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}
ANY = "*"
_NUMERIC = re.compile(r"(?:.*\.)?(?:\d+|0x[0-9a-f]*)")
_WITH_PORT = re.compile(r"(?P<host>\[[^\]]*\]|[^:]*)(?::(?P<port>\d+))?")
_NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def normalised(host: str) -> str:
    """The host as browsers write it: lower case, punycode, no final dot, and the numbers of an
    address in their usual form. Raises ValueError for what is no host."""
    text = unquote(host).strip("[]").lower().rstrip(".")
    if ":" in text:
        return str(_unmapped(ipaddress.IPv6Address(text.partition("%")[0])))
    if not text.isascii():
        text = idna.encode(text, uts46=True, transitional=False).decode("ascii")
    if _NUMERIC.fullmatch(text):  # 2130706433, 0x7f.1 and 127.1 are all 127.0.0.1
        try:
            return str(ipaddress.IPv4Address(socket.inet_aton(text)))
        except OSError:
            raise ValueError(f'"{host}" is not an address') from None
    if not _NAME.fullmatch(text):
        raise ValueError(f'"{host}" is not a host')
    return text


def address_of(host: str) -> Address | None:
    """The address that a normalised host is, None if it is a name."""
    try:
        return _unmapped(ipaddress.ip_address(host))
    except ValueError:
        return None


def _unmapped(address: Address) -> Address:
    """::ffff:127.0.0.1 reaches the same machine as 127.0.0.1."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def is_private(address: Address) -> bool:
    """Whether it belongs to this machine or to a network that is not the public one."""
    return not address.is_global or address.is_multicast


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One host and port that a request goes to."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def endpoint_of(url: str) -> Endpoint | None:
    """Where a request for the address goes; None if it goes nowhere, or cannot be read."""
    try:
        parts = urlsplit(url)
        port = parts.port or USUAL_PORTS.get(parts.scheme.lower(), 0)
        return Endpoint(normalised(parts.hostname or ""), port)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class HostRule:
    """One entry of a list of hosts: ``shop.example``, ``*.shop.example``, ``127.0.0.1:8000``."""

    host: str
    """Normalised; ``*`` stands for every host."""
    subdomains: bool = False
    """Whether it stands for the subdomains, and not for the host itself."""
    ports: frozenset[int] = frozenset()
    """Empty: every port."""

    @classmethod
    def parse(cls, entry: str) -> HostRule:
        """The rule for an entry of a spec. Raises ValueError."""
        text = entry.strip()
        if text == ANY:
            return cls(ANY)
        found = _WITH_PORT.fullmatch(text.removeprefix("*."))
        if found is None or not found["host"]:
            raise ValueError(
                f'"{entry}" is not a host: write it as example.com, *.example.com or localhost:8000'
            )
        ports = frozenset({int(found["port"])} if found["port"] else ())
        return cls(normalised(found["host"]), text.startswith("*."), ports)

    @classmethod
    def of_url(cls, url: str) -> HostRule | None:
        """The rule for the site of an address. Without a port, http and https are the same site."""
        endpoint = endpoint_of(url)
        if endpoint is None:
            return None
        usual = set(USUAL_PORTS.values())
        ports = usual if endpoint.port in usual else {endpoint.port}
        return cls(endpoint.host, ports=frozenset(ports))

    @property
    def text(self) -> str:
        """The rule as it could stand in a spec."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = f":{min(self.ports)}" if len(self.ports) == 1 else ""
        return ("*." if self.subdomains else "") + host + port

    def matches(self, endpoint: Endpoint) -> bool:
        if self.ports and endpoint.port not in self.ports:
            return False
        if self.subdomains:
            return endpoint.host.endswith(f".{self.host}")
        return self.host in (ANY, endpoint.host)


def rules_of(entries: Iterable[str]) -> tuple[HostRule, ...]:
    """Raises ValueError for the first entry that is not a host."""
    return tuple(HostRule.parse(entry) for entry in entries)


def rules_of_urls(urls: Iterable[str | None]) -> tuple[HostRule, ...]:
    """The rules for the sites of addresses, each once."""
    rules = (HostRule.of_url(url) for url in urls if url)
    return tuple(dict.fromkeys(rule for rule in rules if rule is not None))
