"""A host that nobody may reach: it counts who did."""

from __future__ import annotations

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
