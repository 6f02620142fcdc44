"""The requests of a sample, as they were seen, and the lists of them in its result."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from pytest_bwa.spec.network.hosts import endpoint_of
from pytest_bwa.steps.requests import (
    CONNECT,
    MAX_RECORDS,
    READ_ONLY,
    SEND,
    BlockedRequest,
    Write,
    public_url,
)

WAKE_SECONDS = 2.0
"""How long after an action, and the wait for its page, a request still counts as its effect: forms
that save by themselves wait that long after the last key."""
_Record = TypeVar("_Record", BlockedRequest, Write)
MAX_ENTRIES = 5000
"""So that a page which asks for ever does not fill the memory."""


@dataclass(slots=True)
class Sent:
    """One request as the browser reported it, or as the proxy saw it."""

    method: str
    url: str
    resource_type: str = ""
    reason: str = ""
    """Why it was blocked; empty if it was not."""
    time: float = field(default_factory=time.time)


class ProxyLog:
    """Written by the proxy's thread and read by the sample's; appending needs no lock."""

    def __init__(self) -> None:
        self.blocked: deque[Sent] = deque(maxlen=MAX_ENTRIES)
        self.writes: deque[Sent] = deque(maxlen=MAX_ENTRIES)
        self.failures: dict[str, str] = {}
        """Why a host and port could not be reached, in the browser's own words."""


@dataclass(slots=True)
class _Span:
    step: int
    acts: bool
    start: float
    end: float | None = None


class ActionTimes:
    """When the actions of a sample began and ended."""

    def __init__(self) -> None:
        self._spans: list[_Span] = []

    def begin(self, step: int, *, acts: bool) -> None:
        """``acts``: the action may change something, which opening an address does not."""
        self._spans.append(_Span(step, acts, time.time()))

    def end(self) -> None:
        if self._spans:
            self._spans[-1].end = time.time()

    def at(self, moment: float) -> tuple[int, bool]:
        """The step of a request of that moment, and whether it came in the wake of its action."""
        begun = next((span for span in reversed(self._spans) if span.start <= moment), None)
        if begun is None:
            return 0, False
        is_in_wake = begun.end is None or moment <= begun.end + WAKE_SECONDS
        return begun.step, begun.acts and is_in_wake


def list_blocked(
    sent: Iterable[Sent], stopped: Iterable[Sent], times: ActionTimes
) -> tuple[list[BlockedRequest], int]:
    """What was blocked, and how many requests that are in all. Of what the proxy stopped, only what
    the browser did not report."""
    requests = list(sent)
    urls = {(request.method, request.url) for request in requests}
    hosts = {endpoint_of(request.url) for request in requests}
    for entry in stopped:
        is_tunnel = entry.method == CONNECT and entry.reason != READ_ONLY
        if (entry.method, entry.url) in urls or (is_tunnel and endpoint_of(entry.url) in hosts):
            continue
        requests.append(entry)
    counts = Counter(
        BlockedRequest(
            step=times.at(request.time)[0],
            method=request.method,
            url=public_url(request.url),
            resource_type=request.resource_type,
            reason=request.reason,
        )
        for request in requests
    )
    return _listed(counts), len(requests)


def list_writes(
    sent: Iterable[Sent], passed: Iterable[Sent], times: ActionTimes
) -> tuple[list[Write], int]:
    """What may have changed something, and how many requests that are in all. What the browser did
    not report (a page that is just being closed) the proxy has seen, if it was not encrypted."""
    requests = list(sent)
    known = Counter((request.method, request.url) for request in requests)
    for entry in passed:
        known[entry.method, entry.url] -= 1
        if known[entry.method, entry.url] < 0:
            requests.append(entry)
    counts: Counter[Write] = Counter()
    for request in sorted(requests, key=lambda r: r.time):
        step, after_action = times.at(request.time)
        if request.method == SEND and not after_action:
            continue  # pages that stay connected send all the time
        url = public_url(request.url)
        counts[
            Write(
                step=step,
                method=request.method,
                url=url,
                resource_type=request.resource_type,
                after_action=after_action,
            )
        ] += 1
    return _listed(counts), counts.total()


def _listed(counts: Counter[_Record]) -> list[_Record]:
    first = list(counts.items())[:MAX_RECORDS]
    return [record.model_copy(update={"count": number}) for record, number in first]
