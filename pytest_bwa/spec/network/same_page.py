"""Whether two addresses are of one page."""

from __future__ import annotations

from urllib.parse import unquote, unquote_plus, urlsplit

from pytest_bwa.spec.network.hosts import USUAL_PORTS, endpoint_of


def is_same_page(asked: str, now: str) -> bool:
    """Whether a browser that was asked for one address and has the other is where it was sent. It
    writes some signs another way, and encrypts where it can; a place in the page is no other page,
    but a route (``#/orders``) is."""
    return asked == now or _page_of(asked) == _page_of(now)


def _page_of(url: str) -> tuple[str, ...]:
    endpoint = endpoint_of(url)
    if endpoint is None:
        return (url,)
    port = "" if endpoint.port in USUAL_PORTS.values() else str(endpoint.port)
    parts = urlsplit(url)
    route = unquote(parts.fragment.lstrip("!"))
    path, query = unquote(parts.path).rstrip("/"), unquote_plus(parts.query)
    return endpoint.host, port, path, query, route.rstrip("/") if route.startswith("/") else ""
