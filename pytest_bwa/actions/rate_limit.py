"""Rate limits per domain, shared by all workers of a run."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from filelock import FileLock

from pytest_bwa.spec.network.urls import host_of, is_within

MAX_QUEUE = 100
"""Page loads of a domain that can be reserved at a time; there are fewer workers."""


class RateLimiter:
    """Spaces page loads of one domain ``limits[domain]`` seconds apart.

    ``folder`` is shared by the workers: one small file per domain holds the next free time. If
    several machines share the limits, ``wait_for_all`` waits for a domain and its seconds instead.
    """

    def __init__(
        self,
        folder: Path,
        limits: Mapping[str, float],
        wait_for_all: Callable[[str, float], None] | None = None,
    ) -> None:
        self._folder = folder
        self._limits = limits
        self._wait_for_all = wait_for_all

    def interval(self, host: str) -> tuple[str, float]:
        """The domain whose limit applies to a host and its seconds. A domain's limit applies to its
        subdomains that have none; a host without any limit is its own domain."""
        domain = max((name for name in self._limits if is_within(host, name)), key=len, default="")
        if domain:
            return domain, self._limits[domain]
        return host, self._limits.get("default", 0.0)

    def reserve(self, url: str) -> float:
        """Reserve the next free time for ``url``; returns the seconds to wait until then."""
        domain, seconds = self.interval(host_of(url))
        if not domain or seconds <= 0:
            return 0.0
        if self._wait_for_all is not None:
            self._wait_for_all(domain, seconds)
            return 0.0
        self._folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(domain.encode()).hexdigest()[:16]
        with FileLock(self._folder / f"{name}.lock"):
            # The wall clock may be set while a run lasts. This one counts from the machine's start,
            # so a file from before a restart may name a time that is far away.
            path, now = self._folder / name, time.monotonic()
            free_at = max(now, _next_free(path))
            if free_at > now + MAX_QUEUE * seconds:
                free_at = now
            path.write_text(repr(free_at + seconds))
        return free_at - now


def _next_free(path: Path) -> float:
    try:
        return float(path.read_text())
    except (OSError, ValueError):  # no page of this domain was opened yet
        return 0.0
