"""A proxy on this machine through which a sample's whole browser context goes.

What the page does (redirects, popups, WebSockets, beacons, workers, prefetching) makes no
difference to it: whatever leaves the context is a connection to a host that it either opens or
does not. It reads no encrypted content, so certificates and answers stay those of the site.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Any

from pytest_bwa.confinement.boundary import Boundary
from pytest_bwa.confinement.connections import Connector
from pytest_bwa.confinement.http_head import MAX_HEAD
from pytest_bwa.confinement.proxy_client import ProxyClient
from pytest_bwa.confinement.request_list import ProxyLog
from pytest_bwa.confinement.upstream import Upstream

START_SECONDS = 10.0
ROUNDS = 5
"""Rounds of the loop until a connection is served; it takes three."""


class FilteringProxy:
    """Listens on a port of 127.0.0.1, in a thread of its own, until it is closed."""

    def __init__(self, boundary: Boundary, upstream: Upstream, log: ProxyLog) -> None:
        self._boundary, self._upstream, self._log = boundary, upstream, log
        self._connector = Connector(boundary)
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._started = threading.Event()
        # The loop does not keep its tasks: one that waits for the server alone, after the browser
        # has sent its last byte, would be collected, and the answer with it.
        self._connections: set[asyncio.Task[None] | None] = set()
        self._problem: OSError | None = None
        self.port = 0
        self._thread = threading.Thread(target=self._run, name="bwa-proxy", daemon=True)

    def start(self) -> FilteringProxy:
        """Raises OSError if no port can be had."""
        self._thread.start()
        if not self._started.wait(START_SECONDS) or self._problem is not None:
            raise self._problem or OSError("the local proxy did not start in time")
        return self

    @property
    def for_playwright(self) -> dict[str, Any]:
        """The option ``proxy`` of a browser context. Loopback goes through it too."""
        return {"server": f"http://127.0.0.1:{self.port}", "bypass": "<-loopback>"}

    def close(self) -> None:
        """Close the port and every connection. May be called twice."""
        if self._thread.is_alive():
            with suppress(RuntimeError):  # it is closing already
                self._loop.call_soon_threadsafe(self._ended.set)
            self._thread.join(START_SECONDS)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except OSError as problem:
            self._problem = problem
        finally:
            self._started.set()
            self._loop.close()

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=MAX_HEAD)
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._ended.wait()
        with suppress(NotImplementedError):  # the loop of Windows has no readers
            for listening in server.sockets:
                self._loop.remove_reader(listening.fileno())
        # What was just accepted would be left open if the server were closed before it is served.
        for _ in range(ROUNDS):
            await asyncio.sleep(0)
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0)  # connections are closed in the next round

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = ProxyClient(self._boundary, self._upstream, self._connector, self._log)
        connection = asyncio.current_task()
        self._connections.add(connection)
        try:
            await client.serve(reader, writer)
        except (OSError, ValueError, EOFError):  # either side went away, or said nonsense
            return
        except asyncio.CancelledError:  # the proxy is closed; asyncio would print it
            return
        finally:
            client.close()
            writer.close()
            self._connections.discard(connection)
