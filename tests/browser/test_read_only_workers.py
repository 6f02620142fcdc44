"""With ``read_only``, what workers of every kind would send over TLS does not reach the server."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from secure_site import SecureSite, certificate

from pytest_bwa.confinement.boundary import boundary_of
from pytest_bwa.confinement.confinement import Confinement
from pytest_bwa.confinement.guard import RequestGuard
from pytest_bwa.spec.network.allowed_requests import AllowedRequest
from pytest_bwa.spec.task import TaskSpec

SENDS = """{
  const socket = new WebSocket('wss://127.0.0.1:PORT/s/NAME');
  socket.onopen = () => { socket.send('x'); socket._ws?.send('x'); };
  const options = {method: 'POST', mode: 'no-cors', body: 'x'};
  fetch('https://127.0.0.1:PORT/w/NAME', options).catch(() => {});
}"""
"""``_ws`` is what Playwright's stand-in for a WebSocket keeps the real one in."""
PAGE = """<!doctype html><title>Waiting</title><iframe src="https://localhost:PORT/frame"></iframe>
<iframe sandbox="allow-scripts" srcdoc="<script>
  SENDS_sandboxed
  new Worker('data:text/javascript,' + encodeURIComponent(`SENDS_of-sandboxed`));
</script>"></iframe><iframe id="blank"></iframe><script>
  const blob = (text) => URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
  SENDS_page
  new Worker(blob(`SENDS_blob`));
  new Worker('data:text/javascript,' + encodeURIComponent(`SENDS_data`));
  new Worker('/network.js');
  new Worker('/module.js', {type: 'module'});
  new Worker(blob(`new Worker('${blob(`SENDS_nested`)}')`));
  new (document.getElementById('blank').contentWindow.Worker)(blob(`SENDS_of-blank`));
  fetch('/data').then(() => { document.title = 'Read'; });
</script>"""
FRAME = """<script>
  SENDS_frame
  new Worker('/of-frame.js');
  new Worker(`data:text/javascript,SENDS_data-of-frame`);
</script>"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg"><title>Waiting</title><script>
  new Worker(`data:text/javascript,SENDS_svg`);
  fetch('/data').then(() => { document.querySelector('title').textContent = 'Read'; });
</script></svg>"""
DOCUMENTS = {"page", "frame", "sandboxed"}
FILES = {"network", "module", "of-frame"}
EVERYTHING = (
    DOCUMENTS
    | FILES
    | {"blob", "data", "nested", "of-blank", "svg", "of-sandboxed", "data-of-frame"}
)
NOT_STARTED = {"network.js", "module.js", "of-frame.js", ""}
"""Workers by their files; what is made of text counts as the page's."""


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(params=[False, True], ids=["HTTP/1.1", "HTTP/2"])
def secure_site(request: pytest.FixtureRequest, pem: Path) -> Iterator[SecureSite]:
    site = SecureSite(pem, http2=request.param)

    def script(name: str) -> str:
        return SENDS.replace("NAME", name)

    def filled(text: str) -> str:
        text = re.sub(r"SENDS_([a-z-]+)", lambda found: script(found[1]), text)
        return text.replace("PORT", str(site.port))

    site.pages = {
        "/": ("text/html", filled(PAGE)),
        "/frame": ("text/html", filled(FRAME)),
        "/drawing": ("image/svg+xml", filled(SVG)),
        "/data": ("text/plain", "data"),
        **{f"/{name}.js": ("text/javascript", filled(script(name))) for name in FILES},
    }
    yield site
    site.close()


def wait_until(page: Page, is_true: Callable[[], bool], seconds: float = 30) -> None:
    """Until it is true, or the time is up; the assertion that follows says what is missing."""
    end = time.monotonic() + seconds
    while not is_true() and time.monotonic() < end:
        page.wait_for_timeout(50)


