"""One connection of the browser to the filtering proxy."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

from pytest_bwa.confinement.boundary import Boundary
from pytest_bwa.confinement.client_hello import offered_protocols, read_client_hello
from pytest_bwa.confinement.connections import Connector, Refused, Streams, Unreachable
from pytest_bwa.confinement.http_head import MAX_BODY, RequestHead, copy_body, read_head
from pytest_bwa.confinement.request_list import ProxyLog, Sent
from pytest_bwa.confinement.upstream import ParentProxy, Upstream
from pytest_bwa.spec.network.allowed_requests import READING_METHODS
from pytest_bwa.spec.network.hosts import Endpoint, endpoint_of

ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
NOT_ESTABLISHED = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
HTTP_2 = b"h2"


class ProxyClient:
    """Serves one connection: plain requests one after the other, or one tunnel.

    A request that is refused gets no answer at all: the connection is closed, which browsers show
    as an error of the network, and a page cannot take for an answer of its server.
    """

    def __init__(
        self, boundary: Boundary, upstream: Upstream, connector: Connector, log: ProxyLog
    ) -> None:
        self._boundary, self._upstream, self._log = boundary, upstream, log
        self._connector = connector
        self._server: Streams | None = None
        self._server_key: tuple[Endpoint, ParentProxy | None] | None = None
        self._answers: asyncio.Task[None] | None = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (head := await read_head(reader)) is not None:
            if head.method == "CONNECT":
                await self._tunnel(head, reader, writer)
                return
            if not await self._forward(head, reader, writer):
                return

    def close(self) -> None:
        """Close the connection to the server."""
        if self._answers is not None:
            self._answers.cancel()
        if self._server is not None:
            self._server[1].close()
        self._server = self._answers = None

    # -- plain requests ------------------------------------------------------------------------

    async def _forward(
        self, head: RequestHead, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Whether the connection can serve another request."""
        endpoint = endpoint_of(head.target)
        if endpoint is None or not head.target.lower().startswith("http://"):
            return False
        parent = self._upstream.proxy_for("http", endpoint)
        body = await self._body_to_judge(head, reader)
        if reason := self._boundary.refusal(endpoint) or self._writing_refusal(head, body):
            self._log.blocked.append(Sent(head.method, head.target, reason=reason))
            return False
        if not await self._connect(endpoint, parent, head, writer):
            return False
        assert self._server is not None
        if head.method not in READING_METHODS:
            self._log.writes.append(Sent(head.method, head.target))
        target = head.target if parent else _path(head.target)
        server = self._server[1]
        server.write(head.encode(target, parent.authorization if parent else "") + (body or b""))
        if body is None:
            await copy_body(head, reader, server)
        await server.drain()
        return True

    async def _body_to_judge(self, head: RequestHead, reader: asyncio.StreamReader) -> bytes | None:
        """The body of a request that may write, if such are held; None: it was not read."""
        if not self._boundary.holds_writes or head.method in READING_METHODS:
            return None
        length = head.length
        return (
            await reader.readexactly(length) if length is not None and length <= MAX_BODY else None
        )

    def _writing_refusal(self, head: RequestHead, body: bytes | None) -> str:
        return self._boundary.writing_refusal(head.method, head.target, body or b"")

    async def _connect(
        self,
        endpoint: Endpoint,
        parent: ParentProxy | None,
        head: RequestHead,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Use the connection of the request before if it goes to the same server."""
        is_open = self._answers is not None and not self._answers.done()
        if is_open and self._server_key == (endpoint, parent):
            return True
        self.close()
        self._server = await self._open(endpoint, parent, head.method, head.target)
        if self._server is None:
            return False
        self._server_key = (endpoint, parent)
        # The browser sends no request before the answer to the one before it is complete, so the
        # answers need not be understood: what the server sends belongs to the last request.
        self._answers = asyncio.create_task(_answer(self._server[0], writer))
        return True

    async def _open(
        self, endpoint: Endpoint, parent: ParentProxy | None, method: str, url: str
    ) -> Streams | None:
        try:
            return await self._connector.open(endpoint, parent)
        except Refused as refused:
            self._log.blocked.append(Sent(method, url, reason=str(refused)))
        except Unreachable as problem:
            self._log.failures[str(endpoint)] = str(problem)
        return None

    # -- tunnels -------------------------------------------------------------------------------

    async def _tunnel(
        self, head: RequestHead, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        url = f"https://{head.target}/"
        endpoint = endpoint_of(url)
        parent = self._upstream.proxy_for("https", endpoint) if endpoint else None
        self._server = await self._open(endpoint, parent, "CONNECT", url) if endpoint else None
        if endpoint is None or self._server is None or not await self._ask_parent(head, parent):
            writer.write(NOT_ESTABLISHED)
            await writer.drain()
            return
        writer.write(ESTABLISHED)
        server_reader, server_writer = self._server
        if (reason := self._boundary.tunnel_refusal(endpoint)) and not _is_of_driver(head):
            hello = await _hello_of_requests(reader)
            if hello is None:
                self._log.blocked.append(Sent("CONNECT", url, reason=reason))
                return
            server_writer.write(hello)
        self._answers = asyncio.create_task(_answer(server_reader, writer))
        await _copy(reader, server_writer)
        with suppress(OSError):
            server_writer.write_eof()
        await self._answers

    async def _ask_parent(self, head: RequestHead, parent: ParentProxy | None) -> bool:
        if parent is None:
            return True
        assert self._server is not None
        reader, writer = self._server
        writer.write(head.encode(head.target, parent.authorization))
        answer = await reader.readuntil(b"\r\n\r\n")
        return answer.split(b" ")[1:2] == [b"200"]


def _is_of_driver(head: RequestHead) -> bool:
    """Whether Playwright's driver asks, and not the browser: Python makes it read files by GET, and
    no page can. It alone closes its connections after each answer, and says so (1.65)."""
    return head.value("proxy-connection").lower() == "close"


async def _hello_of_requests(reader: asyncio.StreamReader) -> bytes | None:
    """The beginning of an encrypted connection, to be sent on; None if it may be for a WebSocket.
    Browsers offer HTTP/2 for requests, about which the rules within the browser decide, and only
    HTTP/1.1 for a WebSocket. Raises EOFError."""
    try:
        raw, hello = await read_client_hello(reader)
        return raw if HTTP_2 in offered_protocols(hello) else None
    except ValueError:
        return None


def _path(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until the one side closes, or the other one takes nothing any more."""
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()


async def _answer(server: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """What the server sends. Its end is the end of the browser's connection too: an answer may be
    complete only by that."""
    await _copy(server, writer)
    writer.close()
