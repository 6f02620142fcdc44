"""A local web site for tests, on a free port."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Site:
    """A local site: ``pages`` maps paths to HTML, or to (status, headers, body)."""

    def __init__(self) -> None:
        self.pages: dict[str, str | tuple[int, dict[str, str], bytes]] = {}
        self.requests: list[str] = []
        self.hang_up: dict[str, int] = {}
        """How many times the connection is closed, for each path, before it is served."""
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.split("?")[0]
                site.requests.append(self.path)
                if site.hang_up.get(path, 0) > 0:
                    site.hang_up[path] -= 1
                    self.close_connection = True
                    return
                reply = site.pages.get(path, (404, {}, b"<h1>Not found</h1>"))
                if isinstance(reply, str):
                    reply = (200, {}, reply.encode())
                status, headers, body = reply
                self.send_response(status)
                for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
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
