"""A time limit for calls to a page that may hang.

``page.evaluate`` and others have no timeout: a page whose script never returns would block its
worker for ever. Killing the browser's process makes the call fail; the next sample gets a new
browser.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType

from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.errors import PageLost

RETRY_SECONDS = 0.1
"""Seconds until a kill that found no browser is tried again."""
FALLBACK_SECONDS = 10.0
"""Seconds from the kill to the fallback: a call that is still blocked waits for something else."""
MAX_WAIT_SECONDS = 3600.0  # Condition.wait() does not accept an infinite timeout


class Watchdog:
    """Gives a time limit to calls without a timeout by killing the browser when the time is up.

    ``kill`` runs in the watchdog's own thread. If it returns False (there is no browser yet), it is
    called again until it does not, or until the call has returned. If the call is still blocked
    after that, ``kill_fallback`` is called in the same way. Only one thread may use it at a time.

    The watchdog's thread is woken only for a deadline earlier than all others, which is rare:
    entering and leaving a time limit costs a few microseconds.
    """

    def __init__(
        self,
        kill: Callable[[], bool | None],
        kill_fallback: Callable[[], bool | None] = lambda: True,
    ) -> None:
        self._kill, self._kill_fallback = kill, kill_fallback
        self._changed = threading.Condition()
        self._limits: list[_TimeLimit] = []
        self._next_wake = math.inf
        self._is_paused = False
        self._thread: threading.Thread | None = None

    def within(self, seconds: float, what: str) -> AbstractContextManager[None]:
        """A ``with`` block that raises PageLost if it takes longer than ``seconds``.

        ``what`` completes "while …" in the message. An inner limit can only shorten the outer one.
        """
        return _TimeLimit(self, seconds, what)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """A ``with`` block that counts for none of the limits that it stands in."""
        began = time.monotonic()
        with self._changed:
            self._is_paused = True
        try:
            yield
        finally:
            with self._changed:
                self._is_paused = False
                waited = time.monotonic() - began
                for limit in self._limits:
                    limit.deadline += waited
                self._changed.notify()

    def _enter(self, limit: _TimeLimit) -> None:
        with self._changed:
            if self._limits:
                limit.deadline = min(limit.deadline, self._limits[-1].deadline)
            self._limits.append(limit)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._watch, name="bwa-watchdog", daemon=True
                )
                self._thread.start()
            if limit.deadline < self._next_wake:
                self._changed.notify()

    def _leave(self, limit: _TimeLimit) -> None:
        # Waits for the lock: a kill that has begun must end before the next call gets a browser.
        with self._changed:
            self._limits.remove(limit)

    def _watch(self) -> None:
        with self._changed:
            while True:
                self._next_wake = self._earliest_deadline()
                seconds_left = self._next_wake - time.monotonic()
                if seconds_left > 0:
                    self._changed.wait(min(seconds_left, MAX_WAIT_SECONDS))
                else:
                    self._expire()

    def _earliest_deadline(self) -> float:
        limits = [] if self._is_paused else self._limits
        return min((limit.deadline for limit in limits), default=math.inf)

    def _expire(self) -> None:
        """Kill the browser. The lock is held, so the caller cannot leave its block before that."""
        now = time.monotonic()
        due = [limit for limit in self._limits if limit.deadline <= now]
        kill = self._kill_fallback if all(limit.expired for limit in due) else self._kill
        try:
            is_killed = kill() is not False
        except Exception:  # noqa: BLE001 - if this thread ended, later calls would have no limit
            is_killed = False
        for limit in due:
            if not is_killed:
                limit.deadline = now + RETRY_SECONDS
            else:
                limit.deadline = math.inf if limit.expired else now + FALLBACK_SECONDS
                limit.expired = True


class _TimeIsUp(PageLost):
    """The PageLost that a time limit raises."""


class _TimeLimit(AbstractContextManager[None]):
    """The context manager of ``watchdog.within(…)``."""

    def __init__(self, watchdog: Watchdog, seconds: float, what: str) -> None:
        self._watchdog, self._seconds, self._what = watchdog, seconds, what
        self.deadline = math.inf
        self.expired = False

    def __enter__(self) -> None:
        self._entered = time.monotonic()
        self.deadline = self._entered + self._seconds
        self._watchdog._enter(self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._watchdog._leave(self)
        # A call that returned just when the browser was killed has lost its browser too. An error
        # of Playwright is only a consequence of the kill; an inner limit has already reported it.
        is_consequence = error is None or isinstance(error, PlaywrightError | PageLost)
        if self.expired and is_consequence and not isinstance(error, _TimeIsUp):
            waited = min(self._seconds, time.monotonic() - self._entered)
            raise _TimeIsUp(
                f"the page did not answer for {waited:.3g} s while {self._what}; "
                "its browser was stopped"
            ) from error