def sent(site: SecureSite, kind: str) -> set[str]:
    paths = site.messages if kind == "s" else {p for m, p in site.requests if m == "POST"}
    return {path.removeprefix(f"/{kind}/") for path in paths}


def blocked(guard: RequestGuard, kind: str) -> set[str]:
    records = guard.lists().blocked_requests
    return {r.url.rpartition(f"/{kind}/")[2] for r in records if f"/{kind}/" in r.url}


def not_started(guard: RequestGuard) -> set[str]:
    records = guard.lists().blocked_requests
    return {r.url.rpartition("/")[2] for r in records if r.method == "WORKER"}


def open_pages(
    browser: Browser, site: SecureSite, is_done: Callable[[RequestGuard], bool], **spec: Any
) -> RequestGuard:
    hosts = ["127.0.0.1", "localhost"]
    task = TaskSpec(task_id="t", goal="g", allowed_domains=hosts, **spec)
    confinement = Confinement(boundary_of(task, []))
    context = browser.new_context(**confinement.context_options(), ignore_https_errors=True)
    guard = confinement.attach(context)
    drawing, page = context.new_page(), context.new_page()
    drawing.goto(f"{site.url}/drawing")
    wait_until(page, lambda: drawing.title() == "Read")  # it is the first that is reported
    page.goto(site.url)
    wait_until(page, lambda: page.title() == "Read" and is_done(guard))
    assert drawing.title() == page.title() == "Read"
    assert context.request.get(f"{site.url}/data").text() == "data"  # as Python reads files
    context.close()
    confinement.close()
    return guard


def open_until(
    is_done: Callable[[RequestGuard], bool], browser: Browser, site: SecureSite, **spec: Any
) -> RequestGuard:
    """Up to three times: on a busy machine, a worker sometimes never starts."""
    for _ in range(3):
        guard = open_pages(browser, site, is_done, **spec)
        if is_done(guard):
            break
    return guard


def test_nothing_that_may_write_is_sent_by_workers_and_frames(
    browser: Browser, secure_site: SecureSite
) -> None:
    site = secure_site

    def has_come(_: RequestGuard) -> bool:
        return sent(site, "s") >= EVERYTHING and sent(site, "w") >= EVERYTHING

    open_until(has_come, browser, site)
    # Without read_only, all of it arrives; within HTTP/2 too, where the site offers that.
    assert (sent(site, "s"), sent(site, "w")) == (EVERYTHING, EVERYTHING)
    assert bool(site.within_http2) == site.http2
    site.messages.clear()
    site.requests.clear()

    def has_ended(guard: RequestGuard) -> bool:
        are_blocked = all(blocked(guard, kind) >= DOCUMENTS for kind in "sw")
        return are_blocked and not_started(guard) >= NOT_STARTED

    guard = open_pages(browser, site, has_ended, read_only=True)
    assert (sent(site, "s"), sent(site, "w")) == (set(), set())
    assert (blocked(guard, "s"), blocked(guard, "w")) == (DOCUMENTS, DOCUMENTS)
    assert not_started(guard) >= NOT_STARTED
    assert ("GET", "/data") in site.requests
    assert f"what a worker of {site.url}/drawing might send" in guard.take_unsent()
    # For a host that the spec names, workers start, and WebSockets send; POSTs still do not.
    named = [AllowedRequest(method="CONNECT", path="/", host="127.0.0.1")]

    def has_workers(guard: RequestGuard) -> bool:
        # A page of another host starts none.
        are_listed = blocked(guard, "w") >= {"blob", "data"} and "of-frame.js" in not_started(guard)
        return are_listed and sent(site, "s") >= {"blob", "page"}

    guard = open_until(has_workers, browser, site, read_only=True, allow_requests=named)
    assert blocked(guard, "w") >= {"blob", "data"}
    assert "of-frame.js" in not_started(guard)
    assert sent(site, "s") >= {"blob", "page"}
    assert not sent(site, "w") & DOCUMENTS
