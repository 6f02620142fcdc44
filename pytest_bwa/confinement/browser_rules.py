"""The rules that are set within the browser: what a proxy cannot see in encrypted connections.

They are no boundary of their own: redirects are not asked again, and the WebSockets of workers are
not asked about at all. That is why hosts are the proxy's business.
"""

from __future__ import annotations

from contextlib import suppress

from playwright.sync_api import BrowserContext, Route, WebSocketRoute
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.confinement.boundary import READ_ONLY
from pytest_bwa.confinement.guard import RequestGuard, body_of

NOTHING_UNASKED = """
delete self.SharedWorker;
delete self.fetchLater;
delete Navigator.prototype.sendBeacon;
(() => {
  let leaves = false;
  addEventListener('pagehide', () => { leaves = true; }, true);
  addEventListener('pageshow', () => { leaves = false; }, true);
  const READS = /^(?:GET|HEAD|OPTIONS)$/i;
  const request = self.Request;
  self.fetch = new Proxy(self.fetch, {
    apply(fetch, self, [resource, options, ...others]) {
      const kept = { ...options, keepalive: false };
      if (leaves && !READS.test(new request(resource, kept).method)) {
        return Promise.reject(new TypeError('Failed to fetch'));
      }
      return Reflect.apply(fetch, self, [resource, kept, ...others]);
    },
  });
  XMLHttpRequest.prototype.send = new Proxy(XMLHttpRequest.prototype.send, {
    apply: (send, self, sent) => (leaves ? undefined : Reflect.apply(send, self, sent)),
  });
})();
"""
"""Takes from pages what is sent without being asked about (Chromium 156): what shared workers send,
what outlives a page, and what a page sends while it is left, because the browser then lets through
what it had held back. Runs in each document, also in frames, before the page's own scripts."""


def set_rules(context: BrowserContext, guard: RequestGuard) -> None:
    """Ask about every request of the context: its host, and whether it may write."""
    boundary = guard.boundary

    def judge(route: Route) -> None:
        request = route.request
        method, url = request.method, request.url
        refusal = boundary.url_refusal(url) or boundary.writing_refusal(
            method, url, body_of(request)
        )
        if boundary.may_read_asset(method, url, request.resource_type):
            refusal = ""
        with suppress(PlaywrightError):  # the page is gone
            route.abort("blockedbyclient") if refusal else route.fallback()

    def judge_socket(socket: WebSocketRoute) -> None:
        if boundary.url_refusal(socket.url):
            socket.close()
            return
        server = socket.connect_to_server()
        if boundary.read_only:
            socket.on_message(lambda _: guard.add_unsent_message(socket.url, READ_ONLY))
        else:
            socket.on_message(server.send)

    if boundary.read_only:
        context.add_init_script(NOTHING_UNASKED)
    context.route("**/*", judge)
    context.route_web_socket("**/*", judge_socket)
