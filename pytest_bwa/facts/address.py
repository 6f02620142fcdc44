"""Addresses in the one form in which they are compared."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from pytest_bwa.spec.network.hosts import USUAL_PORTS, endpoint_of

_LOCALE = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?")
_ROUTE = re.compile(r"!?/")


class Address(NamedTuple):
    """An address without what makes no other page: the scheme, "www", a usual port, a slash at the
    end, a place in the page, the order of the query, and how its signs are encoded. A route behind
    a hash (``#/orders/7``) is a part of the path."""

    site: str
    """The host with its port; empty for an address that is relative to a site."""
    path: tuple[str, ...]
    query: tuple[tuple[str, str], ...] = ()

    @property
    def segments(self) -> tuple[str, ...]:
        """The path without the locale in front (``/en-GB/orders/7``)."""
        has_locale = len(self.path) > 1 and _LOCALE.fullmatch(self.path[0])
        return self.path[1:] if has_locale else self.path

    def __str__(self) -> str:
        query = "&".join(f"{key}={value}" for key, value in self.query)
        return "/".join(filter(None, (self.site, *self.path))) + (f"?{query}" if query else "")


@lru_cache(maxsize=4096)
def address_of(url: str) -> Address:
    """What cannot be read as an address is one of its own: a page may call anything so."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return Address("", (url,))
    path, query = parts.path, parts.query
    if _ROUTE.match(parts.fragment):
        route, _, asked = parts.fragment.lstrip("!").partition("?")
        path, query = f"{path}{route}", "&".join(filter(None, (query, asked)))
    names = tuple(unquote(part) for part in path.split("/") if part)
    return Address(_site(url), names, tuple(sorted(parse_qsl(query, keep_blank_values=True))))


def _site(url: str) -> str:
    endpoint = endpoint_of(url)
    if endpoint is None:
        return ""
    host = endpoint.host.removeprefix("www.")
    return host if endpoint.port in (0, *USUAL_PORTS.values()) else f"{host}:{endpoint.port}"


def is_same_page(url: str, other: str) -> bool:
    return url == other or str(address_of(url)) == str(address_of(other))


def is_same_but_locale(url: str, other: str) -> bool:
    """Whether two addresses are of one page, where one of them may have a locale in front."""
    here, asked = address_of(url), address_of(other)
    if (here.site, here.query, here.segments) != (asked.site, asked.query, asked.segments):
        return False
    return here.path == asked.path or here.segments in (here.path, asked.path)


def is_part_of(url: str, whole: str) -> bool:
    """Whether the page stands below the other one: /orders/7/items below /orders/7."""
    below, above = address_of(url), address_of(whole)
    is_there = bool(above.segments) and below.segments[: len(above.segments)] == above.segments
    return below.site == above.site and is_there


def is_at(url: str, own: str) -> bool:
    """Whether a page is at an address that may lack its site; nothing is at an empty one."""
    here, asked = address_of(url), address_of(own)
    is_site = asked.site in ("", here.site)
    return bool(own) and is_site and (here.path, here.query) == (asked.path, asked.query)


def segments(url: str) -> list[str]:
    """The parts of the path, decoded, without the locale in front."""
    return list(address_of(url).segments)


# -- as patterns ---------------------------------------------------------------------------------


def plain_address(address: str, own_host: str) -> str:
    """An address in the form in which recipes have it: without its scheme, fragment and own
    host."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address
    host = "" if parts.netloc == own_host else parts.netloc
    query = f"?{parts.query.replace('+', ' ')}" if parts.query else ""
    return unquote(f"{host}{parts.path.rstrip('/') or '/'}{query}")


def address_pattern(address: str, page_url: str = "") -> str:
    """An address without what differs between two visits: query, fragment, port, path segments with
    digits, and the host if it is the page's own."""
    try:
        parts, page = urlsplit(address), urlsplit(page_url)
        host = parts.hostname or ""
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https"):
        return f"{parts.scheme}:{parts.path}" if parts.scheme == "about" else parts.scheme
    path = re.sub(r"[^/]*\d[^/]*", "*", parts.path).rstrip("/")
    return ("" if host == page.hostname else host) + (path or "/")
