"""What a process of pytest asks the Dask worker that started it: when it may load a page, and
whether the whole run is to stop.

``bridge.py`` is the other end. Lines of JSON go over a local connection that both ends prove to
know the key of.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from pytest_bwa.errors import RunStopped

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

LINK = "BWA_CLUSTER_LINK"
"""The variable with the address of the worker, for the processes that it starts."""
WORKER_GONE = "the Dask worker that started this process is gone"


def address_text(port: int, key: bytes) -> str:
    """An address as ``LINK`` has it."""
    return f"{port}/{key.hex()}"


def own_link() -> ClusterLink | None:
    """The link of this process, made once; None if no Dask worker started it. Raises
    RunStopped."""
    address = os.environ.get(LINK)
    return _connected(address) if address else None


def stop_reason() -> str:
    """Why no further sample of this process may begin; empty if there is no reason."""
    try:
        link = own_link()
    except RunStopped as problem:
        return str(problem)
    if link is None:
        return ""
    link.may_interrupt = True  # before it is asked, so that no stop is lost between the two
    return link.stop_reason


def let_finish() -> None:
    """No sample runs any more: a stop that comes now does not interrupt this process, which would
    lose the evidence that it is completing. Raises RunStopped."""
    if (link := own_link()) is not None:
        link.is_finishing = True


def shared_rate_limit() -> Callable[[str, float], None] | None:
    """What waits for a domain on all machines; None if this machine works alone."""
    link = own_link()
    return link.reserve if link else None


@cache
def _connected(address: str) -> ClusterLink:
    # Imported here: no other process needs it.
    from multiprocessing import ProcessError
    from multiprocessing.connection import Client

    port, _, key = address.partition("/")
    try:
        return ClusterLink(Client(("127.0.0.1", int(port)), authkey=bytes.fromhex(key)))
    except (OSError, ValueError, EOFError, ProcessError) as error:
        raise RunStopped(f"{WORKER_GONE}: {error}") from error


class ClusterLink:
    """One end of the connection. If the other one is gone, this process ends as after Ctrl-C:
    nobody would fetch its results, and the samples run again elsewhere."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._granted: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self.stop_reason = ""
        self.may_interrupt = False
        """Whether somebody has asked for the reason: a stop that came before is known by that. It
        came while the link was made, which would be made again, and be interrupted again."""
        self.is_finishing = False
        """Whether nothing is left that could be interrupted."""
        threading.Thread(target=self._receive, daemon=True, name="bwa-cluster-link").start()

    def reserve(self, domain: str, seconds: float) -> None:
        """Wait until a page of the domain may be loaded. Raises RunStopped."""
        with contextlib.suppress(OSError):  # then the other end is gone, as the answer says
            self._connection.send_bytes(json.dumps({"domain": domain, "seconds": seconds}).encode())
        if not self._granted.get():
            raise RunStopped(self.stop_reason)

    def _receive(self) -> None:
        try:
            while True:
                self._take(json.loads(self._connection.recv_bytes()))
        except (OSError, EOFError, ValueError):
            self.stop_reason = self.stop_reason or WORKER_GONE
            self._granted.put(False)
            self._interrupt()

    def _take(self, message: dict[str, Any]) -> None:
        if "stop" in message:
            self.stop_reason = str(message["stop"])
            if message["at_once"]:
                self._interrupt()
        else:
            self._granted.put(True)

    def _interrupt(self) -> None:
        if self.may_interrupt and not self.is_finishing:
            interrupt_this_process()


def interrupt_this_process() -> None:
    """As Ctrl-C does, which also ends what waits for the browser. The plugin takes SIGTERM as
    Ctrl-C, and that one is never ignored, as SIGINT is below a shell in the background."""
    if os.name == "nt":
        signal.raise_signal(signal.SIGINT)
    else:
        os.kill(os.getpid(), signal.SIGTERM)
