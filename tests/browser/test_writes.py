"""What a page writes is listed, and with ``read_only`` nothing of it is sent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Set
from typing import Any

import pytest
from canary import SocketServer
from local_site import Site
from playwright.sync_api import Browser, Page

from pytest_bwa.confinement.boundary import boundary_of
from pytest_bwa.confinement.confinement import Confinement
from pytest_bwa.confinement.guard import RequestGuard
from pytest_bwa.spec.task import TaskSpec

WRITES = """
<!doctype html><title>Writes</title>
<form id="framed" method="post" target="frame" action="/w/form-in-frame"></form>
<form id="opened" method="post" target="_blank" action="/w/form-in-popup"></form>
<iframe name="frame"></iframe><iframe src="/form"></iframe>
<script>
  const ignore = () => {};
  fetch('/w/fetch', {method: 'POST', body: 'x'}).catch(ignore);
  fetch('/w/patch', {method: 'PATCH', body: 'x', keepalive: true}).catch(ignore);
  const request = new XMLHttpRequest();
  request.open('PUT', '/w/xhr'); request.onerror = ignore; request.send('x');
  const sendBeacon = (path) => navigator.sendBeacon && navigator.sendBeacon(path, 'x');
  sendBeacon('/w/beacon');
  const script = (text) => URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
  const origin = location.origin;
  new Worker(script(`fetch('${origin}/w/worker', {method: 'DELETE'}).catch(() => {})`));
  const shared = script(`fetch('${origin}/w/shared', {method: 'POST'}).catch(() => {})`);
  if (self.SharedWorker) new SharedWorker(shared);
  navigator.serviceWorker.register('/worker.js').catch(ignore);
  new Worker(script(`const s = new WebSocket('SOCKET'); s.onopen = () => s.send('worker');`));
  const socket = new WebSocket('SOCKET');
  socket.onopen = () => socket.send('page');
  socket.onmessage = socket.onclose = () => { document.title = 'Answered'; };
  document.getElementById('framed').submit();
  document.getElementById('opened').submit();
  addEventListener('pagehide', () => {
    sendBeacon('/w/beacon-at-end');
    fetch('/w/fetch-at-end', {method: 'POST', keepalive: true}).catch(ignore);
    fetch(new Request('/w/request-at-end', {method: 'POST', keepalive: true})).catch(ignore);
    const late = new XMLHttpRequest();
    late.open('POST', '/w/xhr-at-end'); late.onerror = ignore; late.send('x');
  });
</script>
"""
FORM = "<form method=post action='/w/iframe'></form><script>document.forms[0].submit()</script>"
WORKER = "fetch('/w/service-worker', {method: 'POST', body: 'x'}).catch(() => {});"
PATHS = {
    "form-in-frame", "form-in-popup", "fetch", "patch", "xhr", "beacon", "worker", "shared",
    "service-worker", "iframe", "beacon-at-end", "fetch-at-end", "request-at-end",
}  # fmt: skip
AT_END = {"beacon-at-end", "fetch-at-end", "request-at-end"}
WITHHELD = {"beacon", "service-worker", "shared", "worker"} | AT_END
"""What read_only does not even let pages try, or what ends with the page that tries it."""


@pytest.fixture
def sockets() -> Iterator[SocketServer]:
    sockets = SocketServer()
    yield sockets
    sockets.close()


@pytest.fixture
def writing_site(site: Site, sockets: SocketServer) -> Site:
    site.pages = {
        "/": WRITES.replace("SOCKET", sockets.url),
        "/form": FORM,
        "/worker.js": (200, {"Content-Type": "text/javascript"}, WORKER.encode()),
        "/next": "<title>Next</title>",
    }
    return site


def wait_until(page: Page, is_true: Callable[[], bool], seconds: float = 60) -> None:
    """Until it is true, or the time is up; the assertion that follows says what is missing."""
    end = time.monotonic() + seconds
    while not is_true() and time.monotonic() < end:
        page.wait_for_timeout(50)


def written(site: Site) -> set[str]:
    return {r.path.removeprefix("/w/") for r in site.received if r.method != "GET"}


def open_all(
    browser: Browser,
    is_done: Callable[[RequestGuard], bool],
    site: Site,
    *,
    at_end: Set[str] = frozenset(),
    **spec: Any,
) -> RequestGuard:
    """Open the page that writes, leave it when all has begun, and return what was followed."""
    is_remote = spec.pop("is_remote", False)
    task = TaskSpec(task_id="t", goal="g", allowed_domains=["127.0.0.1"], **spec)
    confinement = Confinement(boundary_of(task, []))
    context = browser.new_context(**confinement.context_options(is_remote=is_remote))
    guard = confinement.attach(context)
    page = context.new_page()
    page.goto(site.url)
    wait_until(page, lambda: page.title() == "Answered" and is_done(guard))
    page.goto(f"{site.url}/next")
    if at_end:
        wait_until(page, lambda: written(site) >= at_end)
    else:
        page.wait_for_timeout(500)  # what should not come would come now
    context.close()
    confinement.close()
    return guard


def test_what_a_page_writes_is_listed(
    browser: Browser, writing_site: Site, sockets: SocketServer
) -> None:
    early = PATHS - AT_END
    both = {"page", "worker"}

    def has_begun(_: RequestGuard) -> bool:
        return written(writing_site) >= early and sockets.received >= both

    guard = open_all(browser, has_begun, writing_site, at_end=AT_END)
    assert written(writing_site) >= PATHS  # xhr-at-end comes only sometimes
    assert (sockets.opened, sockets.received) == (2, both)
    lists = guard.lists()
    listed = {r.url.rpartition("/w/")[2]: r for r in lists.writes}
    assert set(listed) == written(writing_site)
    assert not any(r.after_action for r in lists.writes)
    assert (listed["xhr"].method, listed["xhr"].resource_type) == ("PUT", "xhr")
    assert lists.blocked_requests == []


@pytest.mark.parametrize("is_remote", [False, True], ids=["proxy", "rules in the browser"])
def test_read_only_sends_nothing(
    browser: Browser, writing_site: Site, sockets: SocketServer, is_remote: bool
) -> None:
    """A browser elsewhere has no proxy of ours. Then what is sent is known only within the browser,
    as it is on encrypted sites."""
    early = PATHS - WITHHELD

    def blocked(guard: RequestGuard) -> set[str]:
        return {r.url.rpartition("/w/")[2] for r in guard.lists().blocked_requests}

    guard = open_all(
        browser,
        lambda g: blocked(g) >= early,
        writing_site,
        read_only=True,
        is_remote=is_remote,
    )
    assert early - blocked(guard) == set()
    assert written(writing_site) == set()
    assert (sockets.opened, sockets.received) == (0, set())
    assert guard.lists().writes == []
    assert "not sent, because the task is read_only: " in guard.take_unsent()
    assert guard.take_unsent() == ""


def test_read_only_lets_through_what_the_spec_names(browser: Browser, writing_site: Site) -> None:
    guard = open_all(
        browser,
        lambda _: written(writing_site) >= {"fetch", "xhr"},
        writing_site,
        read_only=True,
        allow_requests=[{"path": "/w/fetch"}, {"path": "/w/x*", "method": "PUT"}],
    )
    assert written(writing_site) == {"fetch", "xhr"}
    assert {r.url.rpartition("/w/")[2] for r in guard.lists().writes} == {"fetch", "xhr"}
