"""Launch a new browser, or start Playwright's driver again, if the current one died."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import psutil
from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    Page,
    Playwright,
    sync_playwright,
)
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.browser.processes import is_alive, kill_tree, newest_child
from pytest_bwa.browser.start_check import start_problem
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.errors import BrowserMissing, PageLost

T = TypeVar("T")
CLOSING_SECONDS = 15.0
"""Maximum seconds to close. It takes about 0.05 s, or a few seconds with a video; but Chromium
under load never answers for a page that reloads itself again and again."""
PREPARING_SECONDS = 30.0
"""Maximum seconds to open a page that is not needed yet; it takes 0.1 s."""
TRACE_SECONDS = 60.0
"""Maximum seconds to stop tracing, which packs the trace of all steps into one file."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A context that nobody has asked for yet."""

    browser: Browser
    context: BrowserContext
    options: Mapping[str, Any]


class RelaunchingBrowser:
    """Replaces pytest-playwright's ``browser``, and launches a new one if the old one died.

    The browser is checked when a context or a page is requested. All other attributes are those of
    the real browser. Like all objects of Playwright, use it only in the thread that made it; only
    ``kill`` and ``kill_driver`` may be called from any thread.
    """

    def __init__(self, launch: Callable[[], Browser], watchdog: Watchdog | None = None) -> None:
        """``watchdog`` limits the time to close; without one, this object makes its own."""
        self._launch_browser = launch
        self._watchdog = watchdog or Watchdog(self.kill, self.kill_driver)
        self._lock = threading.Lock()
        self._process: psutil.Process | None = None
        self._driver: psutil.Process | None = None
        self._prepared: _Prepared | None = None
        self._browser = self._launch()
        self.launches = 1
        """Number of browsers launched so far."""

    @property
    def pid(self) -> int | None:
        """The browser's main process; None if it is not on this machine."""
        return self._process.pid if self._process else None

    @property
    def program(self) -> str | None:
        """The path of the running program; None if it is not on this machine."""
        try:
            return self._process.exe() if self._process else None
        except psutil.Error:
            return None

    def is_connected(self) -> bool:
        """Whether browser and driver run.

        Playwright notices a death only while it waits for something, so the system is asked too.
        """
        return self._browser.is_connected() and is_alive(self._process) and is_alive(self._driver)

    def new_context(self, **options: Any) -> BrowserContext:
        """A context of a live browser.

        Its ``close`` raises no error if the browser has died, and kills a browser that hangs.
        """

        def make(browser: Browser) -> BrowserContext:
            context = self._take_prepared(browser, options) or browser.new_context(**options)
            return self._ignore_death(browser, context)

        return self._with_live_browser(make)

    def prepare(self, **options: Any) -> None:
        """Make a context with one empty page for the first who asks for a context with these
        options. Raises PageLost and Playwright's errors."""
        self.drop_prepared()
        with self._watchdog.within(PREPARING_SECONDS, "a page was opened for the next sample"):
            context = self._browser.new_context(**options)
            self._prepared = _Prepared(self._browser, context, options)
            context.new_page()

    def drop_prepared(self) -> None:
        """Close the context that was prepared, if nobody has asked for it."""
        if self._prepared is not None:
            close, self._prepared = self._prepared.context.close, None
            self._completes(self._browser, CLOSING_SECONDS, close)

    def _take_prepared(self, browser: Browser, options: Mapping[str, Any]) -> BrowserContext | None:
        prepared = self._prepared
        if prepared is None or prepared.browser is not browser or prepared.options != options:
            return None
        self._prepared = None
        return prepared.context

    def new_page(self, **options: Any) -> Page:
        """A page of a live browser, in a new context."""
        return self._with_live_browser(lambda browser: browser.new_page(**options))

    def kill(self) -> bool:
        """Kill the browser's processes; return whether there was a browser to kill."""
        with self._lock:
            process = self._process
        return bool(kill_tree(process))

    def kill_driver(self) -> bool:
        """Kill Playwright's driver, if killing the browser did not end the blocked call."""
        with self._lock:
            driver = self._driver
        return bool(kill_tree(driver))

    def close(self, **options: Any) -> None:
        """Close the browser; raises no error if it is dead."""
        with (
            contextlib.suppress(PlaywrightError, PageLost),
            self._watchdog.within(CLOSING_SECONDS, "the browser was closed"),
        ):
            self._browser.close(**options)

    def _with_live_browser(self, make: Callable[[Browser], T]) -> T:
        try:
            return make(self._live_browser())
        except PlaywrightError:
            if self.is_connected():  # the options are wrong
                raise
        return make(self._live_browser())  # it was dying, but is_connected() could not know it yet

    def _live_browser(self) -> Browser:
        if not self.is_connected():
            self.kill()  # it may still run without a connection to Playwright
            self.close()
            self._browser = self._launch()
            self.launches += 1
        return self._browser

    def _launch(self) -> Browser:
        with self._lock:
            self._process = None
        started = time.time()
        try:
            browser = self._launch_browser()
        except PlaywrightError as error:
            raise BrowserMissing(
                f"the browser does not start: {start_problem(error)}; run `bwa doctor`"
            ) from error
        driver = newest_driver()
        process = _process_of(browser, driver, started)
        with self._lock:
            self._process, self._driver = process, driver
        return browser

    def _ignore_death(self, browser: Browser, context: BrowserContext) -> BrowserContext:
        """Make ``close`` and ``tracing.stop`` of the context ignore that the browser has died.

        pytest-playwright calls both after each item. They would raise, and add an error to an item
        whose failure is already reported.
        """
        close, tracing = context.close, context.tracing
        stop = tracing.stop

        def safe_close(**options: Any) -> None:
            self._completes(browser, CLOSING_SECONDS, lambda: close(**options))

        def safe_stop(*, path: Path | str | None = None) -> None:
            is_saved = self._completes(browser, TRACE_SECONDS, lambda: stop(path=path))
            if path is not None and not is_saved:  # pytest-playwright moves this file
                with zipfile.ZipFile(path, "w") as trace:
                    trace.writestr("LOST.txt", "The browser died; there is no trace.\n")

        context.close = safe_close  # type: ignore[method-assign]
        tracing.stop = safe_stop  # type: ignore[method-assign]
        return context

    def _completes(self, browser: Browser, seconds: float, call: Callable[[], None]) -> bool:
        """Run ``call``; return whether it completed, or False if the browser died or hung."""
        try:
            with self._watchdog.within(seconds, "it was closed"):
                call()
        except PageLost:
            return False
        except PlaywrightError as error:
            if not _is_closed(browser, error):
                raise
            return False
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._browser, name)


