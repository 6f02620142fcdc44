"""Comparing addresses: whether two are the same page, the same list in another order, or pages of
two things of the same sort. A route behind a hash (``#/builders/2``) is part of the path."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, parse_qsl, urlsplit

_PAGING = frozenset(
    {"page", "p", "next", "offset", "start", "cursor", "after", "tab", "view", "pagesize", "size"}
)
_SORTING = frozenset(
    {"sort", "sortdesc", "sortby", "sortorder", "order", "orderby", "ordering", "o", "dir"}
    | {"direction", "asc", "desc"}
)


def split(url: str) -> SplitResult:
    """With the route in the path and without a place in the page."""
    parts = urlsplit(url)
    if not re.match(r"!?/", parts.fragment):
        return parts._replace(fragment="")
    route, _, query = parts.fragment.lstrip("!").partition("?")
    asked = "&".join(text for text in (parts.query, query) if text)
    return parts._replace(path=parts.path.rstrip("/") + route, query=asked, fragment="")


def bare(url: str) -> str:
    """The same for the same page."""
    return split(url).geturl()


def path_of(url: str) -> str:
    """Without a slash at the end."""
    return split(url).path.rstrip("/")


def parts_of(url: str) -> list[str]:
    """Host and path, however the address is written."""
    found = split(url)
    return [found.netloc, *(part for part in found.path.split("/") if part)]


def only_sorts(url: str, here: str) -> bool:
    """The same list in another order, which tells nothing more."""
    if parts_of(url) != parts_of(here):
        return False
    one, two = (dict(parse_qsl(split(u).query, keep_blank_values=True)) for u in (url, here))
    keys = {k for k in one.keys() | two.keys() if one.get(k) != two.get(k)}
    differing = {_plain(key) for key in keys}
    return bool(differing & _SORTING) and differing <= _SORTING | _PAGING


def of_another(url: str, other: str) -> bool:
    """Whether two addresses differ by a number or hash where they go the same way: /staff/8 and
    /staff/8/pay seen from /staff/7, or ?id=8 from ?id=7."""
    one, two = parts_of(url), parts_of(other)
    steps = list(zip(one, two, strict=False))
    if one[0] != two[0] or any(_masked(a) != _masked(b) for a, b in steps):
        return False
    if any(a != b for a, b in steps):
        return True
    asked, before = _asked(url), _asked(other)
    same = asked.keys() & before.keys() if one == two else set()
    return any(asked[k] != before[k] and _masked(asked[k]) == _masked(before[k]) for k in same)


def _masked(text: str) -> str:
    return re.sub(r"\b[0-9a-f]{7,40}\b|\d+", "#", text)


def _asked(url: str) -> dict[str, str]:
    return {k: v for k, v in parse_qsl(split(url).query) if _plain(k) not in _PAGING}


def _plain(key: str) -> str:
    """page_size, pageSize and _next as they are listed."""
    return re.sub(r"[\W_]", "", key.casefold())
