"""Start Playwright's driver again after a crash.

The driver is a separate process that starts and controls all browsers of a worker. Without it, no
further sample of that worker would get a browser.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import psutil
from playwright.sync_api import Browser, BrowserType, Playwright, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.browser.processes import is_alive, newest_child

T = TypeVar("T")


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
