"""A page that tries everything does not get out of the hosts of its task."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from canary import Canary
from local_site import Site
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.navigate import goto
from pytest_bwa.confinement.boundary import boundary_of
from pytest_bwa.confinement.confinement import Confinement
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action

ATTEMPTS = """
<!doctype html><title>Attempts</title>
<link rel="prefetch" href="CANARY/prefetch"><link rel="preload" as="fetch" href="CANARY/preload">
<link rel="stylesheet" href="CANARY/stylesheet"><link rel="modulepreload" href="CANARY/module">
<style>
  @import url(CANARY/import);
  @font-face { font-family: F; src: url(CANARY/font) }
  body { font-family: F; background: url(CANARY/background) }
</style>
<body>Text
<img src="CANARY/img"><img src="/redirect"><img srcset="CANARY/srcset 1x">
<img src="http://2130706433:PORT/number"><img src="http://0x7f.1:PORT/hexadecimal">
<img src="http://[::1]:PORT/ipv6"><img src="http://[::ffff:127.0.0.1]:PORT/mapped">
<img src="http://localhost.:PORT/final-dot"><img src="http://0.0.0.0:PORT/zero">
<img src="http://LOCALHOST:PORT/capitals"><img src="http://127.0.0.1%2E:PORT/encoded">
<iframe src="CANARY/iframe"></iframe><iframe src="/refresh"></iframe><iframe name="target"></iframe>
<iframe srcdoc="<img src='CANARY/srcdoc'>"></iframe>
<iframe sandbox="allow-scripts" src="data:text/html,<script>fetch('CANARY/opaque')</script>">
</iframe>
<object data="CANARY/object"></object><embed src="CANARY/embed">
<video src="CANARY/video"></video><audio src="CANARY/audio" preload="auto"></audio>
<svg><image href="CANARY/svg" width="1" height="1"></image></svg>
<form id="form" method="post" target="target" action="CANARY/form"><input name="a" value="b"></form>
<script src="CANARY/script"></script>
<script>
  const ignore = () => {};
  const get = (name, options) => fetch(`CANARY/${name}`, options).catch(ignore);
  get('fetch'); get('no-cors', {mode: 'no-cors'}); get('keepalive', {keepalive: true});
  get('put', {method: 'PUT', body: 'x'});
  const request = new XMLHttpRequest();
  request.open('GET', 'CANARY/xhr'); request.onerror = ignore; request.send();
  navigator.sendBeacon('CANARY/beacon', 'x');
  new EventSource('CANARY/events');
  new WebSocket('ws://127.0.0.1:PORT/websocket');
  const script = (text) => URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
  new Worker(script("try { importScripts('CANARY/import-scripts') } catch (e) {}"));
  new Worker(script("fetch('CANARY/worker').catch(() => {})"));
  new Worker(script("new WebSocket('ws://127.0.0.1:PORT/worker-socket')"));
  new SharedWorker(script("fetch('CANARY/shared-worker').catch(() => {})"));
  navigator.serviceWorker.register('/worker.js');
  document.getElementById('form').submit();
  window.open('CANARY/popup');
  window.open('http://127.0.0.1:OWN@127.0.0.1:PORT/userinfo');
  window.open('/popup');
  import('CANARY/dynamic-import').catch(ignore);
  const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:PORT'}]});
  peer.createDataChannel('x');
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  peer.onicegatheringstatechange = () => {
    if (peer.iceGatheringState === 'complete') document.title = 'Gathered';
  };
