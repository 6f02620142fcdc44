"""What passed the filtering proxy, or was stopped there."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

MAX_ENTRIES = 5000
"""So that a page which asks for ever does not fill the memory."""


@dataclass(frozen=True, slots=True)
class ProxyEntry:
    """One request as the proxy saw it."""

    method: str
    url: str
    reason: str = ""
    """Why it was stopped; empty if it was not."""
    time: float = field(default_factory=time.time)


class ProxyLog:
    """Written by the proxy's thread and read by the sample's; appending needs no lock."""

    def __init__(self) -> None:
        self.blocked: deque[ProxyEntry] = deque(maxlen=MAX_ENTRIES)
        self.writes: deque[ProxyEntry] = deque(maxlen=MAX_ENTRIES)
        self.failures: dict[str, str] = {}
        """Why a host and port could not be reached, in the browser's own words."""
