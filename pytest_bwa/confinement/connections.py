"""How the filtering proxy reaches hosts: names become addresses once, and are checked as such."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import time

from pytest_bwa.confinement.boundary import Boundary
from pytest_bwa.confinement.upstream import ParentProxy
from pytest_bwa.spec.network.hosts import Address, Endpoint, address_of
from pytest_bwa.steps.requests import PRIVATE

CONNECT_SECONDS = 30.0
NAME_SECONDS = 60.0
"""How long the addresses of a name are kept."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Refused(Exception):
    """The boundary forbids the connection; the message says why."""


class Unreachable(Exception):
    """The host cannot be reached; the message is the browser's own word for it."""


class Connector:
    """Opens connections to the hosts of one boundary."""

    def __init__(self, boundary: Boundary) -> None:
        self._boundary = boundary
        self._names: dict[str, tuple[float, list[Address]]] = {}

    async def open(self, endpoint: Endpoint, parent: ParentProxy | None) -> Streams:
        """A connection to the host, or to the user's proxy. Raises Refused and Unreachable."""
        if reason := self._boundary.refusal(endpoint):
            raise Refused(reason)
        if parent is not None:
            context = ssl.create_default_context() if parent.tls else None
            return await self._connect(parent.host, parent.port, context)
        problem = Unreachable("ERR_NAME_NOT_RESOLVED")
        for address in await self._addresses(endpoint):
            try:
                return await self._connect(str(address), endpoint.port)
            except Unreachable as error:
                problem = error
        raise problem

    async def _connect(
        self, host: str, port: int, context: ssl.SSLContext | None = None
    ) -> Streams:
        try:
            opening = asyncio.open_connection(host, port, ssl=context)
            return await asyncio.wait_for(opening, CONNECT_SECONDS)
        except TimeoutError:
            raise Unreachable("ERR_CONNECTION_TIMED_OUT") from None
        except ConnectionRefusedError:
            raise Unreachable("ERR_CONNECTION_REFUSED") from None
        except socket.gaierror:
            raise Unreachable("ERR_PROXY_CONNECTION_FAILED") from None
        except OSError:
            raise Unreachable("ERR_ADDRESS_UNREACHABLE") from None

    async def _addresses(self, endpoint: Endpoint) -> list[Address]:
        """Those that the host's name stands for and that may be reached."""
        literal = address_of(endpoint.host)
        known = [literal] if literal else await self._resolve(endpoint.host)
        allowed = [a for a in known if not self._boundary.address_refusal(endpoint, a)]
        if known and not allowed:
            raise Refused(PRIVATE)
        return allowed

    async def _resolve(self, name: str) -> list[Address]:
        until, addresses = self._names.get(name, (0.0, []))
        if until > time.monotonic():
            return addresses
        try:
            loop = asyncio.get_running_loop()
            found = await loop.getaddrinfo(name, None, type=socket.SOCK_STREAM)
        except OSError:
            raise Unreachable("ERR_NAME_NOT_RESOLVED") from None
        texts = dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found)
        addresses = sorted(map(ipaddress.ip_address, texts), key=lambda a: a.version)
        self._names[name] = (time.monotonic() + NAME_SECONDS, addresses)
        return addresses