def _process_of(
    browser: Browser, driver: psutil.Process | None, started: float
) -> psutil.Process | None:
    """The browser's main process, or None.

    Chromium reports it (10 ms); otherwise it is the newest process that the driver has started
    since ``started``. It must be a descendant of this process: a browser on another machine reports
    a number that belongs to a different process here.
    """
    try:
        session = browser.new_browser_cdp_session()
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        session.detach()
        process = psutil.Process(next(p["id"] for p in processes if p["type"] == "browser"))
        if any(parent.pid == os.getpid() for parent in process.parents()):
            return process
    except (PlaywrightError, psutil.Error, StopIteration, KeyError):
        pass  # Firefox and WebKit have no such session; a container may hide process ids
    # One second of tolerance: the kernel counts time in ticks since the machine was started.
    return (
        newest_child(driver, lambda child: child.create_time() >= started - 1) if driver else None
    )


def _is_closed(browser: Browser, error: PlaywrightError) -> bool:
    """Whether the error means that the browser, the driver or Playwright's event loop is closed.

    The message is checked first: if an interrupt ends browser and driver at once, Playwright
    notices only later that the browser is not connected.
    """
    return "closed" in error.message or not browser.is_connected()


# -- the driver, a separate process that starts and controls all browsers of a worker --------------


class RelaunchingBrowserType:
    """Replaces pytest-playwright's ``browser_type``, and starts a new driver if the old one died.

    The driver is checked when a browser is requested. All other attributes are those of the real
    browser type. Use it only in the thread that made it, like all objects of Playwright.
    """

    def __init__(self, playwright: Playwright, name: str) -> None:
        """``playwright`` is stopped by the code that started it."""
        self._playwright, self._name = playwright, name
        self._driver = newest_driver()
        self.starts = 1
        """Number of drivers used so far."""

    def launch(self, **options: Any) -> Browser:
        """Launch a browser; start a new driver first if necessary."""
        return self._with_live_driver(lambda browser_type: browser_type.launch(**options))

    def connect(self, *arguments: Any, **options: Any) -> Browser:
        """Connect to a browser; start a new driver first if necessary."""
        return self._with_live_driver(
            lambda browser_type: browser_type.connect(*arguments, **options)
        )

    def close(self) -> None:
        """Stop the driver if it was started here."""
        if self.starts > 1:
            self._playwright.stop()

    def _with_live_driver(self, make: Callable[[BrowserType], T]) -> T:
        if is_alive(self._driver):
            try:
                return make(self._type)
            except PlaywrightError:
                if is_alive(self._driver):  # the options are wrong, or the browser does not start
                    raise
        self._playwright.stop()
        self._playwright = sync_playwright().start()
        self._driver = newest_driver()
        self.starts += 1
        return make(self._type)

    @property
    def _type(self) -> BrowserType:
        browser_type: BrowserType = getattr(self._playwright, self._name)
        return browser_type

    def __getattr__(self, name: str) -> Any:
        return getattr(self._type, name)


def newest_driver() -> psutil.Process | None:
    """The driver that this process started last, or None if it is not running."""

    def is_driver(child: psutil.Process) -> bool:
        return is_alive(child) and "run-driver" in child.cmdline()

    return newest_child(psutil.Process(), is_driver)
