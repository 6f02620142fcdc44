"""One event loop for all calls of models, on a thread of its own: Playwright has the main one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
_starting = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def started() -> bool:
    """Whether anything was ever run."""
    return _loop is not None


def run(coroutine: Coroutine[Any, Any, T], seconds: float) -> T:
    """Run on the background loop, and leave nothing running behind: an interrupt or a timeout of
    the caller cancels it. Playwright's own loop holds the main thread, so asyncio.run cannot."""
    future = asyncio.run_coroutine_threadsafe(coroutine, _background_loop())
    try:
        return future.result(timeout=seconds)
    finally:
        future.cancel()


def _background_loop() -> asyncio.AbstractEventLoop:
    """The process's one event loop for models, on a daemon thread that is started at first use."""
    global _loop
    with _starting:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="bwa-claude", daemon=True).start()
        return _loop
