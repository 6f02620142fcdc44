"""The rate limits of all machines together: a lock of the scheduler for each domain.

Whoever loads a page holds the lock as long as the next one has to wait. Thus no two clocks are
compared, and what is held by a machine that is gone comes free when its lease times out
(``distributed.scheduler.locks.lease-timeout``, 30 s by default).
"""

from __future__ import annotations

import threading

from distributed import Lock

PATIENCE = 2.0
"""Seconds that one request waits in the scheduler: it would still wait there, and get the lock, if
its machine were gone."""

_LOCKS: dict[str, Lock] = {}
_GUARD = threading.Lock()


def wait_for_domain(domain: str, seconds: float) -> None:
    """Wait until a page of the domain may be loaded; the next one may be ``seconds`` later. Called
    in a thread that knows its Dask worker."""
    with _GUARD:
        if domain not in _LOCKS:
            _LOCKS[domain] = Lock(f"bwa-rate-limit-{domain}")
        lock = _LOCKS[domain]
    while not lock.acquire(timeout=PATIENCE):
        pass
    release = threading.Timer(seconds, lock.release)
    release.daemon = True
    release.start()
