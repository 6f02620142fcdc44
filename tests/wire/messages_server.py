"""A local HTTP server that speaks the Messages API, and fails as the test wants.

    with MessagesServer([tool_use("click", selector="3"), drip()]) as server:
        ...  # ANTHROPIC_BASE_URL = server.url
        server.requests[0].body["tools"]

The script is a list of replies, of which the last is repeated, or a function from a request to a
reply. Import this module as ``wire.messages_server``; the fixtures are in tests/wire/conftest.py.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

JSON = "application/json"
USAGE = {
    "input_tokens": 1000,
    "output_tokens": 200,
    "cache_read_input_tokens": 3000,
    "cache_creation_input_tokens": 400,
}
DRIP_SECONDS = 0.1


@dataclass(frozen=True)
class Request:
    """One request as it was received; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.raw)

    @property
    def prompt(self) -> str:
        """The text of the user message."""
        return self.body["messages"][-1]["content"]


@dataclass(frozen=True)
class Answer:
    """What the server sends. ``message`` is a Messages API body that echoes the request's model;
    without it ``body`` is sent unchanged. The manner ``drip`` sends one byte every 0.1 s until the
    client disconnects; ``hang_up`` closes the connection in the middle of the body."""

    status: int = 200
    body: bytes = b""
    message: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = JSON
    manner: Literal["whole", "drip", "hang_up"] = "whole"

    def content(self, request: Request) -> bytes:
        if self.message is None:
            return self.body
        return json.dumps({"model": request.body.get("model"), **self.message}).encode()


Script = Sequence[Answer] | Callable[[Request], Answer]


# -- replies -----------------------------------------------------------------------------------


def message(
    *blocks: Mapping[str, Any],
    stop_reason: str = "end_turn",
    usage: Mapping[str, Any] | None = USAGE,
    **more: Any,
) -> Answer:
    body = {
        "id": "msg_local",
        "type": "message",
        "role": "assistant",
        "content": list(blocks),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        **more,
    }
    return Answer(message=body if usage is None else {**body, "usage": dict(usage)})


def call(tool: str, tool_input: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{tool}", "name": tool, "input": tool_input}


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def tool_use(
    tool: str,
    /,
    *,
    stop_reason: str = "tool_use",
    usage: Mapping[str, Any] | None = USAGE,
    **tool_input: Any,
) -> Answer:
    """One tool call; the keyword arguments are its input."""
    return message(call(tool, tool_input), stop_reason=stop_reason, usage=usage)


def text_only(text: str = "I would click the first link.", stop_reason: str = "end_turn") -> Answer:
    return message(text_block(text), stop_reason=stop_reason)


def wrong_typed() -> Answer:
    """``extracted`` is a list instead of an object."""
    return tool_use("done", extracted=["Linus"])


def error(status: int, kind: str, text: str = "", **headers: str) -> Answer:
    """An error body as Anthropic sends it; ``retry_after="2"`` becomes the header Retry-After."""
    body = {"type": "error", "error": {"type": kind, "message": text or kind}}
    renamed = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, json.dumps(body).encode(), headers=renamed)


def tool_choice_refused() -> Answer:
    text = "tool_choice: forced tool use is not supported by this model"
    return error(400, "invalid_request_error", text)


def html(status: int) -> Answer:
    page = f"<html><title>{status}</title><body><h1>Bad gateway</h1></body></html>"
    return Answer(status, page.encode(), content_type="text/html")


def malformed() -> Answer:
    return Answer(body=b'{"id": "msg_local", "content": [{"type": "tool_u')


def wrong_shape() -> Answer:
    """JSON, but not a message."""
    return Answer(body=b'{"content": "hello", "usage": 7}')


def drip() -> Answer:
    return Answer(manner="drip")


def hang_up() -> Answer:
    return Answer(message={"content": [text_block("x" * 2000)]}, manner="hang_up")


# -- the server --------------------------------------------------------------------------------


class MessagesServer:
    """Serves inside a with statement. ``dropped`` is set once a client leaves during a drip."""

    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        self.information: dict[str, Any] = {}
        """What it answers to paths that are no messages; a function is called with the body."""
        self.dropped = threading.Event()
        self.closing = threading.Event()
        self._script = script
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("Handler", (_Handler,), {"local": self})
        )
        self._http.daemon_threads = True  # a kept-alive connection must not delay the end
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def script(self, script: Script) -> None:
        """Replace the script, and forget the requests so far."""
        with self._lock:
            self._script, self.requests = script, []

    def answer(self, request: Request) -> Answer:
        with self._lock:
            self.requests.append(request)
            if callable(self._script):
                return self._script(request)
            return self._script[min(len(self.requests), len(self._script)) - 1]

    def __enter__(self) -> MessagesServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)


class _Handler(BaseHTTPRequestHandler):
    local: MessagesServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._inform(b"")

    def _inform(self, raw: bytes) -> None:
        answer = self.local.information.get(self.path)
        content = json.dumps(answer(raw) if callable(answer) else answer).encode()
        self.send_response(404 if answer is None else 200)
        self.send_header("content-type", JSON)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path != "/v1/messages":
            self._inform(raw)
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, headers, raw)
        answer = self.local.answer(request)
        content = answer.content(request)
        self.send_response(answer.status)
        self.send_header("content-type", answer.content_type)
        self.send_header("content-length", str(10**6 if answer.manner == "drip" else len(content)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self._send(answer, content)

    def _send(self, answer: Answer, content: bytes) -> None:
        if answer.manner == "drip":
            self._drip()
        elif answer.manner == "hang_up":
            self.wfile.write(content[: len(content) // 2])
            self.close_connection = True
        else:
            self.wfile.write(content)

    def _drip(self) -> None:
        self.close_connection = True
        try:
            while not self.local.closing.wait(DRIP_SECONDS):
                self.wfile.write(b" ")
                self.wfile.flush()
        except OSError:  # the client disconnected
            self.local.dropped.set()

    def log_message(self, *args: Any) -> None:
        """Log nothing, to keep the output of pytest clean."""


@contextmanager
def refusing_url() -> Iterator[str]:
    """A URL where connections are refused: the port is in use, and nothing listens on it."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
