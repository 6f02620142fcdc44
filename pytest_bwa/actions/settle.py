"""Waiting for a page to settle: network and DOM, with a time limit, never a fixed time.

Playwright's ``networkidle`` costs at least 500 ms per action. Here a page has settled when its DOM
has not changed for a short time, and neither a timer that is due soon nor a request that can change
it is pending; a page script keeps track of them. Requests older than ``LONG_POLL`` seconds are
assumed to be connections that are kept open, and do not count.
"""

from __future__ import annotations

import time

from playwright.sync_api import BrowserContext, Page, Request
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.page.script_loader import load_script

AFTER_ACTION = {
    "quiet": 25,
    "late": 60,
}  # ms; ``late`` if the script was installed after the page had loaded
AFTER_NAVIGATION = {"quiet": 30, "late": 150}  # ms
LONG_POLL = 2.0  # seconds
TAB_MS = 1000
_COUNTED = frozenset({"document", "script", "xhr", "fetch", "stylesheet"})
_SLICE = 1000  # ms; maximum time of one check in the page before requests are counted again

SETTLE_SCRIPT = load_script("settle")
_SETTLE = load_script("actions/settle_page")


class PageSettler:
    """Keeps track of the pending requests of a sample's tabs, and waits for one tab to settle."""

    def __init__(self, context: BrowserContext, install: str, timeout: float) -> None:
        self._context = context
        self._install = install
        self._timeout = timeout
        self._pending: dict[Request, float] = {}
        self._opens = 0
        self.leaving = False
        """Whether the last action began to leave the page, which is still open."""
        self._tabs = self._reported_tabs = 0
        context.on("page", self._count_tab)
        context.on("request", self._begin)
        context.on("requestfinished", self._end)
        context.on("requestfailed", self._end)

    def _count_tab(self, page: Page) -> None:
        self._tabs += 1

    def _begin(self, request: Request) -> None:
        if request.resource_type in _COUNTED:
            self._pending[request] = time.monotonic()

    def _end(self, request: Request) -> None:
        self._pending.pop(request, None)

    def _waiting(self) -> bool:
        now = time.monotonic()
        return any(now - begun < LONG_POLL for begun in self._pending.values())

    def wait(self, page: Page, *, navigated: bool) -> bool:
        """Whether the page settled in time. Errors of a page that is just being replaced count as
        changes; a page that is gone is reported by the next observation."""
        until = time.monotonic() + self._timeout
        window = AFTER_NAVIGATION if navigated else AFTER_ACTION
        while (left := until - time.monotonic()) > 0:
            try:
                state = self._look(page, window, min(left * 1000, _SLICE))
            except PlaywrightError:
                if page.is_closed():
                    return False
                self._pending.clear()
                if not _await_document(page, left):
                    return False
                window = AFTER_NAVIGATION
                continue
            if state == "quiet" and not self._waiting():
                self._await_tabs()
                return True
            if state == "empty":
                window = AFTER_NAVIGATION
        return False

    def _look(self, page: Page, window: dict[str, int], most: float) -> str:
        found = page.evaluate(_SETTLE, {**window, "most": most})
        if found is None:
            page.evaluate(self._install)
            page.evaluate(SETTLE_SCRIPT)
            found = page.evaluate(_SETTLE, {**window, "most": most})
        self._opens = int(found["opens"])
        self.leaving = bool(found["leaving"])
        return str(found["state"])

    def _await_tabs(self) -> None:
        """The browser reports a new tab only after the page that opened it has settled."""
        try:
            while self._opens > self._tabs - self._reported_tabs:
                self._context.wait_for_event("page", timeout=TAB_MS)
        except PlaywrightError:  # the tab was blocked after all
            pass
        self._reported_tabs = self._tabs - self._opens


def _await_document(page: Page, seconds: float) -> bool:
    try:
        page.wait_for_load_state("domcontentloaded", timeout=seconds * 1000)
    except PlaywrightError:  # the page is gone or does not answer; the next observation says so
        return False
    return True
