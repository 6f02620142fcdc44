"""The proxy passes on what its boundary allows, byte for byte, and answers nothing else."""

from __future__ import annotations

import gc
import re
import socket
import ssl
import threading
import warnings
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from local_site import Site
from tcp_server import TcpServer

from pytest_bwa.confinement.boundary import Boundary
from pytest_bwa.confinement.proxy import FilteringProxy
from pytest_bwa.confinement.request_list import ProxyLog
from pytest_bwa.confinement.upstream import ParentProxy, Upstream
from pytest_bwa.spec.network.allowed_requests import AllowedRequest
from pytest_bwa.spec.network.hosts import ANY, HostRule, rules_of_urls
from pytest_bwa.steps.requests import PRIVATE, READ_ONLY, SIBLING

DIRECT = Upstream({})


class Client:
    """One connection to a proxy."""

    def __init__(self, proxy: FilteringProxy) -> None:
        self._socket = socket.create_connection(("127.0.0.1", proxy.port), timeout=60)

    def exchange(self, data: bytes) -> bytes:
        """What comes back for as many bytes, which are sent in three parts; empty if the
        connection ends."""
        third, answer = len(data) // 3, b""
        with suppress(ConnectionError):
            for part in (data[:third], data[third : third + 1], data[third + 1 :]):
                self._socket.sendall(part)
            while len(answer) < len(data) and (got := self._socket.recv(65536)):
                answer += got
        return answer

    def end_of_requests(self) -> None:
        self._socket.shutdown(socket.SHUT_WR)

    def rest(self) -> bytes:
        """What comes until the connection ends."""
        return b"".join(iter(lambda: self._socket.recv(65536), b""))

    def ask(self, head: str, body: bytes = b"", headers: str = "") -> bytes:
        """What comes back, until its body is complete or the connection ends."""
        if body:
            headers += f"Content-Length: {len(body)}\r\n"
        self._socket.sendall(f"{head} HTTP/1.1\r\n{headers}Host: x\r\n\r\n".encode() + body)
        answer = b""
        while data := self._socket.recv(65536):
            answer += data
            ahead, head_ends, came = answer.partition(b"\r\n\r\n")
            announced = re.search(rb"(?i)\ncontent-length: (\d+)", ahead)
            if head_ends and len(came) >= (int(announced[1]) if announced else 0):
                break
        return answer


@pytest.fixture
def served(site: Site) -> Site:
    site.pages = {"/": "front", "/a": "x" * 200_000, "/write": "written"}
    return site


@pytest.fixture
def start() -> Iterator[type]:
    """Starts proxies, and closes them at the end."""
    started: list[FilteringProxy] = []

    class Started:
        def __init__(self, boundary: Boundary, upstream: Upstream = DIRECT) -> None:
            self.log = ProxyLog()
            self.proxy = FilteringProxy(boundary, upstream, self.log).start()
            started.append(self.proxy)

        def ask(self, head: str, body: bytes = b"") -> bytes:
            return Client(self.proxy).ask(head, body)

    yield Started
    for proxy in started:
        proxy.close()


class KeepingServer(ThreadingHTTPServer):
    """Keeps its connections open, and counts them."""

    connections = 0

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            text = f"{self.server.server_port}{self.path}".encode()  # type: ignore[attr-defined]
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *args: object) -> None:
            """Write no access log."""


def test_connections_are_used_again_for_the_same_server(start: type) -> None:
    servers = [KeepingServer(("127.0.0.1", 0), KeepingServer.Handler) for _ in range(2)]
    for server in servers:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    ports = [server.server_port for server in servers]
    client = Client(start(Boundary((HostRule.parse("127.0.0.1"),))).proxy)
    for n, port in enumerate([ports[0], ports[0], ports[1], ports[0]]):
        answer = client.ask(f"GET http://127.0.0.1:{port}/{n}")
        assert answer.endswith(f"\r\n\r\n{port}/{n}".encode())
    assert [server.connections for server in servers] == [2, 1]
    for server in servers:
        server.shutdown()
        server.server_close()


def test_requests_and_their_bodies_reach_their_host_and_no_other(served: Site, start: type) -> None:
    other = Site()
    other.pages = {"/": "other"}
    proxy = start(Boundary(rules_of_urls([served.url, other.url])))
    assert proxy.ask(f"GET {served.url}/").endswith(b"front")
    assert proxy.ask(f"GET {other.url}/").endswith(b"other")
    assert len(proxy.ask(f"GET {served.url}/a?b=c")) > 200_000
    assert proxy.ask(f"PUT {served.url}/write", b"y" * 99_999).endswith(b"written")
    assert served.received[-1].body == "y" * 99_999
    assert served.requests == ["/", "/a?b=c", "/write"]
    assert [entry.method for entry in proxy.log.writes] == ["PUT"]
    other.close()


