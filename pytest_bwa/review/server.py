"""Serves the page on this machine until Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import tempfile
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.review.deciding import Deciding
from pytest_bwa.review.door import Door
from pytest_bwa.review.events import READ_SECONDS, Events
from pytest_bwa.review.live_run import LiveRun
from pytest_bwa.review.routes import PROBLEMS, Routes
from pytest_bwa.review.whole_run import RandomWish, WholeRun

HOST = "127.0.0.1"
ENDING_SECONDS = 2
"""How long open pages may take to notice that the server ends."""


class ReviewServer:
    """The server of one run. ``port`` 0 takes a free one."""

    def __init__(
        self,
        folder: RunFolder,
        reviewer: str,
        port: int = 0,
        *,
        can_decide: bool = True,
        random: int = 0,
    ) -> None:
        """``random``: begin with so many that are drawn at random. Raises BwaError."""
        self.run = LiveRun(folder)
        self.run.look(READ_SECONDS)
        self._socket = _listen(port)
        self.port: int = self._socket.getsockname()[1]
        events = Events(self.run, lambda: self._server.should_exit)
        self._deciding = Deciding(self.run, reviewer)
        whole = WholeRun(self.run, reviewer)
        draw = whole.draw(RandomWish(number=random, seed=""))["hash"] if random else ""
        routes = Routes(self.run, self._deciding, whole, events, can_decide=can_decide, draw=draw)

        @asynccontextmanager
        async def looking(_: Starlette) -> AsyncIterator[None]:
            task = asyncio.create_task(events.look())
            yield
            task.cancel()

        app = Starlette(routes=routes.all(), exception_handlers=PROBLEMS, lifespan=looking)
        self._door = Door(app, self.port, can_write=can_decide)
        config = uvicorn.Config(
            self._door,
            log_level="error",
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=ENDING_SECONDS,
        )
        self._server = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """With the token, which whoever opens it needs."""
        return f"http://{HOST}:{self.port}/?token={self._door.token}"

    @property
    def written(self) -> int:
        """How many decisions were written."""
        return self._deciding.written

    def serve(self) -> None:
        """Until Ctrl-C, or until ``end`` is called."""
        with suppress(KeyboardInterrupt):
            self._server.run(sockets=[self._socket])

    def end(self) -> None:
        self._server.should_exit = True


def _listen(port: int) -> socket.socket:
    """Raises InputError if something else listens there."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name != "nt":  # a port that was closed a moment ago is free
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen()
    except (OSError, OverflowError) as error:
        found.close()
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen on port {port}: {reason}") from error
    return found


@contextmanager
def opened(
    server: ReviewServer, echo: Callable[[str], None], *, in_browser: bool
) -> Iterator[None]:
    """Open the page in the user's browser, and say its address in any case. Every user of the
    machine sees what a program is called with, so the browser is called with a file that leads to
    the address, and that only this user can read."""
    echo(server.address)
    with tempfile.TemporaryDirectory(prefix="bwa-review-") as private:
        file = Path(private, "review.html")
        file.write_text(f'<meta http-equiv="refresh" content="0; url={server.address}">')
        if in_browser and not (_has_display() and webbrowser.open(file.as_uri())):
            port = server.port
            echo("There is no browser here to open it in: open it yourself. From another machine,")
            echo(f"forward the port first: ssh -L {port}:{HOST}:{port} {socket.gethostname()}")
        yield


def _has_display() -> bool:
    """Whether a window can open; a browser of the terminal would take the terminal."""
    return sys.platform in ("win32", "darwin") or any(
        map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    )
