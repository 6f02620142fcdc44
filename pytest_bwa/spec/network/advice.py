"""What to add to a spec so that its pages get what was kept from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pytest_bwa.spec.network.hosts import USUAL_PORTS, endpoint_of
from pytest_bwa.steps.requests import NOT_APPROVED, NOT_LISTED, READ_ONLY, SIBLING, BlockedRequest

NEEDED_TO_READ = frozenset({"stylesheet", "script", "font", "image"})
DATA = frozenset({"document", "fetch", "xhr", "eventsource", "websocket", ""})
"""Kinds of requests that only ``allowed_domains`` lets through."""
MAX_NAMED = 8


def resource_hosts(blocked: Iterable[BlockedRequest]) -> list[str]:
    """Hosts for ``allowed_resources``, those with the most requests first."""
    return _hosts(r for r in blocked if r.resource_type in NEEDED_TO_READ and _is_foreign(r))


def data_hosts(blocked: Iterable[BlockedRequest]) -> list[str]:
    """Hosts for ``allowed_domains``: of the same domain as one that is allowed."""
    return _hosts(r for r in blocked if r.resource_type in DATA and r.reason == SIBLING)


def unsent(blocked: Iterable[BlockedRequest]) -> list[BlockedRequest]:
    """What was not sent because it may write."""
    return [request for request in blocked if request.reason in (READ_ONLY, NOT_APPROVED)]


class RequestCounts:
    """The blocked requests of many samples, those that are alike counted together."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str, str], BlockedRequest] = {}

    def add(self, blocked: Iterable[BlockedRequest]) -> None:
        for request in blocked:
            key = (str(endpoint_of(request.url)), request.resource_type, request.reason)
            known = self._counts.get(key)
            count = request.count + (known.count if known else 0)
            self._counts[key] = (known or request).model_copy(update={"count": count})

    def __iter__(self) -> Iterator[BlockedRequest]:
        return iter(self._counts.values())


def summary_lines(blocked: Iterable[BlockedRequest]) -> list[str]:
    """What a person must know of a run's blocked requests; empty if its pages had all that they
    need. What only other sites asked for (counters, advertisements) is in result.json alone."""
    requests = list(blocked)
    lines = []
    if hosts := resource_hosts(requests):
        lines.append(f"styles, scripts, fonts or pictures; allowed_resources: {_list(hosts)}")
    if hosts := data_hosts(requests):
        lines.append(f"pages or data of the same domain; allowed_domains: {_list(hosts)}")
    lines = [f"{line} in the spec lets them through" for line in lines]
    if writes := unsent(requests):
        number = sum(request.count for request in writes)
        why = " or ".join(sorted({request.reason for request in writes}))
        lines.append(
            f"{number} request{'s' * (number > 1)} that may write, because {why}; "
            "bwa doctor --spec FILE prints the allow_requests that its pages need"
        )
    return lines


def _is_foreign(request: BlockedRequest) -> bool:
    return request.reason in (NOT_LISTED, SIBLING)


def _hosts(requests: Iterable[BlockedRequest]) -> list[str]:
    counts: Counter[str] = Counter()
    for request in requests:
        if endpoint := endpoint_of(request.url):
            is_usual = endpoint.port in USUAL_PORTS.values()
            counts[endpoint.host if is_usual else str(endpoint)] += request.count
    return [host for host, _ in counts.most_common()]


def _list(hosts: list[str]) -> str:
    more = f" and {len(hosts) - MAX_NAMED} more" if len(hosts) > MAX_NAMED else ""
    return f"[{', '.join(hosts[:MAX_NAMED])}]{more}"
