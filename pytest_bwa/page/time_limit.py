"""The time limit on work that a page could keep from ever ending, and the time of a sample."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

TimeLimit = Callable[[float, str], AbstractContextManager[None]]
"""Limits the work in a ``with`` block to a number of seconds. The text says what was being done
("the page was being read"). When the time is over, the block raises PageLost with that text."""


class Clock:
    """The seconds of one sample; it stands still while the sample waits for a person."""

    def __init__(self) -> None:
        self._stopped = 0.0

    def __call__(self) -> float:
        return time.monotonic() - self._stopped

    @contextmanager
    def stopped(self) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self._stopped += time.monotonic() - began
