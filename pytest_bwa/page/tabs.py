"""The tabs of one sample: which are open, which is the current one, and their dialogs."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from playwright.sync_api import CDPSession, Dialog, Download, ElementHandle, Frame, Page, Response
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.errors import PageLost
from pytest_bwa.page.documents import Documents
from pytest_bwa.page.evaluation import ScriptWorlds
from pytest_bwa.page.list_numbers import ListNumbers
from pytest_bwa.page.readers import Readers, Reference
from pytest_bwa.page.time_limit import Clock, TimeLimit
from pytest_bwa.steps.step import ElementRef, Line, Tab
from pytest_bwa.steps.text import visible_text

BLANK = "about:blank"
CRASHED = "the page crashed (out of memory?)"
MAX_MESSAGE_CHARACTERS = 200
DOWNLOAD_TIMEOUT_MS = 2000
FILL_TIMEOUT_MS = 500
POLL_MS = 50
MAX_REPORTED = 3
"""Maximum number of dialogs or new tabs that are reported at once."""
MAX_LISTED = 10
"""Maximum number of tabs that are listed: the current one and the newest."""


@dataclass(frozen=True, slots=True)
class _DialogRecord:
    line: Line
    page: Page | None
    """Its tab in the background; None for the sample's own tabs."""
    is_shown: bool = False
    """Whether an observation has already shown it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The head of what a site sent."""

    status: int
    content_type: str


