"""The door before every page: who may come in, and with what.

The server listens on this machine only, but every page that the user's browser has open can send
requests there, and so can every other user of the machine. So a request needs the cookie that the
first address gave, the name of this server (a name that a stranger owns may lead here, too), and
the origin of its own page; and it brings nothing but a little JSON.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pytest_bwa.errors import BwaError

MAX_BODY = 1 << 20
BODY = "bwa.body"
"""Where in the scope the body of a request is."""
TO_THE_PAGE = b'<meta http-equiv="refresh" content="0; url=/">'
SAFE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Refused(BwaError):
    """A request that is not let in, with the status that says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Door:
    """Lets in what has the cookie; the first address, with the token, gives it."""

    def __init__(self, app: ASGIApp, port: int, *, can_write: bool = True) -> None:
        self._app, self._can_write = app, can_write
        self.token = secrets.token_urlsafe(24)
        self._cookie = secrets.token_urlsafe(24)
        self._cookie_name = f"bwa_review_{port}"  # a browser has one jar for all ports
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, _with_headers(send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            self._check_host(scope, headers)
            if scope["path"] == "/" and self._has_token(scope):
                await _respond(send, 200, self._admission(), TO_THE_PAGE)
                return
            self._check_sender(scope, headers)
            self._check_cookie(headers)
            if scope["method"] == "POST":
                self._check_kind(headers)
                scope[BODY] = await _body(headers, receive)
        except Refused as refused:
            await _refuse(send, refused)
            return
        await self._app(scope, receive, send)

    def _check_host(self, scope: Scope, headers: Headers) -> None:
        if headers.get("host") not in self._hosts:
            raise Refused(421, "this server has another name")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            raise Refused(405, "this method is not allowed")

    def _check_sender(self, scope: Scope, headers: Headers) -> None:
        host, origin = headers.get("host", ""), headers.get("origin")
        is_own = origin == f"http://{host}" or (origin is None and scope["method"] != "POST")
        if not is_own or headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise Refused(403, "another site's page may not ask here")

    def _has_token(self, scope: Scope) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return secrets.compare_digest(given.encode(), self.token.encode())

    def _admission(self) -> list[tuple[str, str]]:
        """The cookie. The page itself goes on to the address without the token: whoever comes from
        a file or another page would be refused there, if he were only sent on."""
        cookie = f"{self._cookie_name}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"
        return [("Set-Cookie", cookie), ("Content-Type", "text/html")]

    def _check_cookie(self, headers: Headers) -> None:
        given = ""
        for name, value in _cookies(headers):
            given = value if name == self._cookie_name else given
        if not secrets.compare_digest(given.encode(), self._cookie.encode()):
            raise Refused(403, "open the address that bwa printed, with its token")

    def _check_kind(self, headers: Headers) -> None:
        if not self._can_write:
            raise Refused(403, "this page only shows the run: bwa review decides")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Refused(415, "only application/json is read")


def _cookies(headers: Headers) -> Iterator[tuple[str, str]]:
    for line in headers.getlist("cookie"):
        for part in line.split(";"):
            name, _, value = part.strip().partition("=")
            yield name, value


async def _body(headers: Headers, receive: Receive) -> bytes:
    """Raises Refused for one that is too long, before it is read."""
    content, more = b"", True
    declared = headers.get("content-length", "0")
    while more:
        if len(content) > MAX_BODY or not declared.isdecimal() or int(declared) > MAX_BODY:
            raise Refused(413, f"a request has at most {MAX_BODY:,} bytes")
        message = await receive()
        content += message.get("body", b"")
        more = message.get("more_body", False)
    return content


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            safe = [(n.lower().encode(), v.encode()) for n, v in SAFE_HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", ()), *safe]}
        await send(message)

    return sending


async def _refuse(send: Send, refused: Refused) -> None:
    content = json.dumps({"error": str(refused)}).encode()
    # What is left of a body that is not read would be taken for the next request.
    headers = [("Content-Type", "application/json"), ("Connection", "close")]
    await _respond(send, refused.status, headers, content)


async def _respond(
    send: Send, status: int, headers: list[tuple[str, str]], content: bytes = b""
) -> None:
    raw = [(name.lower().encode(), value.encode()) for name, value in headers]
    raw.append((b"content-length", str(len(content)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": content})
