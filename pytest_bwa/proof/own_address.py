"""Which pages are at the sample's own address, and which at that of another record. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from pytest_bwa.steps.text import has_words, label_key


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """The address that the samples list has for a sample, whole or as a path; empty without one."""

    url: str = ""
    names: frozenset[str] = frozenset()
    """Keys of what the list calls the sample."""

    def is_of(self, page: str) -> bool:
        own, here = urlsplit(self.url), urlsplit(page)
        is_host = own.netloc.casefold() in ("", here.netloc.casefold())
        return bool(self.url) and is_host and _parts(own) == _parts(here)

    def is_in(self, page: str) -> bool:
        """Whether a page's address still says which record the own one is about, as do
        /en/tickets/7/overview and /tickets/7-pump of /t/7; a login that only knows where to go on
        (?next=/t/7) does not. True where nothing in the own address says it."""
        own, here = urlsplit(self.url), urlsplit(page)
        asked = [part for part in own.query.split("&") if part and self._names_record(part)]
        path = [part for part in own.path.split("/") if part and self._names_record(part)]
        whole = f"{here.path} {here.query}"
        return bool(self.url) and all(
            has_words(unquote(where), unquote(part.rpartition("=")[2]))
            for parts, where in ((path, here.path), (asked, whole))
            for part in parts
        )

    def _names_record(self, part: str) -> bool:
        """Whether a part of the own address has a number, or is what the sample is called."""
        value = unquote(part.rpartition("=")[2])
        return any(character.isdigit() for character in value) or label_key(value) in self.names


def _parts(address: SplitResult) -> list[str]:
    query = address.query.split("&") if address.query else []
    return [*address.path.rstrip("/").split("/"), *query]


def same_address(url: str) -> str:
    """An address in the form in which addresses are compared."""
    parts = urlsplit(url.strip())
    query = f"?{parts.query}" if parts.query else ""
    return unquote(f"{parts.netloc.casefold()}{parts.path.rstrip('/')}{query}")
