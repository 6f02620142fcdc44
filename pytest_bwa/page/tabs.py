"""The open tabs of one sample, which of them is looked at, and what their dialogs said (F-31)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Literal

from playwright.sync_api import CDPSession, Dialog, Download, Frame, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.errors import PageLost
from pytest_bwa.steps import Tab

SAID_CHARACTERS = 200
FILE_MS = 2000
MAX_TOLD = 3
"""Dialogs or tabs told of a page that opens one after the other."""
MAX_LISTED = 10
"""Tabs, the current one and the newest."""
TimeLimit = Callable[[float, str], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class _Heard:
    said: str
    shown: bool = False


class Tabs:
    """Tabs keep their number for as long as the sample lasts; the first is 0.

    A popup is told and listed, but does not become the current tab by itself. Dialogs are answered
    at once, as the task says: an open one would freeze its page.
    """

    def __init__(self, page: Page, answer: Literal["dismiss", "accept"] = "dismiss") -> None:
        self._pages: list[Page] = []
        self._answer = answer
        self._heard: list[_Heard] = []
        self._sessions: dict[Page, CDPSession] = {}
        self._crashed: set[Page] = set()
        self.opened: list[int] = []
        """Numbers of tabs that were opened since this was last emptied."""
        self.downloads: list[Download] = []
        """What pages began to send since this was last emptied."""
        self._add(page)
        self.opened.clear()
        self._current = page
        page.context.on("page", self._add)

    def _add(self, page: Page) -> None:
        if page in self._pages:
            return
        self.opened.append(len(self._pages))
        self._pages.append(page)
        page.on("dialog", self._hear)
        page.on("crash", self._bury)
        page.on("download", self._receive)

    def _receive(self, download: Download) -> None:
        self.downloads.append(download)

    def await_file(self) -> None:
        """Until a page begins to send a file, or for two seconds; the browser tells of it later
        than the page that asked for it comes to rest."""
        if self.downloads:
            return
        try:
            self.current.wait_for_event("download", timeout=FILE_MS)
        except PlaywrightError:  # no file: the page was only not left
            return

    # -- tabs --------------------------------------------------------------------------------

    @property
    def current(self) -> Page:
        """The tab that is looked at; when it was closed, the last one that is still open."""
        if self._current.is_closed():
            left = [page for page in self._pages if not page.is_closed()]
            if not left:
                raise PageLost("the page closed itself, and no other tab is open")
            self._current = left[-1]
        return self._current

    def _bury(self, page: Page) -> None:
        """Closed, a crashed page frees whoever waits for it: its accessibility tree never comes."""
        self._crashed.add(page)
        with contextlib.suppress(PlaywrightError):
            page.close()

    def naming_crashes(self, within: TimeLimit) -> TimeLimit:
        """``within``, but a page that is lost by a crash is told as such, whatever the work that
        met it says: that it was closed, detached or did not answer."""

        @contextlib.contextmanager
        def named(seconds: float, what: str) -> Iterator[None]:
            try:
                with within(seconds, what):
                    yield
            except PageLost as lost:
                if self._current not in self._crashed:
                    raise
                raise PageLost("the page crashed (out of memory?)") from lost

        return named

    def frames(self) -> list[Frame]:
        """Those of the current tab."""
        return frames_of(self.current)

    def url(self, number: int) -> str:
        return self._pages[number].url

    def switch(self, number: int) -> Page | None:
        """The tab of that number, current from now on; None where there is none open."""
        if not 0 <= number < len(self._pages) or self._pages[number].is_closed():
            return None
        self._current = self._pages[number]
        return self._current

    def listed(self) -> tuple[Tab, ...]:
        """The open tabs, where there is more than one; of very many the newest."""
        there = [(n, page) for n, page in enumerate(self._pages) if not page.is_closed()]
        if len(there) < 2:
            return ()
        current = self.current
        older = [(n, page) for n, page in there[: -MAX_LISTED + 1] if page is current]
        shown = [*older, *there[-MAX_LISTED + len(older) :]]
        return tuple(Tab(n, self._title(page), page.url, page is current) for n, page in shown)

    def _title(self, page: Page) -> str:
        """Asked of the browser, not of the page: one that hangs would not answer."""
        try:
            if page not in self._sessions:
                self._sessions[page] = page.context.new_cdp_session(page)
            info = self._sessions[page].send("Target.getTargetInfo")
            return str(info["targetInfo"]["title"])
        except PlaywrightError:  # not Chromium, or just being closed
            return ""

    # -- dialogs -----------------------------------------------------------------------------

    def _hear(self, dialog: Dialog) -> None:
        # "Leave this page?" is always answered with yes: a page must not hold the agent.
        accept = self._answer == "accept" or dialog.type == "beforeunload"
        said = dialog.message[:SAID_CHARACTERS]
        done = "accepted" if accept else "dismissed"
        self._heard.append(_Heard(f'{dialog.type} "{said}" ({done})'))
        act: Callable[[], None] = dialog.accept if accept else dialog.dismiss
        try:
            act()
        except PlaywrightError:  # the page went away with its dialog
            return

    def pump(self) -> None:
        """Let events in that came while Python was waiting for something else: a dialog that
        opened meanwhile holds its page until it is answered. PageLost where the page is gone."""
        try:
            self.current.wait_for_timeout(0)
        except PlaywrightError as error:
            raise PageLost(f"the page is gone: {error.message.splitlines()[0]}") from error

    def dialogs(self) -> tuple[str, ...]:
        """What dialogs said since the decision before this one, the last few of them."""
        told = self._heard[-MAX_TOLD:]
        self._heard = [replace(heard, shown=True) for heard in self._heard]
        return tuple(heard.said for heard in told)

    def forget_shown_dialogs(self) -> None:
        self._heard = [heard for heard in self._heard if not heard.shown]

    def fresh_dialogs(self) -> tuple[str, ...]:
        """Those that no observation has shown yet."""
        return tuple(heard.said for heard in self._heard if not heard.shown)


def frames_of(page: Page) -> list[Frame]:
    """The main frame first, then the others that are attached, in a stable order: an element's ref
    begins with its frame's place here."""
    return [page.main_frame, *(f for f in page.frames if f != page.main_frame and f.url != "")]
