"""A browser that comes back after a crash, and a watchdog that frees us from a page that hangs.

``page.evaluate`` has no timeout: a page whose script never yields would hold its worker for ever.
Killing the browser's process frees the caller; the next sample gets a new one.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import psutil
from playwright.sync_api import Browser
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.errors import PageLost


class LivingBrowser:
    """Stands for pytest-playwright's ``browser``; launches a new one when a context is asked of a
    dead one. Everything else is the browser's own."""

    def __init__(self, launch: Callable[[], Browser]) -> None:
        self._launch = launch
        self._browser = launch()
        self._process = _process_of(self._browser)
        self.launches = 1

    def new_context(self, **arguments: Any) -> Any:
        if self._browser.is_connected():
            # A browser killed a moment ago can still look connected: then this call tells.
            with contextlib.suppress(PlaywrightError):
                return self._browser.new_context(**arguments)
            if self._browser.is_connected():
                return self._browser.new_context(**arguments)
        self._relaunch()
        return self._browser.new_context(**arguments)

    def _relaunch(self) -> None:
        self.close()
        self._browser = self._launch()
        self._process = _process_of(self._browser)
        self.launches += 1

    def kill(self) -> None:
        """Stop the browser's processes; safe from any thread, as it touches no Playwright object."""
        with contextlib.suppress(psutil.NoSuchProcess):
            if self._process is not None:
                family = [*self._process.children(recursive=True), self._process]
                for process in family:
                    with contextlib.suppress(psutil.NoSuchProcess):
                        process.kill()

    def close(self) -> None:
        """Never raises: a dead browser is closed already."""
        with contextlib.suppress(PlaywrightError):
            self._browser.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._browser, name)


def _process_of(browser: Browser) -> psutil.Process | None:
    """The browser's main process, which Chromium itself names; None for other browsers."""
    try:
        session = browser.new_browser_cdp_session()
        listed = session.send("SystemInfo.getProcessInfo")["processInfo"]
        session.detach()
        number = next(p["id"] for p in listed if p["type"] == "browser")
        return psutil.Process(number)
    except (PlaywrightError, psutil.Error, StopIteration, KeyError):
        return None


class Watchdog:
    """Bounds calls that have no timeout of their own by killing the browser when time is up.

    One daemon thread; a deadline is set on entering and taken back on leaving, so an inner bound
    can only shorten the outer one.
    """

    def __init__(self, kill: Callable[[], None]) -> None:
        self._kill = kill
        self._changed = threading.Condition()
        self._deadlines: list[float] = []
        self._expired = False
        self._thread: threading.Thread | None = None

    @contextlib.contextmanager
    def within(self, seconds: float, what: str) -> Iterator[None]:
        """PageLost if the work inside was cut off; ``what`` completes "while …"."""
        deadline = time.monotonic() + seconds
        self._push(deadline)
        try:
            yield
        except PlaywrightError as error:
            if self._expired:
                raise self._lost(seconds, what) from error
            raise
        finally:
            expired = self._pop(deadline)
        if expired:  # the work came back just as it was cut off: the browser is gone all the same
            raise self._lost(seconds, what)

    @staticmethod
    def _lost(seconds: float, what: str) -> PageLost:
        return PageLost(
            f"the page did not answer within {seconds:g} s while {what}; its browser was stopped"
        )

    def _push(self, deadline: float) -> None:
        with self._changed:
            if not self._deadlines:
                self._expired = False
            self._deadlines.append(deadline)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._watch, name="bwa-watchdog", daemon=True
                )
                self._thread.start()
            self._changed.notify()

    def _pop(self, deadline: float) -> bool:
        with self._changed:
            self._deadlines.remove(deadline)
            self._changed.notify()
            return self._expired

    def _watch(self) -> None:
        with self._changed:
            while True:
                due = min(self._deadlines, default=None)
                left = None if due is None or self._expired else due - time.monotonic()
                if left is None or left > 0:
                    self._changed.wait(left)
                    continue
                # Under the lock: the work cannot leave, and no later call can lose its browser.
                self._expired = True
                self._kill()
