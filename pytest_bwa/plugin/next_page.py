"""The page of a worker's next sample, opened while the model of this one thinks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.browser.keep_alive import RelaunchingBrowser
from pytest_bwa.confinement.confinement import Confinement
from pytest_bwa.errors import BrowserMissing, PageLost


class NextPage:
    """At most one page, in a context of its own. The browser hands it over to whoever asks for a
    context with the same options, which name the proxy of the page; others get a new one."""

    def __init__(self, browser: RelaunchingBrowser) -> None:
        self._browser = browser
        self._opened: tuple[str, Confinement] | None = None
        """The task that it was opened for, and its limits."""

    def open(
        self,
        task_id: str,
        options: Callable[[Confinement], Mapping[str, Any] | None],
        confinement: Callable[[], Confinement],
    ) -> None:
        """Open the page, unless there is one. ``options`` are those of the context, or None where
        it has no proxy of its own. What fails here is left to the sample that needs the page."""
        if self._opened is not None and self._opened[0] == task_id:
            return
        self.close()
        limits = confinement()
        wanted = options(limits)
        if wanted is None:
            limits.close()
            return
        self._opened = task_id, limits
        with suppress(PlaywrightError, BrowserMissing, PageLost):
            self._browser.prepare(**wanted)

    def take(self, task_id: str) -> Confinement | None:
        """The limits of the page, if it was opened for that task: whoever takes them closes
        them."""
        opened = self._opened
        if opened is None or opened[0] != task_id:
            return None
        self._opened = None
        return opened[1]

    def close(self) -> None:
        """Close a page that nobody has taken."""
        if self._opened is not None:
            self._opened[1].close()
        self._opened = None
        self._browser.drop_prepared()
