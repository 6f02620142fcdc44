"""Rate limits per domain that hold across all workers of a run (F-23)."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from filelock import FileLock


class RateLimiter:
    """Hands out openings of a domain's pages, ``limits[domain]`` seconds apart.

    ``folder`` is shared by the workers: one small file a domain holds the next free moment.
    """

    def __init__(self, folder: Path, limits: Mapping[str, float]) -> None:
        self._folder = folder
        self._limits = limits

    def interval(self, host: str) -> tuple[str, float]:
        """The domain whose limit a host falls under (a subdomain under its domain),
        and its seconds; a host without a limit of its own is its own domain."""
        for domain, seconds in self._limits.items():
            if host == domain or host.endswith("." + domain):
                return domain, seconds
        return host, self._limits.get("default", 0.0)

    def reserve(self, url: str) -> float:
        """Seconds to wait before ``url`` may be opened; the moment is taken."""
        domain, seconds = self.interval((urlsplit(url).hostname or "").lower())
        if not domain or seconds <= 0:
            return 0.0
        self._folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(domain.encode()).hexdigest()[:16]
        with FileLock(self._folder / f"{name}.lock"):
            path, now = self._folder / name, time.time()
            moment = max(now, _moment(path))
            path.write_text(repr(moment + seconds))
        return moment - now


def _moment(path: Path) -> float:
    try:
        return float(path.read_text())
    except (OSError, ValueError):  # nobody has opened this domain yet
        return 0.0
