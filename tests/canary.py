"""Hosts that count what reaches them: one that nobody may reach, and one for WebSockets."""

from __future__ import annotations

import base64
import hashlib
import re
import socket
import threading
from contextlib import suppress


class Canary:
    """Listens on every address of this machine, by TCP and UDP, and keeps what came: the paths of
    requests, ``connect`` for a connection that said nothing, and ``udp``."""

    def __init__(self) -> None:
        self.hits: set[str] = set()
        self._tcp = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
        self.port = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("0.0.0.0", self.port))
        for serve in (self._accept, self._receive):
            threading.Thread(target=serve, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                connection, _ = self._tcp.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        self.hits.add("connect")
        with connection, suppress(OSError):
            words = connection.recv(65536).split(b" ")
            if len(words) > 1:
                self.hits.add(words[1].decode("latin-1").lstrip("/").partition("?")[0])
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\n"
                b"Connection: close\r\n\r\n"
            )

    def _receive(self) -> None:
        with suppress(OSError):  # closed
            while self._udp.recvfrom(2048):
                self.hits.add("udp")

    def close(self) -> None:
        self._tcp.close()
        self._udp.close()


class SocketServer:
    """Accepts WebSockets, and keeps what they send."""

    def __init__(self) -> None:
        self.opened = 0
        self.received: set[str] = set()
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self.url = f"ws://127.0.0.1:{self._tcp.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                connection, _ = self._tcp.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            key = re.search(rb"Sec-WebSocket-Key: (\S+)", connection.recv(65536))
            assert key is not None
            token = hashlib.sha1(key[1] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
            connection.sendall(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n\x81\x05hello"
                % base64.b64encode(token)
            )
            self.opened += 1
            while data := connection.recv(65536):
                if data[0] & 0x0F in (1, 2):  # text or bytes, and no closing frame
                    mask, text = data[2:6], data[6:]
                    self.received.add(bytes(b ^ mask[n % 4] for n, b in enumerate(text)).decode())

    def close(self) -> None:
        self._tcp.close()
