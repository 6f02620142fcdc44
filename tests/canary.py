"""Hosts that count what reaches them: one that nobody may reach, and one for WebSockets."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from tcp_server import TcpServer, is_message, websocket_answer


class Canary:
    """Listens on every address of this machine, by TCP and UDP, and keeps what came: the paths of
    requests, ``connect`` for a connection that said nothing, and ``udp``."""

    def __init__(self) -> None:
        self.hits: set[str] = set()
        every = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
        self._tcp = TcpServer(self._serve, every)
        self.port = self._tcp.port
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("0.0.0.0", self.port))
        threading.Thread(target=self._receive, daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        self.hits.add("connect")
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
        self._tcp = TcpServer(self._serve)
        self.url = f"ws://127.0.0.1:{self._tcp.port}"

    def _serve(self, connection: socket.socket) -> None:
        answer = websocket_answer(connection.recv(65536))
        assert answer is not None
        connection.sendall(answer + b"\x81\x05hello")
        self.opened += 1
        while data := connection.recv(65536):
            if is_message(data):
                mask, text = data[2:6], data[6:]
                self.received.add(bytes(b ^ mask[n % 4] for n, b in enumerate(text)).decode())

    def close(self) -> None:
        self._tcp.close()
