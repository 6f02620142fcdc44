"""Serves the practice sites on a free local port, which has two names and so two origins."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from tasks.practice import (
    blame,
    commits,
    contributors,
    form,
    members,
    people,
    pulls,
    tickets,
    vorgaenge,
)
from tasks.practice.web import Reply, Request, not_found, page

SITES = (tickets, commits, people, blame, form, pulls, contributors, members, vorgaenge)
HOME = """<h1>Practice sites</h1><ul>
<li><a href="/tickets">Tickets</a>: pages that load their content late</li>
<li><a href="/vorgaenge">Vorgänge</a>: 65 tickets whose labels are German</li>
<li><a href="/ledger/commits">Commits</a>: pull requests, checks, tickets on another site</li>
<li><a href="/people">People</a>: search, people with the same name, a sign-in page, HTTP 429</li>
<li><a href="/code">Code</a>: search, files, blame</li>
<li><a href="/expenses/new">Expenses</a>: a form with dependent lists, tabs and a report</li>
<li><a href="/projects/ledger/merged">Projects</a>: merged pull requests on several pages</li>
<li><a href="/teams/ledger">Contributors</a>: profiles of the contributors to a project</li>
<li><a href="/orgs/guild/members">Members</a>: a list to discover, on several pages</li>
<li><a href="/archive">Archive</a>: a list that grows as it is scrolled</li></ul>"""


ADDRESS = "127.0.0.1"
OTHER_NAME = "localhost"


class _Server(ThreadingHTTPServer):
    daemon_threads = True


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self._answer(dict(parse_qsl(self.rfile.read(length).decode())))

    def _answer(self, form_data: dict[str, str]) -> None:
        parts = urlsplit(self.path)
        cookies = SimpleCookie(self.headers.get("Cookie", ""))
        is_other = self.headers.get("Host", "").startswith(OTHER_NAME)
        other_name = ADDRESS if is_other else OTHER_NAME
        request = Request(
            path=parts.path,
            query=dict(parse_qsl(parts.query)),
            form=form_data,
            cookies={name: morsel.value for name, morsel in cookies.items()},
            other_origin=f"http://{other_name}:{self.server.server_port}",
        )
        self._send(respond(request))

    def _send(self, reply: Reply) -> None:
        time.sleep(reply.delay)  # slow replies are part of the exercise
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        self.send_response(reply.status)
        headers = {"Content-Type": "text/html; charset=utf-8", **reply.headers}
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Write no access log, which would disturb the output of pytest."""


def respond(request: Request) -> Reply:
    """What the sites answer; that they are slow is left to whoever sends it."""
    if request.path == "/":
        return page("Practice sites", HOME, site="Practice")
    if request.path == "/favicon.ico":
        return Reply("", 204)
    for site in SITES:
        if (reply := site.respond(request)) is not None:
            return reply
    return not_found("Practice", request.path)


@contextmanager
def serve() -> Iterator[str]:
    """Serve the sites inside a ``with`` block; gives the address of the first origin."""
    server = _Server((ADDRESS, 0), _Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://{ADDRESS}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
