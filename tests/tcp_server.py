"""A server of TCP connections on a thread of its own, for sites that no HTTP library would be."""

from __future__ import annotations

import base64
import hashlib
import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress

_ACCEPT_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""RFC 6455, section 1.3."""


class TcpServer:
    """Calls ``serve`` for each connection, in a thread, and closes it afterwards."""

    def __init__(
        self, serve: Callable[[socket.socket], None], listener: socket.socket | None = None
    ) -> None:
        self._serve = serve
        self._listener = listener or socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):  # the other side went away
            self._serve(connection)

    def close(self) -> None:
        self._listener.close()


def websocket_answer(head: bytes) -> bytes | None:
    """What accepts the WebSocket that a request asks for; None if it asks for none."""
    key = re.search(rb"(?i)sec-websocket-key: (\S+)", head)
    if key is None:
        return None
    token = base64.b64encode(hashlib.sha1(key[1] + _ACCEPT_GUID).digest())
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\nSec-WebSocket-Accept: " + token + b"\r\n\r\n"
    )


def is_message(frame: bytes) -> bool:
    """Whether a frame of a WebSocket has a text or bytes, and is not a closing one."""
    return frame[0] & 0x0F in (1, 2)
