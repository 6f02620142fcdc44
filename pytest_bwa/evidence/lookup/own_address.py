"""Which pages are at the sample's own address, and which at that of another record. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """The address that the samples list has for a sample, whole or as a path; empty without one."""

    url: str = ""

    def is_of(self, page: str) -> bool:
        own, here = urlsplit(self.url), urlsplit(page)
        is_host = own.netloc.casefold() in ("", here.netloc.casefold())
        return bool(self.url) and is_host and _parts(own) == _parts(here)

    def is_of_another(self, page: str) -> bool:
        """Whether a page's address differs in one part only, as /tickets/12 from /tickets/7."""
        own, here = urlsplit(self.url), urlsplit(page)
        if not self.url or own.netloc.casefold() not in ("", here.netloc.casefold()):
            return False
        wanted, parts = _parts(own), _parts(here)
        differing = sum(a != b for a, b in zip(wanted, parts, strict=False))
        return len(wanted) == len(parts) and differing == 1


def _parts(address: SplitResult) -> list[str]:
    query = address.query.split("&") if address.query else []
    return [*address.path.rstrip("/").split("/"), *query]
