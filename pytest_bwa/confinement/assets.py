"""Assets of other hosts that a page needs to be read: scripts, styles, pictures and fonts.

The browser never connects to these hosts. What it asks for is read outside of it, by GET and
without cookies, and given to the page as the answer.
"""

from __future__ import annotations

import re
from contextlib import suppress

from playwright.sync_api import APIResponse, BrowserContext, Request, Route
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.confinement.boundary import Boundary
from pytest_bwa.confinement.proxy import FilteringProxy
from pytest_bwa.confinement.request_list import ProxyLog
from pytest_bwa.confinement.upstream import Upstream
from pytest_bwa.spec.network.hosts import ANY, HostRule

TIMEOUT_MS = 20_000
_PASSED_ON = ("accept", "accept-language", "origin", "user-agent")
"""What the host learns of the request. ``origin``, because fonts are allowed by it."""
_NOT_PASSED_BACK = ("set-cookie", "content-encoding", "content-length", "transfer-encoding")


class AssetReader:
    """Answers a context's requests for assets of ``allowed_resources``."""

    def __init__(self, context: BrowserContext, boundary: Boundary, upstream: Upstream) -> None:
        assert context.browser is not None, "contexts of a launched browser have one"
        self._boundary = boundary
        self._proxy = FilteringProxy(boundary.of_resources(), upstream, ProxyLog()).start()
        self._reader = context.browser.new_context(proxy=self._proxy.for_playwright)  # type: ignore[arg-type]
        self._kept: dict[tuple[str, str], APIResponse] = {}
        """Answers that may be used again: with routes, the browser has no cache of its own."""
        context.route(_addresses_of(boundary.resources), self._answer)

    def close(self) -> None:
        with suppress(PlaywrightError):  # the browser is gone
            self._reader.close()
        self._proxy.close()

    def _answer(self, route: Route) -> None:
        request, boundary = route.request, self._boundary
        is_own = not boundary.url_refusal(request.url)
        if is_own or not boundary.may_read_asset(
            request.method, request.url, request.resource_type
        ):
            route.fallback()
            return
        try:
            got = self._read(request)
            headers = {k: v for k, v in got.headers.items() if k not in _NOT_PASSED_BACK}
            route.fulfill(response=got, headers=headers)
        except PlaywrightError:  # it cannot be reached, or the page is gone
            with suppress(PlaywrightError):
                route.abort("failed")

    def _read(self, request: Request) -> APIResponse:
        headers = {k: v for k, v in request.headers.items() if k in _PASSED_ON}
        key = (request.url, headers.get("origin", ""))
        if key not in self._kept:
            headers["cookie"] = ""  # otherwise those would be sent that an earlier answer has set
            got = self._reader.request.get(request.url, headers=headers, timeout=TIMEOUT_MS)
            if not got.ok or "max-age=" not in got.headers.get("cache-control", ""):
                return got
            self._kept[key] = got
        return self._kept[key]


def _addresses_of(rules: tuple[HostRule, ...]) -> re.Pattern[str]:
    """The http addresses on the hosts of the rules, for the browser's driver to choose by: it asks
    Python only for these."""
    hosts = "|".join(
        "[^/?#]*"
        if rule.host == ANY
        else (r"[^/?#]*\." if rule.subdomains else "") + re.escape(_as_in_addresses(rule.host))
        for rule in rules
    )
    return re.compile(rf"^https?://(?:[^/?#]*@)?(?:{hosts})\.?(?::\d+)?(?:[/?#]|$)", re.IGNORECASE)


def _as_in_addresses(host: str) -> str:
    return f"[{host}]" if ":" in host else host
