"""What result.json says of requests: what was blocked, and what may have changed something."""

from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

MAX_RECORDS = 100
"""Different requests that a result lists at most."""
MAX_CHARACTERS = 300
NOT_LISTED = "the host is not in allowed_domains"
SIBLING = "the host is not in allowed_domains, which has another host of the same domain"
PRIVATE = "it is a private address that allowed_domains does not name"
READ_ONLY = "the task is read_only"
NOT_APPROVED = "nobody approved it"
REJECTED = "it was rejected"
"""Why a request was blocked."""
CONNECT, SEND, WORKER = "CONNECT", "SEND", "WORKER"
"""What stands in place of a method for a tunnel, a WebSocket and a worker."""


class RequestRecord(BaseModel):
    """One request, or several that are alike."""

    model_config = ConfigDict(frozen=True)

    step: int
    method: str
    """``CONNECT`` if only the host of an encrypted connection is known, ``SEND`` for a message of
    a WebSocket, or for a WebSocket that was not opened, ``WORKER`` for a worker that was not
    started."""
    url: str
    """Without user, password, query and fragment."""
    resource_type: str = ""
    """As the browser says: ``document``, ``script``, ``fetch``, …; empty if it is not known."""
    count: int = 1


class BlockedRequest(RequestRecord):
    """A request that never reached its host."""

    reason: str


class Write(RequestRecord):
    """A request that may have changed something."""

    after_action: bool
    """Whether it came in the wake of an action of the agent; otherwise the page made it by
    itself."""


class Certificate(BaseModel):
    """The certificate with which a site proved its name to the browser. Times are in UTC."""

    model_config = ConfigDict(frozen=True)

    site: str
    """Host and port."""
    subject: str
    issuer: str = ""
    protocol: str = ""
    valid_from: str = ""
    valid_until: str = ""

    def in_words(self) -> str:
        parts = [
            self.subject,
            f"issued by {self.issuer}" if self.issuer else "",
            f"valid from {self.valid_from} until {self.valid_until}" if self.valid_until else "",
            self.protocol,
        ]
        return ", ".join(filter(None, parts))


class RequestLists(BaseModel):
    """The part of a result that is about requests. The totals also count what is not listed."""

    blocked_requests: list[BlockedRequest] = Field(default_factory=list)
    blocked_requests_total: int = 0
    writes: list[Write] = Field(default_factory=list)
    """Requests that may have changed something."""
    writes_total: int = 0
    certificates: list[Certificate] = Field(default_factory=list)
    """Of the sites whose pages and frames were opened over https, as the browser says them."""


def public_url(url: str) -> str:
    """The address without what may be secret in it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "(an address that cannot be read)"
    if parts.scheme in ("data", "blob", "javascript"):
        return f"{parts.scheme}:…"
    query = "?…" if parts.query else ""
    host = parts.netloc.rpartition("@")[2]
    text = f"{parts.scheme}://{host}{parts.path}" if host else f"{parts.scheme}:{parts.path}"
    return text[:MAX_CHARACTERS] + query
