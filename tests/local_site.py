"""A local web site for tests, by default on a free port."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LONGEST_HOLD = 200.0  # seconds


@dataclass(frozen=True, slots=True)
class Request:
    """A request that the site was sent; ``path`` has the query, ``body`` is empty for a GET."""

    method: str
    path: str
    body: str = ""


Whole = tuple[int, dict[str, str], bytes]
Reply = str | Whole


def _whole(
    reply: Reply | Callable[[Request, dict[str, str]], Reply],
    request: Request,
    headers: dict[str, str],
) -> Whole:
    sent = reply(request, headers) if callable(reply) else reply
    return (200, {}, sent.encode()) if isinstance(sent, str) else sent


class Site:
    """A local site: ``pages`` maps paths to HTML, or to (status, headers, body). A path with its
    query comes before the path alone, and ``POST /path`` before ``/path``. A page may be a function
    of the request and its headers."""

    def __init__(self, port: int = 0) -> None:
        self.pages: dict[str, Reply | Callable[[Request, dict[str, str]], Reply]] = {}
        self.requests: list[str] = []
        self.received: list[Request] = []
        """The same requests, with their methods and bodies."""
        self.headers: list[dict[str, str]] = []
        """The headers of the same requests."""
        self.hang_up: dict[str, int] = {}
        """How many times the connection is closed, for each path, before it is served."""
        self.delays: dict[str, float] = {}
        """Seconds until the reply is sent, for each key of ``pages``."""
        self.holds: dict[str, threading.Event] = {}
        """The event for which the reply waits, for each key of ``pages``."""
        self.pauses: dict[str, float] = {}
        """Seconds between the two halves of a body, for each key of ``pages``."""
        self.lengths: dict[str, int] = {}
        """The lengths that are announced where more is to come than is sent."""
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.split("?")[0]
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length).decode("utf-8", "replace")
                site.requests.append(self.path)
                site.headers.append(dict(self.headers))
                self.received = Request(self.command, self.path, body)
                site.received.append(self.received)
                if site.hang_up.get(path, 0) > 0:
                    site.hang_up[path] -= 1
                    self.close_connection = True
                    return
                self._reply(site._key(self.command, self.path))

            do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

            def _reply(self, key: str) -> None:
                time.sleep(site.delays.get(key, 0))
                site._await(key)
                with suppress(ConnectionError):  # a late reply to a page that was closed
                    self._send(key)

            def _send(self, key: str) -> None:
                reply = site.pages.get(key, (404, {}, b"<h1>Not found</h1>"))
                status, headers, body = _whole(reply, self.received, dict(self.headers))
                self.send_response(status)
                for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(site.lengths.get(key, len(body))))
                self.end_headers()
                if self.command == "HEAD":
                    return
                if pause := site.pauses.get(key, 0):
                    self.wfile.write(body[: len(body) // 2])
                    time.sleep(pause)
                    body = body[len(body) // 2 :]
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                """Write no access log."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def _await(self, key: str) -> None:
        if event := self.holds.get(key):
            event.wait(LONGEST_HOLD)

    def _key(self, method: str, path: str) -> str:
        """The key of ``pages`` that answers a request."""
        bare = path.split("?")[0]
        keys = [f"{method} {path}", f"{method} {bare}", path, bare]
        return next((key for key in keys if key in self.pages), bare)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