</script>
"""
HTTP_ATTEMPTS = {
    "prefetch", "preload", "stylesheet", "module", "import", "font", "background", "img",
    "redirect", "srcset", "number", "hexadecimal", "ipv6", "mapped", "final-dot", "zero",
    "capitals", "iframe", "refresh", "srcdoc", "opaque", "object", "embed", "video", "audio", "svg",
    "form", "script", "fetch", "no-cors", "keepalive", "put", "xhr", "beacon", "events",
    "import-scripts", "worker", "shared-worker", "service-worker", "popup", "userinfo",
    "popup-by-script", "dynamic-import",
}  # fmt: skip
SOCKETS = {"websocket", "worker-socket"}


@pytest.fixture
def canary() -> Iterator[Canary]:
    canary = Canary()
    yield canary
    canary.close()


def wait_until(page: Page, is_true: Callable[[], bool], seconds: float = 60) -> None:
    """Until it is true, or the time is up; the assertion that follows says what is missing."""
    end = time.monotonic() + seconds
    while not is_true() and time.monotonic() < end:
        page.wait_for_timeout(50)


def confinement_for(site: Site, **spec: object) -> Confinement:
    task = TaskSpec(task_id="t", goal="g", **spec)  # type: ignore[arg-type]
    return Confinement(boundary_of(task, [site.url]))


@pytest.fixture
def open_browser(browser_type: Any, browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """A browser that is launched without what keeps WebRTC from going past the proxy."""
    args = [argument for argument in browser_type_launch_args["args"] if "webrtc" not in argument]
    browser = browser_type.launch(**{**browser_type_launch_args, "args": args})
    yield browser
    browser.close()


def attempts_at(canary: Canary, site: Site) -> dict[str, str | tuple[int, dict[str, str], bytes]]:
    """The pages of a site that try everything to reach a canary."""
    address = f"http://127.0.0.1:{canary.port}"
    own = site.url.rpartition(":")[2]
    return {
        "/": ATTEMPTS.replace("CANARY", address).replace("PORT", str(canary.port))
        .replace("OWN", own),
        "/redirect": (302, {"Location": f"{address}/redirect"}, b""),
        "/refresh": f'<meta http-equiv="refresh" content="0; url={address}/refresh">',
        "/popup": f"<script>location = '{address}/popup-by-script'</script>",
        "/worker.js": (
            200, {"Content-Type": "text/javascript"},
            f"fetch('{address}/service-worker', {{mode: 'no-cors'}}).catch(() => {{}})".encode(),
        ),
    }  # fmt: skip


def test_a_page_that_tries_everything_reaches_no_other_host(
    browser: Browser, open_browser: Browser, site: Site, canary: Canary
) -> None:
    site.pages = attempts_at(canary, site)
    open_page = open_browser.new_context().new_page()
    open_page.goto(site.url)
    wait_until(open_page, lambda: canary.hits >= HTTP_ATTEMPTS | SOCKETS | {"udp"}, 10)
    open_page.context.close()
    # What that page sent reaches its own canary, however late.
    confined_canary = Canary()
    site.pages = attempts_at(confined_canary, site)
    confinement = confinement_for(site)
    context = browser.new_context(**confinement.context_options())
    guard = confinement.attach(context)
    page = context.new_page()
    page.goto(site.url)

    def stopped() -> set[str]:
        return {r.url.rpartition("/")[2] for r in guard.lists().blocked_requests}

    wait_until(page, lambda: stopped() >= HTTP_ATTEMPTS and page.title() == "Gathered")
    assert HTTP_ATTEMPTS - stopped() == set()
    assert page.title() == "Gathered"
    context.close()
    confinement.close()
    assert confined_canary.hits == set()
    confined_canary.close()


ASSETS = """
<!doctype html><title>Assets</title>
<link rel="stylesheet" href="OTHER/style.css">
<script>document.cookie = 'own=1'; localStorage.own = 1;</script>
<script src="OTHER/script.js"></script><img src="OTHER/picture.svg"><img src="OTHER/again.svg">
<iframe src="OTHER/frame"></iframe>
<script>
  addEventListener('load', () => {
    const ends = ['OTHER/data', 'OTHER/write'].map((url, n) =>
      fetch(url, {method: n ? 'POST' : 'GET', mode: 'no-cors'}).catch(() => 'stopped'));
    Promise.all(ends).then((results) => { document.title = results.join(' '); });
  });
</script>
"""


def test_assets_of_named_hosts_are_read_without_cookies_and_nothing_else_is(
    browser: Browser, site: Site
) -> None:
    other, third = Site(), Site()
    style, script, picture = "text/css", "text/javascript", "image/svg+xml"
    svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"
    cookie = {"Set-Cookie": "visitor=1"}
    there = other.url.replace("127.0.0.1", "localhost")
    site.pages = {"/": ASSETS.replace("OTHER", there)}
    other.pages = {
        "/style.css": (
            200,
            {"Content-Type": style, "Cache-Control": "max-age=900", **cookie},
            b"body { color: rgb(1, 2, 3) }",
        ),
        "/script.js": (200, {"Content-Type": script, **cookie}, b"window.loaded = true"),
        "/picture.svg": (200, {"Content-Type": picture, **cookie}, svg),
        "/again.svg": (302, {"Location": f"{third.url}/picture.svg"}, b""),
    }
    confinement = confinement_for(site, allowed_resources=[there.removeprefix("http://")])
    context = browser.new_context(**confinement.context_options())
    guard = confinement.attach(context)
    page = context.new_page()
    page.goto(site.url)
    wait_until(page, lambda: page.title() == "stopped stopped")
    assert page.title() == "stopped stopped"
    assert page.evaluate("[window.loaded, getComputedStyle(document.body).color]") == [
        True,
        "rgb(1, 2, 3)",
    ]
    assert page.evaluate("[...document.images].map((image) => image.naturalWidth)") == [7, 0]
    page.reload()
    wait_until(page, lambda: page.title() == "stopped stopped")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(1, 2, 3)"
    times = Counter(other.requests)
    assert times == {"/style.css": 1, "/script.js": 2, "/picture.svg": 2, "/again.svg": 2}
    assert third.received == []
    assert {value for h in other.headers for k, value in h.items() if k.lower() == "cookie"} == {""}
    assert [c["name"] for c in context.cookies()] == ["own"]
    blocked = {r.url.rpartition("/")[2] for r in guard.lists().blocked_requests}
    assert blocked == {"frame", "data", "write"}
    with pytest.raises(PlaywrightError):
        page.goto(f"{there}/style.css")
    context.close()
    confinement.close()
    other.close()
    third.close()


def test_what_is_opened_right_after_a_stopped_page_is_opened(
    browser: Browser, site: Site, canary: Canary, agent_on: Callable[[Page], Any]
) -> None:
    """The browser's own page for the error comes late, and must not take the next page's place."""
    site.pages["/"] = "<h1>Own</h1>"
    confinement = confinement_for(site)
    context = browser.new_context(**confinement.context_options())
    agent = agent_on(context.new_page())
    acting = agent.executor._context
    acting.guard = confinement.attach(context)
    site.pages["/away"] = (302, {"Location": f"http://127.0.0.1:{canary.port}/left"}, b"")
    for _ in range(4):
        stopped = goto(acting, Action(action="goto", url=site.url + "/away"))
        assert "/left was not opened" in str(stopped.error)
        assert goto(acting, Action(action="goto", url=site.url + "/")).success
        assert agent.page.url == site.url + "/"
    context.close()
    confinement.close()
