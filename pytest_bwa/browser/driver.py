"""Playwright's driver, a process of its own, that comes back after a crash.

Every browser of a worker hangs on it: without it no further sample of that worker would get one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import psutil
from playwright.sync_api import Browser, BrowserType, Playwright, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.browser.processes import lives, newest

T = TypeVar("T")


class RelaunchingBrowserType:
    """Stands for pytest-playwright's ``browser_type``; starts a driver anew when a browser is asked
    of a dead one. Everything else is the browser type's own.

    It belongs to the thread that made it, as Playwright's objects do.
    """

    def __init__(self, playwright: Playwright, name: str) -> None:
        """``playwright`` is stopped by whoever started it."""
        self._playwright, self._name = playwright, name
        self._driver = newest_driver()
        self.starts = 1

    def launch(self, **options: Any) -> Browser:
        """By a living driver."""
        return self._of_living(lambda its: its.launch(**options))

    def connect(self, *where: Any, **options: Any) -> Browser:
        """By a living driver."""
        return self._of_living(lambda its: its.connect(*where, **options))

    def close(self) -> None:
        """Stops the driver that was started here, if one was."""
        if self.starts > 1:
            self._playwright.stop()

    def _of_living(self, make: Callable[[BrowserType], T]) -> T:
        if lives(self._driver):
            try:
                return make(self._type)
            except PlaywrightError:
                if lives(self._driver):  # the options are wrong, or the browser does not start
                    raise
        self._playwright.stop()
        self._playwright = sync_playwright().start()
        self._driver = newest_driver()
        self.starts += 1
        return make(self._type)

    @property
    def _type(self) -> BrowserType:
        found: BrowserType = getattr(self._playwright, self._name)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._type, name)


def newest_driver() -> psutil.Process | None:
    """The driver that this process started last, if it lives."""
    return newest(psutil.Process(), lambda child: lives(child) and "run-driver" in child.cmdline())
