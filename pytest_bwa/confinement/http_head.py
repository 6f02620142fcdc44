"""The heads of HTTP/1.1 messages, as far as a proxy must understand them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

MAX_HEAD = 256 * 1024
MAX_BODY = 1024 * 1024
"""Bytes of a body that are read to decide about a request."""
_HOP_BY_HOP = ("proxy-connection", "proxy-authorization")


@dataclass(frozen=True, slots=True)
class RequestHead:
    """The head of a request to a proxy."""

    method: str
    target: str
    version: str
    fields: tuple[tuple[str, str], ...]

    def value(self, name: str) -> str:
        return next((value for key, value in self.fields if key.lower() == name), "")

    @property
    def length(self) -> int | None:
        """Bytes of the body; None if it comes in chunks."""
        if self.value("transfer-encoding"):
            return None
        return int(self.value("content-length") or 0)

    def encode(self, target: str, authorization: str = "") -> bytes:
        """The head as it is sent on, without what was meant for the proxy alone."""
        fields = [pair for pair in self.fields if pair[0].lower() not in _HOP_BY_HOP]
        if authorization:
            fields.append(("Proxy-Authorization", authorization))
        lines = [f"{self.method} {target} {self.version}", *(f"{k}: {v}" for k, v in fields)]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def read_head(reader: asyncio.StreamReader) -> RequestHead | None:
    """The next request's head; None if there is none, or it cannot be understood."""
    try:
        text = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = text.rstrip("\r\n").split("\r\n")
        method, target, version = first.split(" ")
        fields = tuple((k.strip(), v.strip()) for k, _, v in (s.partition(":") for s in lines))
        head = RequestHead(method, target, version, fields)
        _ = head.length
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        return None
    return head


async def copy_body(
    head: RequestHead, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Send the request's body on as it comes."""
    left = head.length
    if left is None:
        await _copy_chunks(reader, writer)
        return
    while left > 0:
        data = await reader.read(min(left, 65536))
        if not data:
            raise ConnectionError("the body ended early")
        left -= len(data)
        writer.write(data)
        await writer.drain()


async def _copy_chunks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        line = await reader.readuntil(b"\r\n")
        size = int(line.split(b";")[0], 16)
        writer.write(line + await reader.readexactly(size + 2))
        await writer.drain()
        if size == 0:
            return