class Tabs:
    """The tabs of one sample. Each keeps its number until the sample ends; the first is 0.

    A popup is reported and listed, but does not become the current tab by itself. Dialogs are
    answered at once, as the task says, because an open dialog freezes its page.
    """

    def __init__(self, page: Page, answer: Literal["dismiss", "accept"] = "dismiss") -> None:
        self._pages: list[Page] = []
        self._answer = answer
        self._dialogs: list[_DialogRecord] = []
        self._sessions: dict[Page, CDPSession] = {}
        self._crashed: set[Page] = set()
        self.documents = Documents()
        """What the first number of an element's ref stands for."""
        self.list_numbers = ListNumbers()
        self.readers = Readers()
        self.scripts = ScriptWorlds()
        self._opened: list[int] = []
        self._downloads: defaultdict[Page | None, list[Download]] = defaultdict(list)
        """By their tab in the background; None for the sample's own tabs."""
        self._background: set[Page] = set()
        self._in_front: Page | None = None
        """The tab in the background that is the current one for a while."""
        self._begin: Callable[[Page], None] | None = None
        """What begins in the tab that is just being opened in the background."""
        self.answers: dict[str, Answer] = {}
        """What sites answered, by address, when this dictionary was last cleared or later, and
        something was opened. The browser does not say it of what a page only lets it save."""
        self.clock = Clock()
        """The time of the sample."""
        self.secrets_in: Callable[[str], Collection[str]] = lambda text: ()
        """The parts of a text that pictures must not show."""
        self._add(page)
        self._opened.clear()
        self._current = page
        self.readers.world(page)  # its script is in each document that is opened from now on
        page.context.on("page", self._add)
        page.context.on("response", self._remember_answer)

    def _add(self, page: Page) -> None:
        if page in self._pages:
            return
        page.on("dialog", self._answer_dialog)
        page.on("crash", self._close_crashed)
        page.on("download", self._add_download)
        opener = page.opener() if self._begin or self._background else None
        if opener in self._background:  # nobody would see it
            with contextlib.suppress(PlaywrightError):
                page.close()
            return
        if self._begin is not None and opener is None:
            begin, self._begin = self._begin, None
            self._background.add(page)
            begin(page)
            return
        self._opened.append(len(self._pages))
        self._pages.append(page)

    @property
    def downloads(self) -> list[Download]:
        """Downloads that started since this list was last cleared; those of a tab in the
        background only while it is shown."""
        return self._downloads[self._in_front]

    def _add_download(self, download: Download) -> None:
        self._downloads[self._beside(download.page)].append(download)

    def _beside(self, page: Page | None) -> Page | None:
        """The page, if it is one in the background."""
        return page if page in self._background else None

    def await_file(self, timeout_ms: float = DOWNLOAD_TIMEOUT_MS) -> bool:
        """Wait until a download starts in any tab: the browser may report one only after the page
        that requested it has settled. Whether one did."""
        until = self.clock() + timeout_ms / 1000
        while not self.downloads and self.clock() < until:
            if not self._pause():
                break
        return bool(self.downloads)

    # -- in the background -------------------------------------------------------------------

    def open_in_background(self, begin: Callable[[Page], None]) -> Page:
        """A new tab that has no number and is never listed. ``begin`` may wait for whatever it
        likes, and keeps nobody waiting: an event of the browser is handled beside all else."""
        self._begin = begin
        page = self.current.context.new_page()
        while self._begin is not None:
            page.wait_for_timeout(0)
        return page

    @property
    def has_background(self) -> bool:
        return bool(self._background)

    @property
    def is_beside(self) -> bool:
        """Whether the current tab is one in the background."""
        return self._in_front is not None

    def show_background(self, page: Page | None) -> None:
        """Make a tab in the background the current one; None for the sample's own."""
        self._in_front = page

    def close_background(self) -> None:
        self._in_front = None
        for page in self._background:
            with contextlib.suppress(PlaywrightError):
                page.close()
        self._background.clear()

    # -- tabs --------------------------------------------------------------------------------

    def _remember_answer(self, response: Response) -> None:
        with contextlib.suppress(PlaywrightError):  # its page is gone already
            if response.request.is_navigation_request():
                content_type = response.headers.get("content-type", "")
                self.answers[response.url] = Answer(response.status, content_type)

    @property
    def has_open(self) -> bool:
        """Whether any tab is still open."""
        return any(map(_shows_page, self._pages))

    @property
    def current(self) -> Page:
        """The current tab; if it was closed, the last one that is still open."""
        if self._in_front is not None:
            if self._in_front.is_closed():
                raise PageLost(
                    CRASHED if self._in_front in self._crashed else "the page closed itself"
                )
            return self._in_front
        if self._current.is_closed():
            open_pages = [page for page in self._pages if _shows_page(page)]
            if not open_pages:
                raise PageLost("the page closed itself, and no other tab is open")
            self._current = open_pages[-1]
        return self._current

    def close_empty(self) -> None:
        """Close the tabs that were opened only for a file: the browser leaves them without a
        document, or with the empty one in which a script asked for the file."""
        askers = [download.page for download in self.downloads]
        for page in self._pages[1:] if askers else ():
            is_asker = page in askers and page.url == BLANK
            if not page.is_closed() and (is_asker or not _shows_page(page)):
                with contextlib.suppress(PlaywrightError):
                    page.close()

    def await_filled(self) -> bool:
        """Give tabs that were just opened empty a moment to show a page, or to bring a file.
        Whether there were any."""
        until, has_any = self.clock() + FILL_TIMEOUT_MS / 1000, False
        while not self.downloads and self.clock() < until:
            opened = [self._pages[number] for number in self._opened]
            if not any(page.url == BLANK and not page.is_closed() for page in opened):
                break
            has_any = True
            if not self._pause():
                break
        return has_any

    def _pause(self) -> bool:
        """Wait for events; False if the page is gone, which the next observation says."""
        try:
            self.current.wait_for_timeout(POLL_MS)
        except PlaywrightError:
            return False
        return True

    def take_opened(self) -> list[int]:
        """The numbers of the tabs that were opened since this was asked last, and show a page."""
        opened, self._opened = self._opened, []
        return [number for number in opened if _shows_page(self._pages[number])]

    def _close_crashed(self, page: Page) -> None:
        """Close a crashed page, so that nobody waits forever, for example for its accessibility
        tree."""
        self._crashed.add(page)
        with contextlib.suppress(PlaywrightError):
            page.close()

    def report_crashes(self, within: TimeLimit) -> TimeLimit:
        """``within``, but if the page was lost because it crashed, the error says so. Otherwise
        it might only say that the page was closed, was detached or did not answer."""

        @contextlib.contextmanager
        def limit(seconds: float, what: str) -> Iterator[None]:
            try:
                with within(seconds, what):
                    yield
            except PageLost as lost:
                if (self._in_front or self._current) not in self._crashed:
                    raise
                raise PageLost(CRASHED) from lost

        return limit

    def frames(self) -> list[Frame]:
        """The frames of the current tab."""
        return frames_of(self.current)

    def element(self, ref: ElementRef) -> ElementHandle | None:
        """None if the element, its document or its frame is gone, or is in another tab."""
        reference = self.reference(ref)
        if reference is None:
            return None
        try:
            return self.readers.element(reference)
        except PlaywrightError:
            if reference.document.frame.is_detached():  # it was removed at this moment
                return None
            raise

    def reference(self, ref: ElementRef) -> Reference | None:
        """The element for the readers; None if its frame is gone, or is in another tab."""
        document = self.documents.find(self.current, ref[0])
        return Reference(document, ref[1]) if document else None

    def number_of(self, page: Page) -> int | None:
        """The number of a tab; None if it was closed."""
        return None if page.is_closed() else self._pages.index(page)

    def url(self, number: int) -> str:
        return self._pages[number].url

    def switch(self, number: int) -> Page | None:
        """Make the tab with that number the current one; None if no such tab is open."""
        if not 0 <= number < len(self._pages) or not _shows_page(self._pages[number]):
            return None
        self._current = self._pages[number]
        return self._current

    def list_open(self) -> tuple[Tab, ...]:
        """The open tabs if there is more than one; if there are very many, the newest."""
        numbered = [(n, page) for n, page in enumerate(self._pages) if _shows_page(page)]
        if len(numbered) < 2 or self._in_front is not None:
            return ()
        current = self.current
        older = [(n, page) for n, page in numbered[: -MAX_LISTED + 1] if page is current]
        listed = [*older, *numbered[-MAX_LISTED + len(older) :]]
        return tuple(Tab(n, self._title(page), page.url, page is current) for n, page in listed)

    def _title(self, page: Page) -> str:
        """The page's title. The browser is asked, because a page that hangs would not answer."""
        try:
            if page not in self._sessions:
                self._sessions[page] = page.context.new_cdp_session(page)
            info = self._sessions[page].send("Target.getTargetInfo")
            return visible_text(str(info["targetInfo"]["title"]))
        except PlaywrightError:  # not Chromium, or the tab is just closing
            return ""

    # -- dialogs -----------------------------------------------------------------------------

    def _answer_dialog(self, dialog: Dialog) -> None:
        # "Leave this page?" is always answered with yes: no page may keep the agent.
        accept = self._answer == "accept" or dialog.type == "beforeunload"
        message = visible_text(dialog.message)[:MAX_MESSAGE_CHARACTERS]
        answer = "accepted" if accept else "dismissed"
        text = f'{dialog.type} "{message}" ({answer})'
        number = self.list_numbers.new()
        self._dialogs.append(_DialogRecord(Line(number, "dialog", text), self._beside(dialog.page)))
        act: Callable[[], None] = dialog.accept if accept else dialog.dismiss
        try:
            act()
        except PlaywrightError:  # the page went away with its dialog
            return

    def handle_events(self) -> None:
        """Handle the events that arrived while Python was waiting for something else: a dialog
        that opened meanwhile blocks its page until it is answered. Raises PageLost if the page is
        gone."""
        try:
            self.current.wait_for_timeout(0)
        except PlaywrightError as error:
            raise PageLost(f"the page is gone: {error.message.splitlines()[0]}") from error

    def _shown_here(self) -> list[_DialogRecord]:
        """The dialogs of the sample's own tabs, or of the one in the background that is shown."""
        return [dialog for dialog in self._dialogs if dialog.page is self._in_front]

    def take_dialogs(self) -> tuple[Line, ...]:
        """The last few dialogs since the previous decision; they count as shown now."""
        own = self._shown_here()
        latest = own[-MAX_REPORTED:]
        self._dialogs = [replace(d, is_shown=True) if d in own else d for d in self._dialogs]
        return tuple(dialog.line for dialog in latest)

    def forget_shown_dialogs(self) -> None:
        """Forget the dialogs that an observation has shown."""
        self._dialogs = [dialog for dialog in self._dialogs if not dialog.is_shown]

    def unshown_dialogs(self) -> tuple[str, ...]:
        """The dialogs that no observation has shown yet."""
        return tuple(dialog.line.text for dialog in self._shown_here() if not dialog.is_shown)


def _shows_page(page: Page) -> bool:
    """Whether a tab is open and has a document. One without was opened for a file, and answers
    nobody: the browser reports a tab only when it knows what comes."""
    return not page.is_closed() and page.url != ""


def frames_of(page: Page) -> list[Frame]:
    """The main frame, then the other attached frames. A frame's place changes when one before it
    is removed."""
    return [page.main_frame, *(f for f in page.frames if f != page.main_frame and f.url != "")]
