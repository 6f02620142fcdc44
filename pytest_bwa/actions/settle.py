"""Waiting for a page to settle: network and DOM, with a time limit, never a fixed time.

Playwright's ``networkidle`` costs at least 500 ms per action. Here a page has settled when its DOM
has not changed for a short time, it shows no placeholder, and neither a timer that is due soon nor
a request that can change it is pending; a page script keeps track of them, and the browser's events
of what the script cannot see: documents, bodies that are still streaming, and frames.

Which requests count (`_counts`):

- All that began before the document had settled once. They are its content, however long they take:
  a value that comes after three seconds is as true as any other.
- Later only what began with the last action or after it. A page that is ready opens connections to
  be told of news, and asks by itself; without this rule each action would wait for them. One that
  follows another such request at once, with the same address and body, is a long poll that goes on.
- None that was pending when a wait ended without success: it is not waited for a second time. The
  same holds for placeholders.
- Those of advertisements and hidden helpers (`marginal_frames`) for two seconds only.

``wait`` without a text, which the agent chooses because it misses something, counts all of them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

from playwright.sync_api import BrowserContext, Frame, Page, Request
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.page.marginal_frames import is_marginal, is_of_another_host
from pytest_bwa.page.readers import INIT_SCRIPT, MAIN_WORLD
from pytest_bwa.page.tabs import BLANK, frames_of
from pytest_bwa.spec.network.urls import UNREACHED

AFTER_ACTION = {
    "quiet": 25,
    "late": 60,
}  # ms; ``late`` if the script was installed after the page had loaded
AFTER_NAVIGATION = {"quiet": 30, "late": 150}  # ms
MARGINAL_SECONDS = 2.0
POLL_GAP = 0.5  # seconds; at most so much later a long poll is followed by the next one
TAB_SECONDS = 3.0
_COUNTED = frozenset({"document", "script", "xhr", "fetch", "stylesheet"})
_SLICE = 1000  # ms; maximum time of one check in the page before requests are counted again
_PAUSE_MS = 50  # between two looks at what the page's own script cannot see

_SETTLE = f"options => window['{MAIN_WORLD}']?.settle(options) ?? null"
_IS_EMPTY = f"() => window['{MAIN_WORLD}']?.isEmpty() ?? true"
_IS_LOADING = f"() => window['{MAIN_WORLD}']?.isLoading() ?? false"


@dataclass
class _Pending:
    """A request that is under way."""

    begun: float
    frame: Frame | None
    """None for a request of a service worker, or of a page that is just being opened."""
    is_poll: bool
    is_given_up: bool = False


class PageSettler:
    """Keeps track of the pending requests of a sample's tabs, and waits for one tab to settle."""

    def __init__(
        self,
        context: BrowserContext,
        timeout: float,
        clock: Callable[[], float] = time.monotonic,
        *,
        is_patient: bool = False,
    ) -> None:
        """``is_patient`` waits for later timers of a page that has just begun, too."""
        self._clock = clock
        self._context, self._timeout, self._is_patient = context, timeout, is_patient
        self._pending: dict[Request, _Pending] = {}
        self._ended: list[_Pending] = []
        """What ended since the last look into the page began."""
        self._polls: dict[tuple[str, str, bytes | None], float] = {}
        """When the last request to an address ended that was not waited for."""
        self._settled: dict[Page, str] = {}
        """The key of the document that was waited for, by tab."""
        self._loads: dict[Page, float] = {}
        """When the browser last asked for a document of a tab."""
        self._given_up: set[Frame] = set()
        """Frames that still showed a placeholder when the time was up."""
        self._acted = -math.inf
        self._acts = False
        self._opens = 0
        self.leaving = False
        """Whether the last action began to leave the page, which is still open."""
        self._tabs = 0
        self._reported_tabs: dict[Page, int] = {}
        """By tab, how many of all tabs are none that it still has to open."""
        self._apart: WeakSet[Page] = WeakSet()
        context.on("page", self._count_tab)
        context.on("request", self._begin)
        context.on("requestfinished", self._end)
        context.on("requestfailed", self._end)

    def begin_action(self) -> None:
        """Remember when the action begins: what begins from now on may be its effect."""
        self._acted = self._clock()
        self._acts = True

    def keep_apart(self, page: Page) -> None:
        """No other tab waits for what this one loads, or takes it for one that it has opened."""
        self._apart.add(page)
        self._tabs -= 1

    def _count_tab(self, page: Page) -> None:
        self._tabs += 1

    # -- requests ----------------------------------------------------------------------------

    def _begin(self, request: Request) -> None:
        if request.resource_type not in _COUNTED:
            return
        now = self._clock()
        is_poll = now - self._polls.get(_address(request), -math.inf) < POLL_GAP
        frame = _frame_of(request)
        self._pending[request] = _Pending(now, frame, is_poll)
        if frame and request.is_navigation_request() and frame == frame.page.main_frame:
            self._loads[frame.page] = now

    def _end(self, request: Request) -> None:
        pending = self._pending.pop(request, None)
        if pending is None:
            return
        self._ended.append(pending)
        if pending.is_poll or pending.is_given_up or pending.begun < self._acted or not self._acts:
            self._polls[_address(request)] = self._clock()

    def _is_waiting(self, page: Page, document: str, since: float) -> bool:
        if self._settled.get(page) != document:
            since = self._loads.get(page, -math.inf)
        pending = [*self._pending.values(), *self._ended]
        return any(self._counts(request, page) for request in pending if request.begun >= since)

    def _counts(self, request: _Pending, page: Page) -> bool:
        is_loading = self._loads.get(page, -math.inf) >= self._acted
        if request.is_given_up or (request.is_poll and not is_loading):
            return False
        if request.frame is None:
            return True
        other = request.frame.page
        if other != page and (other in self._apart or BLANK not in (page.url, other.url)):
            return False  # but what fills an empty tab is asked for by the one that opened it
        is_old = self._clock() - request.begun > MARGINAL_SECONDS
        return not (is_old and is_marginal(request.frame))

    # -- waiting -----------------------------------------------------------------------------

    def wait(
        self,
        page: Page,
        *,
        navigated: bool,
        everything: bool = False,
    ) -> bool:
        """Whether the page settled in time. With ``everything``, requests count whenever they
        began. Errors of a page that is just being replaced count as changes; a page that is gone
        is reported by the next observation."""
        settled = self._wait(page, navigated, -math.inf if everything else self._acted)
        self._acts = False
        return settled

    def _wait(self, page: Page, navigated: bool, since: float) -> bool:
        if page.url.startswith(UNREACHED):
            return True  # nothing more comes there, and some browsers leave it empty
        until = self._clock() + self._timeout
        window = AFTER_NAVIGATION if navigated else AFTER_ACTION
        document = ""
        while (left := until - self._clock()) > 0:
            try:
                # What ends during the look may change the page only after it.
                self._ended.clear()
                found = self._look(page, window, left * 1000)
                document = found["document"]
                state = found["state"]
                if state == "empty" and (page.url == BLANK or self._is_in_frames(page)):
                    state = "quiet"
                if state == "quiet" and not self._is_waiting(page, document, since):
                    if not self._frame_is_loading(page):
                        self._settled[page] = document
                        self._await_tabs(page)
                        return True
                    page.wait_for_timeout(_PAUSE_MS)
            except PlaywrightError:
                if page.is_closed() or not _await_document(page, left):
                    return False
                state = "empty"
            if state == "empty":
                window = AFTER_NAVIGATION
        self._give_up(page, document)
        return False

    def _give_up(self, page: Page, document: str) -> None:
        """Wait no second time for what is pending now."""
        self._settled[page] = document
        for request in self._pending.values():
            request.is_given_up |= request.frame is None or request.frame.page == page
        self._given_up.update(frames_of(page)[1:])

    def _frame_is_loading(self, page: Page) -> bool:
        frames = [frame for frame in frames_of(page)[1:] if frame not in self._given_up]
        return any(frame.evaluate(_IS_LOADING) for frame in frames if not is_marginal(frame))

    def _is_in_frames(self, page: Page) -> bool:
        """Whether a page without a content of its own shows that of another host: it cannot look
        into such frames itself."""
        frames = [frame for frame in frames_of(page)[1:] if is_of_another_host(frame)]
        return any(not frame.evaluate(_IS_EMPTY) for frame in frames if not is_marginal(frame))

    def _look(self, page: Page, window: dict[str, int], left: float) -> dict[str, Any]:
        options: dict[str, Any] = {
            **window,
            "most": min(left, _SLICE),
            "isLast": left <= _SLICE,
            "isPatient": self._is_patient,
        }
        found = page.evaluate(_SETTLE, options)
        if found is None:
            page.evaluate(INIT_SCRIPT)
            found = page.evaluate(_SETTLE, options)
        if not isinstance(found, dict) or "opens" not in found:
            raise PlaywrightError("the page keeps its own world from being asked")
        self._opens = int(found["opens"])
        self.leaving = bool(found["leaving"])
        return dict(found)

    def _await_tabs(self, page: Page) -> None:
        """The browser reports a new tab only after the page that opened it has settled."""
        until = self._clock() + TAB_SECONDS
        with suppress(PlaywrightError):
            while self._opens > self._tabs - self._reported_tabs.get(page, 0):
                if self._clock() > until:  # the tab was blocked after all
                    break
                page.wait_for_timeout(_PAUSE_MS)
        self._reported_tabs[page] = self._tabs - self._opens


def _address(request: Request) -> tuple[str, str, bytes | None]:
    """What a long poll and the next one have in common. Other questions may go to the same address,
    so what is asked in a body counts; the query of a poll mostly says what is known already."""
    return request.method, request.url.split("?")[0], request.post_data_buffer


def _frame_of(request: Request) -> Frame | None:
    try:
        return request.frame
    except PlaywrightError:  # a service worker's, or its page is just being opened
        return None


def _await_document(page: Page, seconds: float) -> bool:
    try:
        page.wait_for_load_state("domcontentloaded", timeout=seconds * 1000)
    except PlaywrightError:  # the page is gone or does not answer; the next observation says so
        return False
    return True
