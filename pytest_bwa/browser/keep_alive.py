"""A browser that comes back after a crash."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import psutil
from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.browser.driver import newest_driver
from pytest_bwa.browser.processes import kill_tree, lives, newest
from pytest_bwa.browser.start_check import start_problem
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.errors import BrowserMissing, PageLost

T = TypeVar("T")
CLOSING_SECONDS = 15.0
"""Closing takes some 0.05 s, or a few seconds with a video; but Chromium under load never answers
for a page that loads itself again and again."""
TRACE_SECONDS = 60.0
"""A trace of many steps is packed after the sample."""

__all__ = ["RelaunchingBrowser", "Watchdog"]


class RelaunchingBrowser:
    """Stands for pytest-playwright's ``browser``; launches a new one when a context or a page is
    asked of a dead one. Everything else is the browser's own.

    All but the killing belongs to the thread that made it, as Playwright's objects do.
    """

    def __init__(self, launch: Callable[[], Browser], watchdog: Watchdog | None = None) -> None:
        """``watchdog`` frees who waits for a browser that does not close; without one this
        browser has its own."""
        self._start = launch
        self._watchdog = watchdog or Watchdog(self.kill, self.kill_driver)
        self._hold = threading.Lock()
        self._process: psutil.Process | None = None
        self._driver: psutil.Process | None = None
        self._browser = self._launch()
        self.launches = 1

    @property
    def pid(self) -> int | None:
        """The browser's main process; None where it is not on this machine."""
        return self._process.pid if self._process else None

    def is_connected(self) -> bool:
        """Playwright learns of a death only while it waits for something: ask the system too."""
        return self._browser.is_connected() and lives(self._process) and lives(self._driver)

    def new_context(self, **options: Any) -> BrowserContext:
        """Of a living browser; its ``close`` does not raise if the browser dies meanwhile, and
        stops a browser that does not answer."""
        return self._of_living(lambda b: self._closing_quietly(b, b.new_context(**options)))

    def new_page(self, **options: Any) -> Page:
        """In a context of its own, of a living browser."""
        return self._of_living(lambda browser: browser.new_page(**options))

    def kill(self) -> bool:
        """Stop the browser's processes, from any thread; whether there was one to stop."""
        with self._hold:
            process = self._process
        return bool(kill_tree(process))

    def kill_driver(self) -> bool:
        """The same for Playwright's driver, where the browser's death did not free who waits."""
        with self._hold:
            driver = self._driver
        return bool(kill_tree(driver))

    def close(self, **options: Any) -> None:
        """Never raises: a dead browser is closed already."""
        with (
            contextlib.suppress(PlaywrightError, PageLost),
            self._watchdog.within(CLOSING_SECONDS, "the browser was closed"),
        ):
            self._browser.close(**options)

    def _of_living(self, make: Callable[[Browser], T]) -> T:
        try:
            return make(self._living())
        except PlaywrightError:
            if self.is_connected():  # the options are wrong
                raise
        return make(self._living())  # it was dying, which could not be seen yet

    def _living(self) -> Browser:
        if not self.is_connected():
            self.kill()  # it may still run, but have lost its line to Playwright
            self.close()
            self._browser = self._launch()
            self.launches += 1
        return self._browser

    def _launch(self) -> Browser:
        with self._hold:
            self._process = None
        started = time.time()
        try:
            browser = self._start()
        except PlaywrightError as error:
            raise BrowserMissing(
                f"the browser does not start: {start_problem(error)}; run `bwa doctor`"
            ) from error
        driver = newest_driver()
        process = _process_of(browser, driver, started)
        with self._hold:
            self._process, self._driver = process, driver
        return browser

    def _closing_quietly(self, browser: Browser, context: BrowserContext) -> BrowserContext:
        """pytest-playwright stops tracing and closes after each item; on a browser that died both
        raise, and would make an error of an item whose failure is already told."""
        close, tracing = context.close, context.tracing
        stop = tracing.stop

        def quiet_close(**options: Any) -> None:
            self._survives(browser, CLOSING_SECONDS, lambda: close(**options))

        def quiet_stop(*, path: Path | str | None = None) -> None:
            kept = self._survives(browser, TRACE_SECONDS, lambda: stop(path=path))
            if path is not None and not kept:  # pytest-playwright moves this file
                with zipfile.ZipFile(path, "w") as trace:
                    trace.writestr("LOST.txt", "The browser died; no trace was kept.\n")

        context.close = quiet_close  # type: ignore[method-assign]
        tracing.stop = quiet_stop  # type: ignore[method-assign]
        return context

    def _survives(self, browser: Browser, seconds: float, ending: Callable[[], None]) -> bool:
        """Whether the browser lived to the end of it. A death is heard in the error's own words
        first: when an interrupt ends browser and driver at once, it is noticed only later."""
        try:
            with self._watchdog.within(seconds, "it was closed"):
                ending()
        except PageLost:
            return False
        except PlaywrightError as error:
            if not _gone(browser, error):
                raise
            return False
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._browser, name)


def _process_of(
    browser: Browser, driver: psutil.Process | None, started: float
) -> psutil.Process | None:
    """The browser's main process, as Chromium itself names it (10 ms), else the newest that the
    driver started since. Only ever a descendant of ours: the number that a browser on another
    machine tells names a stranger here."""
    try:
        session = browser.new_browser_cdp_session()
        listed = session.send("SystemInfo.getProcessInfo")["processInfo"]
        session.detach()
        process = psutil.Process(next(p["id"] for p in listed if p["type"] == "browser"))
        if any(parent.pid == os.getpid() for parent in process.parents()):
            return process
    except (PlaywrightError, psutil.Error, StopIteration, KeyError):
        pass  # Firefox and WebKit have no such session; a container may hide process numbers
    # A second's grace: the kernel counts in ticks since the machine started.
    return newest(driver, lambda child: child.create_time() >= started - 1) if driver else None


def _gone(browser: Browser, error: PlaywrightError) -> bool:
    """Target, connection to the driver, or event loop: each is said to be closed."""
    return "closed" in error.message or not browser.is_connected()
