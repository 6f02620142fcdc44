"""The rules that are set within the browser: what a proxy cannot see in encrypted connections.

They are no boundary of their own: redirects are not asked again. That is why hosts are the proxy's
business.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress

from playwright.sync_api import BrowserContext, ConsoleMessage, Route, WebSocketRoute
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.confinement.boundary import Boundary
from pytest_bwa.confinement.guard import RequestGuard
from pytest_bwa.spec.network.hosts import endpoint_of
from pytest_bwa.steps.requests import NOT_APPROVED, REJECTED

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

NO_SOCKETS = """
(() => {
  const create = (name) => document.createElementNS('http://www.w3.org/1999/xhtml', name);
  const [root, head, meta] = ['html', 'head', 'meta'].map(create);
  meta.setAttribute('http-equiv', 'Content-Security-Policy');
  const isNamed = HOSTS.includes('*') || HOSTS.includes(location.hostname);
  meta.setAttribute('content', isNamed ? OPEN : CLOSED);
  head.append(meta);
  root.append(head);
  const own = document.documentElement;
  if (document.head) {
    document.head.append(meta);
    meta.remove();
  } else if (own) {
    own.replaceWith(root);
    root.replaceWith(own);
  } else {
    document.append(root);
    root.remove();
  }
})();
"""
"""Sets a Content-Security-Policy, which holds for the document until it ends: nobody but the
browser can tell a WebSocket within HTTP/2 from requests (RFC 8441). Workers do not start, because
the browser does not always ask about what the workers of a worker send (6 of 80 times on a busy
machine, Chromium 156); only documents of hosts that the spec names for this have them."""
_ABORTED = dict.fromkeys((NOT_APPROVED, REJECTED), "aborted")
"""How a page learns of a refusal: of a form that nobody approved, the page stays as it is."""
_NO_WORKERS = "worker-src 'none'"
_NOT_STARTED = re.compile(rf"Creating a worker from '(.*?)' violates .*{_NO_WORKERS}", re.DOTALL)
"""As Chromium writes it to a page's console, where only the browser writes without arguments."""


def set_rules(context: BrowserContext, guard: RequestGuard) -> None:
    """Ask about every request of the context: its host, and whether it may write."""
    boundary = guard.boundary

    def judge(route: Route) -> None:
        request = route.request
        method, url = request.method, request.url
        refusal = boundary.url_refusal(url) or guard.writing_refusal(request)
        if boundary.may_read_asset(method, url, request.resource_type):
            refusal = ""
        with suppress(PlaywrightError):  # the page is gone
            route.abort(_ABORTED.get(refusal, "blockedbyclient")) if refusal else route.fallback()

    def judge_socket(socket: WebSocketRoute) -> None:
        endpoint = endpoint_of(socket.url)
        if endpoint is None or boundary.refusal(endpoint):
            socket.close()
        elif reason := boundary.tunnel_refusal(endpoint):
            guard.add_unopened_socket(socket.url, reason)
            socket.close()
        else:
            socket.connect_to_server()

    def note_worker(message: ConsoleMessage) -> None:
        if (found := _NOT_STARTED.match(message.text)) and not message.args:
            guard.add_unstarted_worker(found[1], message.page.url if message.page else "")

    if boundary.holds_writes:
        context.add_init_script(NOTHING_UNASKED)
        context.add_init_script(_no_sockets(boundary))
        context.on("console", note_worker)
    context.route("**/*", judge)
    context.route_web_socket("**/*", judge_socket)


def _no_sockets(boundary: Boundary) -> str:
    """The script, with the hosts that the spec names for WebSockets and workers."""
    hosts = boundary.opaque_hosts
    named = "".join(f" http://{host}:* ws://{host}:*" for host in hosts)
    connect = f"connect-src http: https: data: blob: filesystem:{named}"
    filled = NO_SOCKETS.replace("HOSTS", json.dumps(hosts))
    filled = filled.replace("CLOSED", json.dumps(f"{connect}; {_NO_WORKERS}"))
    return filled.replace("OPEN", json.dumps(f"{connect}; worker-src data: blob:{named}"))
