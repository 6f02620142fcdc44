"""The form of addresses that lead to samples, such as /people/* or /item?id=*."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

_LOCALE = r"(?:/[a-z]{2}(?:[-_][A-Za-z]{2,4})?)?"
"""A language that may stand in front of the path: ``/en-GB/people/ada``."""


@dataclass(frozen=True, slots=True)
class AddressPattern:
    """Each * stands for one part of the path, or of it, and for a value of the query. A form
    without a scheme fits every site, and one without a slash in front every path that ends so."""

    text: str

    def parts(self, url: str) -> tuple[str, ...] | None:
        """What the asterisks stand for in this address, decoded; None if it has another form. They
        identify the sample: what else the query says is about the view of it."""
        asked, here = urlsplit(self.text), urlsplit(url)
        if asked.netloc and _site(asked.netloc) != _site(here.netloc):
            return None
        start = _LOCALE if asked.path.startswith("/") else r"(?:.*/)?"
        path = re.fullmatch(start + _expression(asked.path.rstrip("/")), here.path.rstrip("/"))
        if path is None:
            return None
        found = list(path.groups())
        values = dict(parse_qsl(here.query, keep_blank_values=True))
        for key, wanted in parse_qsl(asked.query, keep_blank_values=True):
            value = re.fullmatch(_expression(wanted, "(.+)"), values.get(key, ""))
            if value is None:
                return None
            found += value.groups()
        return tuple(unquote(part) for part in found)


def pattern_of_template(template: str | None) -> tuple[AddressPattern, Sequence[str]] | None:
    """The form of an address with ``{column}`` placeholders, and the columns that the asterisks
    stand for; None for an address without any, or that says nothing but them."""
    names = re.findall(r"\{([A-Za-z_][A-Za-z0-9_]*)\}", template or "")
    text = re.sub(r"\{[A-Za-z_][A-Za-z0-9_]*\}", "*", template or "")
    if not names or "{" in text or not re.search(r"\w", urlsplit(text).path + urlsplit(text).query):
        return None
    return AddressPattern(text), names


def _site(netloc: str) -> str:
    return netloc.casefold().removeprefix("www.")


def _expression(text: str, anything: str = "([^/]+)") -> str:
    return anything.join(re.escape(unquote(piece)) for piece in text.split("*"))