def test_another_host_gets_nothing_and_the_browser_no_answer(served: Site, start: type) -> None:
    proxy = start(Boundary((HostRule.parse("127.0.0.1:1"),)))
    assert proxy.ask(f"GET {served.url}/") == b""
    assert proxy.ask(f"CONNECT {served.url[7:]}").startswith(b"HTTP/1.1 403 ")
    assert proxy.ask("GET ftp://127.0.0.1:1/") == b""
    assert proxy.ask("nonsense") == b""
    assert served.requests == []
    assert [(entry.method, entry.reason) for entry in proxy.log.blocked] == [
        ("GET", SIBLING),
        ("CONNECT", SIBLING),
    ]


def test_a_public_name_that_leads_to_this_machine_is_refused_as_an_address(
    served: Site, start: type
) -> None:
    port = served.url.rpartition(":")[2]
    anywhere = start(Boundary((HostRule(ANY),)))
    assert anywhere.ask(f"GET http://localhost:{port}/") == b""
    assert anywhere.ask(f"CONNECT localhost:{port}").startswith(b"HTTP/1.1 403 ")
    assert [entry.reason for entry in anywhere.log.blocked] == [PRIVATE, PRIVATE]
    named = start(Boundary((HostRule.parse("localhost"),)))
    assert named.ask(f"GET http://localhost:{port}/").endswith(b"front")


def test_a_tunnel_carries_what_is_not_read(served: Site, start: type) -> None:
    proxy = start(Boundary(rules_of_urls([served.url])))
    client = Client(proxy.proxy)
    assert client.ask(f"CONNECT {served.url[7:]}").startswith(b"HTTP/1.1 200 ")
    assert client.ask("POST /write", b"x").endswith(b"written")


def test_an_answer_arrives_after_the_browser_has_sent_its_last_byte(start: type) -> None:
    """The task that waits for it is held by nothing in asyncio, and Python may collect it."""
    has_asked, may_answer = threading.Event(), threading.Event()

    def answer_late(connection: socket.socket) -> None:
        while connection.recv(65536):
            pass
        has_asked.set()
        may_answer.wait(60)
        connection.sendall(b"late")

    server = TcpServer(answer_late)
    client = Client(start(Boundary((HostRule.parse("127.0.0.1"),))).proxy)
    client.ask(f"CONNECT 127.0.0.1:{server.port}")
    client.end_of_requests()
    assert has_asked.wait(60)
    for _ in range(5):  # the proxy's thread may just be on its way to waiting
        gc.collect()
    may_answer.set()
    assert client.rest() == b"late"
    server.close()


def test_read_only_passes_on_nothing_that_may_write(served: Site, start: type) -> None:
    allowed = (AllowedRequest(path="/write", operation="Read"),)
    proxy = start(Boundary(rules_of_urls([served.url]), (), True, allowed))
    assert proxy.ask(f"POST {served.url}/write", b"x") == b""
    assert proxy.ask(f"DELETE {served.url}/") == b""
    client = Client(proxy.proxy)
    assert client.ask(f"CONNECT {served.url[7:]}").startswith(b"HTTP/1.1 200 ")
    assert client.ask("POST /write", b"x") == b""
    assert served.requests == []
    assert {entry.reason for entry in proxy.log.blocked} == {READ_ONLY}
    assert proxy.ask(f"GET {served.url}/").endswith(b"front")
    asked = b'{"operationName": "Read", "query": "query Read { a }"}'
    assert proxy.ask(f"POST {served.url}/write", asked).endswith(b"written")
    assert served.received[-1].body == asked.decode()


def hello(*protocols: str) -> bytes:
    """The beginning of an encrypted connection."""
    context = ssl.create_default_context()
    if protocols:
        context.set_alpn_protocols(list(protocols))
    sent = ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        context.wrap_bio(ssl.MemoryBIO(), sent, server_hostname="a.example").do_handshake()
    return sent.read()


def in_two_records(record: bytes) -> bytes:
    content, middle = record[5:], 40
    halves = content[:middle], content[middle:]
    return b"".join(record[:3] + len(half).to_bytes(2) + half for half in halves)


def send_back(connection: socket.socket) -> None:
    while data := connection.recv(65536):
        connection.sendall(data)


REQUESTS, SOCKET, UNNAMED = hello("h2", "http/1.1"), hello("http/1.1"), hello()


