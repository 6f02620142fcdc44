"""Comparing addresses: whether a page is the one that was asked for, or a part of it."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

_LOCALE = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?")


def split(url: str) -> SplitResult:
    """With a route behind a hash (``#/builders/2``) as part of the path, and without a place in the
    page."""
    parts = urlsplit(url)
    if not re.match(r"!?/", parts.fragment):
        return parts._replace(fragment="")
    route, _, query = parts.fragment.lstrip("!").partition("?")
    asked = "&".join(text for text in (parts.query, query) if text)
    return parts._replace(path=parts.path.rstrip("/") + route, query=asked, fragment="")


def segments(url: str) -> list[str]:
    """The parts of the path, decoded, without the locale in front (``/en-GB/orders/7``)."""
    parts = _parts(url)
    return parts[1:] if len(parts) > 1 and _LOCALE.fullmatch(parts[0]) else parts


def _parts(url: str) -> list[str]:
    return [unquote(part) for part in split(url).path.split("/") if part]


def site(url: str) -> str:
    return split(url).netloc.casefold().removeprefix("www.")


def bare(url: str) -> str:
    """The same for the same page, whatever the scheme and a slash at the end."""
    query = "&".join(sorted(f"{key}={value}" for key, value in _query(url)))
    return "/".join([site(url), *_parts(url)]) + (f"?{query}" if query else "")


def is_same(url: str, asked: str) -> bool:
    """Whether it is the page that was asked for; one of them may have a locale in front."""
    if site(url) != site(asked) or sorted(_query(url)) != sorted(_query(asked)):
        return False
    paths = _parts(url), _parts(asked)
    is_one_without_locale = paths[0] == paths[1] or segments(url) in paths
    return segments(url) == segments(asked) and is_one_without_locale


def _query(url: str) -> list[tuple[str, str]]:
    return parse_qsl(split(url).query, keep_blank_values=True)


def is_part_of(url: str, whole: str) -> bool:
    """Whether the page stands below the other one: /orders/7/items below /orders/7."""
    below, above = segments(url), segments(whole)
    return site(url) == site(whole) and bool(above) and below[: len(above)] == above


def answers_to(url: str, name: str) -> bool:
    """Whether a query of the address is the name: a search for it, which finds others too."""
    return any(value.strip().casefold() == name.casefold() for _, value in _query(url))
