"""The boundary of one sample, around its browser context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playwright.sync_api import BrowserContext

from pytest_bwa.confinement.assets import AssetReader
from pytest_bwa.confinement.boundary import Boundary
from pytest_bwa.confinement.browser_rules import set_rules
from pytest_bwa.confinement.guard import RequestGuard
from pytest_bwa.confinement.proxy import FilteringProxy
from pytest_bwa.confinement.request_list import ProxyLog
from pytest_bwa.confinement.upstream import UnusableProxy, Upstream, upstream_of

ROUTED_ONLY = "confinement is only by rules within the browser, which are no boundary, because"
REMOTE = f"{ROUTED_ONLY} the browser runs elsewhere"


class Confinement:
    """Made before the sample's context, attached to it, and closed when the sample has ended."""

    def __init__(self, boundary: Boundary) -> None:
        self.boundary = boundary
        self.note = ""
        """What the run's summary must say of it."""
        self.guard: RequestGuard | None = None
        """What follows the requests of the context; None before it is attached."""
        self._log = ProxyLog()
        self._upstream = Upstream({})
        self._proxy: FilteringProxy | None = None
        self._options: dict[str, Any] = {}
        """Of the context; empty before they were asked for."""
        self._assets: AssetReader | None = None

    def context_options(
        self,
        chosen: Mapping[str, Any] | None = None,
        launch: Mapping[str, Any] | None = None,
        *,
        is_remote: bool = False,
    ) -> dict[str, Any]:
        """Options of ``new_context``. ``chosen`` and ``launch`` are the user's own for the context
        and the browser, in which a proxy may stand. They are the same when they are asked for
        again."""
        if self._proxy is not None:
            return self._options
        options: dict[str, Any] = {}
        if self.boundary.holds_writes or self.boundary.resources:
            options["service_workers"] = "block"  # the rules within the browser do not see them
        if is_remote:
            self.note = REMOTE
            return options
        try:
            own = (chosen or {}).get("proxy") or (launch or {}).get("proxy")
            self._upstream = upstream_of(own)
            self._proxy = FilteringProxy(self.boundary, self._upstream, self._log).start()
        except (UnusableProxy, OSError) as problem:
            self.note = f"{ROUTED_ONLY} {problem}"
            return options
        self._options = {**options, "proxy": self._proxy.for_playwright}
        return self._options

    def attach(self, context: BrowserContext) -> RequestGuard:
        """Follow the requests of the context, and set the rules within the browser. May be called
        twice."""
        if self.guard is not None:
            return self.guard
        guard = self.guard = RequestGuard(self.boundary, self._log)
        guard.follow(context)
        if self._proxy is None or self.boundary.holds_writes:
            set_rules(context, guard)
        if self.boundary.resources and self._proxy is not None:
            self._assets = AssetReader(context, self.boundary, self._upstream)
        return guard

    def close(self) -> None:
        """End every connection. May be called twice."""
        if self._assets is not None:
            self._assets.close()
        if self._proxy is not None:
            self._proxy.close()
        self._assets = self._proxy = None
