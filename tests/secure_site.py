"""A local site over TLS, with HTTP/1.1 or HTTP/2, that counts its requests and WebSockets."""

from __future__ import annotations

import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import h2.config
import h2.connection
import h2.events
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from h2.settings import SettingCodes
from tcp_server import TcpServer, is_message, websocket_answer


def certificate(folder: Path) -> Path:
    """A file with a key and a certificate that nobody has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    form = serialization.PrivateFormat.PKCS8
    path = folder / "site.pem"
    path.write_bytes(
        key.private_bytes(pem, form, serialization.NoEncryption()) + made.public_bytes(pem)
    )
    return path


class SecureSite:
    """``pages`` maps paths to (type, text). With ``http2``, WebSockets may be opened within HTTP/2
    too (RFC 8441)."""

    def __init__(self, pem: Path, *, http2: bool) -> None:
        self.http2 = http2
        self.pages: dict[str, tuple[str, str]] = {}
        self.requests: set[tuple[str, str]] = set()
        """Method and path of each, without those of WebSockets."""
        self.messages: set[str] = set()
        """Paths of the WebSockets that sent a message."""
        self.within_http2 = 0
        """How many of them were opened within HTTP/2."""
        made = x509.load_pem_x509_certificate(pem.read_bytes())
        self.valid_from = f"{made.not_valid_before_utc:%Y-%m-%dT%H:%M:%SZ}"
        self.valid_until = f"{made.not_valid_after_utc:%Y-%m-%dT%H:%M:%SZ}"
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        context.set_alpn_protocols(["h2", "http/1.1"] if http2 else ["http/1.1"])
        self._tls = context
        self._tcp = TcpServer(self._serve)
        self.port = self._tcp.port
        self.url = f"https://127.0.0.1:{self.port}"

    def close(self) -> None:
        self._tcp.close()

    def _serve(self, connection: socket.socket) -> None:
        with self._tls.wrap_socket(connection, server_side=True) as tls:
            if tls.selected_alpn_protocol() == "h2":
                _Http2(self, tls).serve()
            else:
                self._serve_http1(tls)

    def answer(self, method: str, target: str) -> tuple[int, str, bytes]:
        path = urlsplit(target).path
        self.requests.add((method, path))
        kind, text = self.pages.get(path, ("text/plain", ""))
        return (200 if path in self.pages else 404), kind, text.encode()

    def _serve_http1(self, tls: ssl.SSLSocket) -> None:
        head = tls.recv(65536)
        if not head:
            return
        method, target = head.decode("latin-1").split(" ")[:2]
        if answer := websocket_answer(head):
            tls.sendall(answer)
            while data := tls.recv(65536):
                self.take_message(target, data)
            return
        status, kind, body = self.answer(method, target)
        headers = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close"
        tls.sendall(f"HTTP/1.1 {status} Answer\r\n{headers}\r\n\r\n".encode() + body)

    def take_message(self, path: str, data: bytes) -> None:
        if is_message(data):
            self.messages.add(path)


class _Http2:
    """One connection, in which WebSockets are streams."""

    def __init__(self, site: SecureSite, tls: ssl.SSLSocket) -> None:
        self._site, self._tls = site, tls
        self._sockets: dict[int, str] = {}
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        self._connection = h2.connection.H2Connection(config)

    def serve(self) -> None:
        self._connection.initiate_connection()
        self._connection.update_settings({SettingCodes.ENABLE_CONNECT_PROTOCOL: 1})
        self._tls.sendall(self._connection.data_to_send())
        while data := self._tls.recv(65536):
            for event in self._connection.receive_data(data):
                self._handle(event)
            self._tls.sendall(self._connection.data_to_send())

    def _handle(self, event: h2.events.Event) -> None:
        if isinstance(event, h2.events.RequestReceived):
            self._answer(event.stream_id, dict(event.headers))
        elif isinstance(event, h2.events.DataReceived) and event.stream_id in self._sockets:
            self._site.take_message(self._sockets[event.stream_id], event.data)

    def _answer(self, stream: int, headers: dict[str, str]) -> None:
        method, path = headers[":method"], headers[":path"]
        if headers.get(":protocol") == "websocket":
            self._sockets[stream] = path
            self._site.within_http2 += 1
            self._connection.send_headers(stream, [(":status", "200")])
            return
        status, kind, body = self._site.answer(method, path)
        answer = [(":status", str(status)), ("content-type", kind)]
        self._connection.send_headers(stream, answer)
        self._connection.send_data(stream, body, end_stream=True)
