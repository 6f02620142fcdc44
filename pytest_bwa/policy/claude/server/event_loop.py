"""The event loop for all model calls, on its own thread: Playwright uses the main thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
_start_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def started() -> bool:
    """Whether anything has been run yet."""
    return _loop is not None


def run(
    coroutine: Coroutine[Any, Any, T], seconds: float, meanwhile: Callable[[], None] | None = None
) -> T:
    """The coroutine's result, from the background loop; ``meanwhile`` runs in the caller's thread
    while it waits. A timeout or an interrupt of the caller cancels the coroutine, so that nothing
    keeps running. asyncio.run does not work here: Playwright's own
    loop already runs in the main thread."""
    future = asyncio.run_coroutine_threadsafe(coroutine, _background_loop())
    try:
        if meanwhile is not None:
            meanwhile()
        return future.result(timeout=seconds)
    finally:
        future.cancel()


def _background_loop() -> asyncio.AbstractEventLoop:
    """The event loop of this process, on a daemon thread that is started at the first use."""
    global _loop
    with _start_lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="bwa-claude", daemon=True).start()
        return _loop
