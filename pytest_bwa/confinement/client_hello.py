"""What a browser offers at the beginning of an encrypted connection (TLS, RFC 8446, 4.1.2)."""

from __future__ import annotations

import asyncio

HANDSHAKE = 22
CLIENT_HELLO = 1
ALPN = 16
MAX_RECORD = 16384 + 256
MAX_HELLO = 65536
"""Bytes; those of browsers have about 1,800."""


async def read_client_hello(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """What was read, to be sent on, and the message in it, which may come in several records.
    Raises ValueError for what is no TLS, and EOFError if it ends early."""
    raw = message = b""
    while len(message) < 4 or len(message) < 4 + int.from_bytes(message[1:4]):
        if await reader.readexactly(1) != bytes([HANDSHAKE]):
            raise ValueError("no TLS")
        head = await reader.readexactly(4)
        size = int.from_bytes(head[2:])
        if head[0] != 3 or not 0 < size <= MAX_RECORD or len(message) + size > MAX_HELLO:
            raise ValueError("no TLS")
        content = await reader.readexactly(size)
        raw += bytes([HANDSHAKE]) + head + content
        message += content
    return raw, message


def offered_protocols(hello: bytes) -> list[bytes]:
    """The protocols that may be spoken in the connection (ALPN, RFC 7301), empty if it names none.
    Raises ValueError for what is no ClientHello."""
    if hello[:1] != bytes([CLIENT_HELLO]):
        raise ValueError("no ClientHello")
    fields = _Fields(hello[4 : 4 + int.from_bytes(hello[1:4])])
    fields.take(2 + 32)  # version and random number
    fields.vector(1)  # session
    fields.vector(2)  # ciphers
    fields.vector(1)  # compression
    extensions = _Fields(fields.vector(2))
    while extensions.left:
        kind, content = int.from_bytes(extensions.take(2)), extensions.vector(2)
        if kind == ALPN:
            names = _Fields(_Fields(content).vector(2))
            found = []
            while names.left:
                found.append(names.vector(1))
            return found
    return []


class _Fields:
    """Bytes that are taken from the left."""

    def __init__(self, data: bytes) -> None:
        self.left = data

    def take(self, size: int) -> bytes:
        if len(self.left) < size:
            raise ValueError("it ends early")
        taken, self.left = self.left[:size], self.left[size:]
        return taken

    def vector(self, size_bytes: int) -> bytes:
        """What a number of ``size_bytes`` bytes says the length of."""
        return self.take(int.from_bytes(self.take(size_bytes)))
