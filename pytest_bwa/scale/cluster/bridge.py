"""The end of ``link.py`` in a Dask worker: lets its processes of pytest load pages as the rate
limits of the whole cluster allow, and passes on that the run is to stop."""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import threading
from collections.abc import Callable
from contextvars import copy_context
from multiprocessing import ProcessError
from multiprocessing.connection import Connection, Listener
from typing import Any

from pytest_bwa.scale.cluster.link import WORKER_GONE, address_text


class Bridge:
    """Serves the processes of one chunk, from ``with`` to its end. ``reserve`` waits until a page
    of a domain may be loaded; it is called in threads that know the Dask worker."""

    def __init__(self, reserve: Callable[[str, float], None]) -> None:
        self._reserve = reserve
        self._key = secrets.token_bytes(32)
        self._listener = Listener(("127.0.0.1", 0), authkey=self._key)
        self._place: tuple[str, int] = self._listener.address
        self._connections: list[Connection] = []
        self._lock = threading.Lock()
        """Guards the list, and what is written to its connections."""
        self._stop: bytes | None = None
        self._is_closed = False

    @property
    def address(self) -> str:
        """For the variable ``LINK``."""
        return address_text(self._place[1], self._key)

    def __enter__(self) -> Bridge:
        self._start(self._accept)
        return self

    def __exit__(self, *of_error: object) -> None:
        self._is_closed = True
        self.stop(WORKER_GONE, at_once=True)  # a process that still runs would wait for ever
        # Whoever reads from a connection closes it: two who do may close another file with it.
        with contextlib.suppress(OSError):
            socket.create_connection(self._place).close()  # ends the wait in _accept

    def stop(self, reason: str, *, at_once: bool) -> None:
        """Let no further sample begin; ``at_once`` interrupts the one that is running."""
        with self._lock:
            self._stop = json.dumps({"stop": reason, "at_once": at_once}).encode()
            for connection in self._connections:
                _send(connection, self._stop)

    def _start(self, target: Callable[..., None], *arguments: Any) -> None:
        context = copy_context()  # it knows the Dask worker, whose scheduler has the locks
        threading.Thread(target=context.run, args=(target, *arguments), daemon=True).start()

    def _accept(self) -> None:
        while not self._is_closed:
            try:
                connection = self._listener.accept()
            except (OSError, EOFError, ProcessError):  # closed, or a stranger without the key
                continue
            with self._lock:
                self._connections.append(connection)
                if self._stop is not None:
                    _send(connection, self._stop)
            self._start(self._answer, connection)
        self._listener.close()

    def _answer(self, connection: Connection) -> None:
        try:
            while True:
                asked = json.loads(connection.recv_bytes())
                self._reserve(str(asked["domain"]), float(asked["seconds"]))
                with self._lock:
                    _send(connection, b"{}")
        except (OSError, EOFError):  # the process has ended, or the scheduler is gone
            pass
        finally:  # the process must not wait for ever
            connection.close()


def _send(connection: Connection, message: bytes) -> None:
    with contextlib.suppress(OSError):  # the process has ended
        connection.send_bytes(message)
