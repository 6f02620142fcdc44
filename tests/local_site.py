"""A local web site for tests, on a free port."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Site:
    """A local site: ``pages`` maps paths to HTML, or to (status, headers, body)."""

    def __init__(self) -> None:
        self.pages: dict[str, str | tuple[int, dict[str, str], bytes]] = {}
        self.requests: list[str] = []
        self.hang_up: dict[str, int] = {}
        """How many times the connection is closed, for each path, before it is served."""
        self.delays: dict[str, float] = {}
        """Seconds before a path is answered."""
        self.pauses: dict[str, float] = {}
        """Seconds between the two halves of a path's body."""
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.split("?")[0]
                site.requests.append(self.path)
                if site.hang_up.get(path, 0) > 0:
                    site.hang_up[path] -= 1
                    self.close_connection = True
                    return
                time.sleep(site.delays.get(path, 0))
                reply = site.pages.get(path, (404, {}, b"<h1>Not found</h1>"))
                if isinstance(reply, str):
                    reply = (200, {}, reply.encode())
                status, headers, body = reply
                self.send_response(status)
                for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if pause := site.pauses.get(path, 0):
                    self.wfile.write(body[: len(body) // 2])
                    time.sleep(pause)
                    body = body[len(body) // 2 :]
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *args: object) -> None:
                """Write no access log."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