@pytest.mark.parametrize(
    ("beginning", "passes"),
    [
        (REQUESTS, True),
        (in_two_records(REQUESTS), True),
        (SOCKET, False),
        (in_two_records(SOCKET), False),
        (UNNAMED, False),
        (REQUESTS[:5] + b"\x02" + REQUESTS[6:], False),  # another message than a ClientHello
        (REQUESTS[:60] + b"\xff" * (len(REQUESTS) - 60), False),
        (b"\x16\x03\x01\x00\x00", False),
        (b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", False),
    ],
)
def test_read_only_opens_no_tunnel_that_may_carry_a_websocket(
    start: type, beginning: bytes, passes: bool
) -> None:
    server = TcpServer(send_back)
    proxy = start(Boundary((HostRule.parse("127.0.0.1"),), (), read_only=True))
    client = Client(proxy.proxy)
    assert client.ask(f"CONNECT 127.0.0.1:{server.port}").startswith(b"HTTP/1.1 200 ")
    got = client.exchange(beginning)
    assert got == (beginning if passes else b"")
    blocked = [(entry.method, entry.url, entry.reason) for entry in proxy.log.blocked]
    refused = ("CONNECT", f"https://127.0.0.1:{server.port}/", READ_ONLY)
    assert blocked == ([] if passes else [refused])
    server.close()


def test_a_spec_may_name_hosts_for_tunnels_that_nobody_sees_into(start: type) -> None:
    server = TcpServer(send_back)
    allowed = (AllowedRequest(method="CONNECT", path="/", host="127.0.0.1"),)
    rules = tuple(map(HostRule.parse, ("127.0.0.1", "localhost")))
    proxy = start(Boundary(rules, (), True, allowed))
    for host, passes in (("127.0.0.1", True), ("localhost", False)):
        client = Client(proxy.proxy)
        client.ask(f"CONNECT {host}:{server.port}")
        assert client.exchange(SOCKET) == (SOCKET if passes else b"")
    server.close()


def test_what_the_driver_reads_may_use_http_1(start: type) -> None:
    """Playwright's own requests, by which Python reads files, say that they are the last ones of
    their connection."""
    server = TcpServer(send_back)
    proxy = start(Boundary((HostRule.parse("127.0.0.1"),), (), read_only=True))
    client = Client(proxy.proxy)
    client.ask(f"CONNECT 127.0.0.1:{server.port}", headers="Proxy-Connection: close\r\n")
    assert client.exchange(UNNAMED) == UNNAMED
    server.close()


def test_the_proxy_of_the_user_carries_what_is_allowed(served: Site, start: type) -> None:
    rules = Boundary(rules_of_urls([served.url]))
    users = start(rules)
    parent = ParentProxy("127.0.0.1", users.proxy.port)
    upstream = Upstream({"http": parent, "https": parent}, ("<-loopback>",))
    proxy = start(rules, upstream)
    assert proxy.ask(f"POST {served.url}/write", b"x").endswith(b"written")
    assert [entry.url for entry in users.log.writes] == [f"{served.url}/write"]
    client = Client(proxy.proxy)
    assert client.ask(f"CONNECT {served.url[7:]}").startswith(b"HTTP/1.1 200 ")
    assert client.ask("GET /").endswith(b"front")


def test_why_a_host_could_not_be_reached_is_kept(start: type) -> None:
    deaf = socket.socket()  # it has the port, so that no other program gets it, and does not listen
    deaf.bind(("127.0.0.1", 0))
    port = deaf.getsockname()[1]
    proxy = start(Boundary((HostRule.parse("127.0.0.1"), HostRule.parse("no.invalid"))))
    assert proxy.ask(f"GET http://127.0.0.1:{port}/") == b""
    assert proxy.ask("GET http://no.invalid/") == b""
    assert proxy.log.failures == {
        f"127.0.0.1:{port}": "ERR_CONNECTION_REFUSED",
        "no.invalid:80": "ERR_NAME_NOT_RESOLVED",
    }
    assert not proxy.log.blocked
    deaf.close()


def test_a_closed_proxy_has_no_port_any_more(served: Site, start: type) -> None:
    proxy = start(Boundary(rules_of_urls([served.url])))
    client = Client(proxy.proxy)
    assert client.ask(f"GET {served.url}/").endswith(b"front")
    proxy.proxy.close()
    proxy.proxy.close()
    with pytest.raises(OSError):
        Client(proxy.proxy)


def test_a_connection_that_is_just_made_is_closed_with_the_proxy():
    """The accepted socket would be left open, and warn when it is collected."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(60):
            proxy = FilteringProxy(Boundary((ANY,)), DIRECT, ProxyLog()).start()
            clients = [socket.create_connection(("127.0.0.1", proxy.port)) for _ in range(3)]
            proxy.close()
            for client in clients:
                client.close()
        gc.collect()
    assert [str(w.message) for w in caught if issubclass(w.category, ResourceWarning)] == []
