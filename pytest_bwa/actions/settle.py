"""Waiting until a page is quiet: network and DOM, bounded, never a fixed time (F-35).

Playwright's ``networkidle`` costs at least 500 ms an action; this costs the quiet window alone
when nothing happens. A page is quiet when its DOM did not change for the window and no request
that can change it is under way. Requests older than ``LONG_POLL`` seconds are taken for
connections that are held open, and do not count.
"""

from __future__ import annotations

import time

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Request

QUIET_AFTER_ACTION = 60  # ms
QUIET_AFTER_NAVIGATION = 150  # ms; frameworks render in slices after the document is there
LONG_POLL = 2.0  # seconds
_COUNTED = frozenset({"document", "script", "xhr", "fetch", "stylesheet"})
_SLICE = 1000  # ms; how long one look into the page may take before requests are counted again

_SETTLE = """({quiet, most}) => window[Symbol.for('bwa')]
  ? window[Symbol.for('bwa')].settle({quiet, most}) : 'unwatched'"""


class Quiet:
    """Knows the requests of one page that are under way, and waits for it to come to rest."""

    def __init__(self, page: Page, install: str, timeout: float) -> None:
        self._page = page
        self._install = install
        self._timeout = timeout
        self._pending: dict[Request, float] = {}
        page.on("request", self._begin)
        page.on("requestfinished", self._end)
        page.on("requestfailed", self._end)

    def _begin(self, request: Request) -> None:
        if request.resource_type in _COUNTED:
            self._pending[request] = time.monotonic()

    def _end(self, request: Request) -> None:
        self._pending.pop(request, None)

    def _waiting(self) -> bool:
        now = time.monotonic()
        return any(now - begun < LONG_POLL for begun in self._pending.values())

    def wait(self, *, navigated: bool) -> bool:
        """Whether the page came to rest in time. Errors of a page that is just being replaced
        count as movement; a page that is gone is left to the next observation to report."""
        until = time.monotonic() + self._timeout
        window = QUIET_AFTER_NAVIGATION if navigated else QUIET_AFTER_ACTION
        while (left := until - time.monotonic()) > 0:
            try:
                state = self._look(window, min(left * 1000, _SLICE))
            except PlaywrightError:
                if self._page.is_closed():
                    return False
                self._pending.clear()
                if not self._await_document(left):
                    return False
                window = QUIET_AFTER_NAVIGATION
                continue
            if state == "quiet" and not self._waiting():
                return True
            if state == "empty":
                window = QUIET_AFTER_NAVIGATION
        return False

    def _look(self, quiet: int, most: float) -> str:
        state = self._page.evaluate(_SETTLE, {"quiet": quiet, "most": most})
        if state == "unwatched":
            self._page.evaluate(self._install)
            state = self._page.evaluate(_SETTLE, {"quiet": quiet, "most": most})
        return str(state)

    def _await_document(self, seconds: float) -> bool:
        try:
            self._page.wait_for_load_state("domcontentloaded", timeout=seconds * 1000)
        except PlaywrightError:  # the page is gone or never answers; the observation will say so
            return False
        return True
