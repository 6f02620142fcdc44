"""Follows the requests of a sample's context: what was blocked, and what may have written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, Page, Request, WebSocket
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.confinement.boundary import WITHOUT_HOST, Boundary
from pytest_bwa.confinement.certificates import SiteCertificates
from pytest_bwa.confinement.request_list import (
    ActionTimes,
    ProxyLog,
    Sent,
    list_blocked,
    list_writes,
)
from pytest_bwa.spec.network.allowed_requests import READING_METHODS, AllowedRequest
from pytest_bwa.spec.network.hosts import endpoint_of
from pytest_bwa.steps.requests import NOT_APPROVED, REJECTED, SEND, WORKER, RequestLists, public_url
from pytest_bwa.steps.text import first_of

MAX_FOLLOWED = 5000
"""Requests that are kept of one sample; the lists of its result are shorter."""
MAX_NAMED = 3
"""Blocked requests that are named to the policy at once."""
WEBSOCKET = "websocket"
Gate = Callable[[str, str], bool]
"""Whether a request that may write, of a method to an address, is approved. It may wait long."""


class RequestGuard:
    """What one sample's pages sent, or tried to send."""

    def __init__(self, boundary: Boundary, log: ProxyLog) -> None:
        self.boundary, self._log = boundary, log
        self.certificates = SiteCertificates()
        self._times = ActionTimes()
        self._writes: list[tuple[Sent, Request | None]] = []
        self._blocked: list[tuple[Sent, Request | None]] = []
        self._last_page = ""
        """The address of the last page that was asked for, redirects included."""
        self._stopped: list[tuple[str, Page | None]] = []
        """Pages that were not opened since the last action began, with their tabs; a tab that was
        just being opened is None."""
        self._unsent: list[str] = []
        """Requests that were not sent since then, because they would write."""
        self._reported: set[str] = set()
        self.gate: Gate | None = None
        """Asks a person about what the present action sends; None if nothing of it may be sent."""

    # -- following -----------------------------------------------------------------------------

    def follow(self, context: BrowserContext) -> None:
        context.on("request", self._add)
        context.on("page", self._follow_sockets)
        self.certificates.follow(context)
        for page in context.pages:
            self._follow_sockets(page)

    def _follow_sockets(self, page: Page) -> None:
        page.on("websocket", self._follow_socket)

    def _follow_socket(self, socket: WebSocket) -> None:
        if self.boundary.url_refusal(socket.url):
            return  # no message passes, and the proxy has it in its log
        socket.on("framesent", lambda _: self._keep(Sent(SEND, socket.url, WEBSOCKET)))

    def add_unopened_socket(self, url: str, reason: str) -> None:
        """Note a WebSocket that was not opened, because it could send."""
        self._keep(Sent(SEND, url, WEBSOCKET, reason))
        self._unsent.append(f"{SEND} {public_url(url)}")

    def add_unstarted_worker(self, url: str, page_url: str) -> None:
        """Note a worker that was not started, because nobody might see what it sends."""
        of = url if endpoint_of(url) else page_url
        self._keep(Sent(WORKER, of, WORKER.lower(), self.boundary.holding))
        name = f"what a worker of {public_url(of)} might send"
        self._unsent.append(f"{name} (it was not started, so the page may lack what it makes)")

    def _add(self, request: Request) -> None:
        url, method, kind = request.url, request.method, request.resource_type
        if url.partition(":")[0] in WITHOUT_HOST:
            return
        is_page = _is_page(request)
        if is_page:
            self._last_page = url
        if reason := self.boundary.url_refusal(url):
            if self.boundary.may_read_asset(method, url, kind):
                return
            if is_page:
                self._stopped.append((url, _tab_of(request)))
            self._keep(Sent(method, url, kind, reason), request)
        elif method not in READING_METHODS and not self._is_held(request):
            self._keep_write(request, self.boundary.writing_refusal(method, url, body_of(request)))

    def _is_held(self, request: Request) -> bool:
        """Whether ``writing_refusal`` keeps it: the browser holds no redirected requests, and what
        a site makes of one that was approved belongs to it."""
        return self.boundary.asks and request.redirected_from is None

    def writing_refusal(self, request: Request) -> str:
        """Why a request that the browser holds may not be sent on; empty if it may."""
        method, url = request.method, request.url
        reason = self.boundary.unasked_refusal(method, url, body_of(request))
        if not self.boundary.asks or method in READING_METHODS:
            return reason
        endpoint = endpoint_of(url)
        if endpoint and reason == NOT_APPROVED and self.gate is not None:
            if self.gate(method, url):
                self.boundary.approved.add(endpoint)
                reason = ""
            else:
                reason = REJECTED
            self._keep(Sent(method, url, request.resource_type, reason), request)
        else:
            self._keep_write(request, reason)
        return reason

    def _keep_write(self, request: Request, reason: str) -> None:
        """Keep a request about which no person decided."""
        if reason:
            self._unsent.append(f"{request.method} {public_url(request.url)}")
        self._keep(Sent(request.method, request.url, request.resource_type, reason), request)

    def _keep(self, sent: Sent, request: Request | None = None) -> None:
        kept = self._blocked if sent.reason else self._writes
        if len(kept) < MAX_FOLLOWED:
            kept.append((sent, request))

    @contextmanager
    def letting_through(self, request: AllowedRequest) -> Iterator[None]:
        """Let a kind of request through, which the harness sends, and no policy."""
        self.boundary.of_harness.append(request)
        try:
            yield
        finally:
            self.boundary.of_harness.remove(request)

    # -- for actions ---------------------------------------------------------------------------

    def begin_action(self, step: int, *, acts: bool) -> None:
        """``acts``: the action may change something, which opening an address does not."""
        self._times.begin(step, acts=acts)
        self._stopped.clear()
        self.boundary.approved.clear()  # only now: what was approved may be on its way until then

    def end_action(self) -> None:
        self._times.end()
        self.gate = None

    def refusal(self, url: str) -> str:
        """Why an address may not be opened, in a sentence for the policy; empty if it may."""
        boundary = self.boundary
        if reason := boundary.url_refusal(url):
            return f"{public_url(url)} was not opened: {reason} (allowed: {boundary.hosts})"
        return ""

    def stopped_page(self, tab: Page) -> str:
        """The same for the last page to which the current action led in this tab."""
        return self._last_refusal(page for page in self._stopped if page[1] == tab)

    def stopped_popup(self, tab: Page) -> str:
        """The same for the last page that it would have opened in another tab."""
        return self._last_refusal(page for page in self._stopped if page[1] != tab)

    def _last_refusal(self, stopped: Iterable[tuple[str, Page | None]]) -> str:
        return next((self.refusal(url) for url, _ in reversed(list(stopped))), "")

    def network_error(self) -> str:
        """Why the host of the last page could not be reached, in the browser's own word; empty if
        this is not known."""
        return self._log.failures.get(str(endpoint_of(self._last_page)), "")

    def take_unsent(self) -> str:
        """What was not sent because it would write, in a sentence for the policy, each once."""
        why = self.boundary.holding
        stopped = [entry for entry in self._log.blocked.copy() if entry.reason == why]
        names = self._unsent + [f"{entry.method} {public_url(entry.url)}" for entry in stopped]
        new = [name for name in dict.fromkeys(names) if name not in self._reported]
        self._reported.update(new)
        self._unsent.clear()
        if not new:
            return ""
        return f"not sent, because {why}: {first_of(new, MAX_NAMED)}"

    # -- for the result ------------------------------------------------------------------------

    def lists(self) -> RequestLists:
        """What the result says of the sample's requests."""
        blocked, blocked_total = list_blocked(
            map(_timed, self._blocked), self._log.blocked.copy(), self._times
        )
        writes, writes_total = list_writes(
            map(_timed, self._writes), self._log.writes.copy(), self._times
        )
        return RequestLists(
            blocked_requests=blocked,
            blocked_requests_total=blocked_total,
            writes=writes,
            writes_total=writes_total,
            certificates=self.certificates.records(),
        )


def body_of(request: Request) -> bytes:
    """Empty if the browser does not say it."""
    try:
        return request.post_data_buffer or b""
    except PlaywrightError:
        return b""


def _is_page(request: Request) -> bool:
    """Whether the request opens a page, and not a frame of one."""
    if not request.is_navigation_request():
        return False
    try:
        return request.frame.parent_frame is None
    except PlaywrightError:  # a page that is just being opened
        return True


def _tab_of(request: Request) -> Page | None:
    try:
        return request.frame.page
    except PlaywrightError:  # it is just being opened
        return None


def _timed(pair: tuple[Sent, Request | None]) -> Sent:
    """With the time at which the browser sent it: its report may have waited for Python."""
    sent, request = pair
    started = request.timing["startTime"] if request is not None else -1
    if started > 0:
        sent.time = started / 1000
    return sent
