"""What a task may reach and send: the rules, without any browser."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pytest_bwa.spec.network.allowed_requests import READING_METHODS, AllowedRequest
from pytest_bwa.spec.network.hosts import (
    ANY,
    Address,
    Endpoint,
    HostRule,
    address_of,
    endpoint_of,
    is_private,
    rules_of,
    rules_of_urls,
)
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.requests import CONNECT, NOT_APPROVED, NOT_LISTED, PRIVATE, READ_ONLY, SIBLING
from pytest_bwa.steps.text import first_of

ASSETS = frozenset({"stylesheet", "script", "image", "font", "media"})
"""Kinds of resources that a page needs to be read, as browsers name them."""
MAX_NAMED = 5
WITHOUT_HOST = frozenset({"data", "blob", "about"})
"""Schemes that reach no host; pages may use them for parts of themselves."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """The hosts that a task may visit, those it may read assets from, and whether it may write."""

    domains: tuple[HostRule, ...]
    resources: tuple[HostRule, ...] = ()
    read_only: bool = False
    allow_requests: tuple[AllowedRequest, ...] = ()
    asks: bool = False
    """Whether what may write is sent only once a person has approved it."""
    of_harness: list[AllowedRequest] = field(default_factory=list, compare=False)
    """What the harness itself is just sending."""
    approved: set[Endpoint] = field(default_factory=set, compare=False)
    """Where the present action may write, because a person has approved it."""

    @property
    def hosts(self) -> str:
        """The hosts that may be visited, in words."""
        return first_of([rule.text for rule in self.domains], MAX_NAMED)

    def refusal(self, endpoint: Endpoint) -> str:
        """Why no request may go there; empty if one may."""
        named = [rule for rule in self.domains if rule.matches(endpoint)]
        if not named:
            is_sibling = any(_domain(rule.host) == _domain(endpoint.host) for rule in self.domains)
            return SIBLING if is_sibling else NOT_LISTED
        address = address_of(endpoint.host)
        return self.address_refusal(endpoint, address) if address else ""

    def address_refusal(self, endpoint: Endpoint, address: Address) -> str:
        """Why the address that the host's name stands for may not be reached. A host that the spec
        names may stand in a private network; one that ``*`` lets through may not."""
        is_named = any(r.matches(endpoint) for r in self.domains if r.host != ANY)
        return PRIVATE if is_private(address) and not is_named else ""

    def url_refusal(self, url: str) -> str:
        """Why no request for the address may be sent; empty if one may, or if none is needed."""
        if url.partition(":")[0] in WITHOUT_HOST:
            return ""
        endpoint = endpoint_of(url)
        return self.refusal(endpoint) if endpoint else NOT_LISTED

    @property
    def holds_writes(self) -> bool:
        """Whether each request that may write is asked about before it is sent."""
        return self.read_only or self.asks

    @property
    def holding(self) -> str:
        """Why what may write is not sent unless something allows it."""
        return READ_ONLY if self.read_only else NOT_APPROVED

    def writing_refusal(self, method: str, url: str, body: bytes) -> str:
        """Why a request may not be sent although its host is allowed; empty if it may."""
        reason = self.unasked_refusal(method, url, body)
        is_approved = method.upper() != CONNECT and endpoint_of(url) in self.approved
        return "" if reason == NOT_APPROVED and is_approved else reason

    def unasked_refusal(self, method: str, url: str, body: bytes) -> str:
        """The same before anybody was asked."""
        if not self.holds_writes or method.upper() in READING_METHODS:
            return ""
        allowed = (*self.allow_requests, *self.of_harness)
        is_allowed = any(request.matches(method, url, body) for request in allowed)
        return "" if is_allowed else self.holding

    def tunnel_refusal(self, endpoint: Endpoint) -> str:
        """Why no connection may be opened there that may carry a WebSocket: nobody sees what it
        sends. Empty if one may."""
        return self.writing_refusal(CONNECT, f"https://{endpoint}/", b"")

    @property
    def opaque_hosts(self) -> list[str]:
        """The hosts of ``allow_requests`` to which such a connection may be opened."""
        allowed = [a for a in self.allow_requests if a.method.upper() == CONNECT]
        return [(allowed_request.host or ANY).lower() for allowed_request in allowed]

    def may_read_asset(self, method: str, url: str, kind: str) -> bool:
        """Whether it is an asset of a host that pages may not be opened on, and may be read."""
        endpoint = endpoint_of(url) if kind in ASSETS and method == "GET" else None
        return endpoint is not None and any(rule.matches(endpoint) for rule in self.resources)

    def of_resources(self) -> Boundary:
        """The boundary of the connections over which assets are read."""
        return Boundary(self.resources)


def _domain(host: str) -> str:
    """The last two parts of a name; an address has no domain but itself."""
    return host if address_of(host) else ".".join(host.split(".")[-2:])


def boundary_of(task: TaskSpec, urls: Iterable[str | None]) -> Boundary:
    """The boundary of a task; ``urls`` are the addresses of its samples and of its site, whose
    hosts, and that of its login, are allowed if the spec names none. Without any address, every
    public host is; relative ones whose site is not known allow none."""
    given = [url for url in urls if url]
    if given and task.login is not None:
        given.append(task.login.url)
    others = () if given else (HostRule(ANY),)
    return Boundary(
        rules_of(task.allowed_domains) or rules_of_urls(given) or others,
        rules_of(task.allowed_resources),
        bool(task.read_only),
        tuple(task.allow_requests),
        task.approve == "writes" and not task.read_only,
    )
