"""Freeing us from a page that hangs.

``page.evaluate`` and others have no timeout: a page whose script never yields would hold its
worker for ever. Killing the browser's process frees the caller; the next sample gets a new one.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType

from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.errors import PageLost

RETRY_SECONDS = 0.1
STUBBORN_SECONDS = 10.0
"""After which whoever is not freed by the browser's death is held by something else."""
LONGEST_WAIT = 3600.0  # an endless bound is more than a lock can be told to wait


class Watchdog:
    """Bounds calls that have no timeout of their own by killing the browser when time is up.

    ``kill`` runs in the watchdog's own thread; if it answers False (there is no browser yet), it
    is asked again until it does not or the work is done. Where it frees nobody, ``kill_harder`` is
    asked in the same way. One caller at a time.

    The thread is woken only for a deadline earlier than all it knows of, which is rare: entering
    and leaving costs a few microseconds.
    """

    def __init__(
        self,
        kill: Callable[[], bool | None],
        kill_harder: Callable[[], bool | None] = lambda: True,
    ) -> None:
        self._kill, self._kill_harder = kill, kill_harder
        self._changed = threading.Condition()
        self._bounds: list[_Bound] = []
        self._wakes = math.inf
        self._thread: threading.Thread | None = None

    def within(self, seconds: float, what: str) -> AbstractContextManager[None]:
        """PageLost if the work inside is not done in time; ``what`` completes "while …". An inner
        bound can only shorten the outer one."""
        return _Bound(self, seconds, what)

    def _enter(self, bound: _Bound) -> None:
        with self._changed:
            if self._bounds:
                bound.deadline = min(bound.deadline, self._bounds[-1].deadline)
            self._bounds.append(bound)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._watch, name="bwa-watchdog", daemon=True
                )
                self._thread.start()
            if bound.deadline < self._wakes:
                self._changed.notify()

    def _leave(self, bound: _Bound) -> None:
        # Waits for a kill that is under way, so that it can never meet the next call's browser.
        with self._changed:
            self._bounds.remove(bound)

    def _watch(self) -> None:
        with self._changed:
            while True:
                self._wakes = self._next()
                left = self._wakes - time.monotonic()
                if left > 0:
                    self._changed.wait(min(left, LONGEST_WAIT))
                else:
                    self._expire()

    def _next(self) -> float:
        return min((bound.deadline for bound in self._bounds), default=math.inf)

    def _expire(self) -> None:
        """Under the lock: who is inside cannot leave before the browser is stopped."""
        now = time.monotonic()
        due = [bound for bound in self._bounds if bound.deadline <= now]
        kill = self._kill_harder if all(bound.expired for bound in due) else self._kill
        try:
            stopped = kill() is not False
        except Exception:  # noqa: BLE001 - a thread that ended here would leave all later work unwatched
            stopped = False
        for bound in due:
            if not stopped:
                bound.deadline = now + RETRY_SECONDS
            else:
                bound.deadline = math.inf if bound.expired else now + STUBBORN_SECONDS
                bound.expired = True


class _TimeUp(PageLost):
    """As a bound tells it."""


class _Bound(AbstractContextManager[None]):
    """One ``with watchdog.within(…)``."""

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
        # Work that came back just as it was cut off has lost its browser all the same. What the
        # work says of that loss is only its consequence; an inner bound has told it already.
        lost = error is None or isinstance(error, PlaywrightError | PageLost)
        if self.expired and lost and not isinstance(error, _TimeUp):
            waited = min(self._seconds, time.monotonic() - self._entered)
            raise _TimeUp(
                f"the page did not answer for {waited:.3g} s while {self._what}; "
                "its browser was stopped"
            ) from error
