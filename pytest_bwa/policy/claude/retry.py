"""Which faults of a model's server may pass, and how long they are waited for (F-48).

The SDK's own retries know no deadline, and wait for any Retry-After, even a day.
"""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    stop_before_delay,
)

RETRIED = frozenset({408, 409, 429})
"""Besides all of 500 and above."""


class TransientFault(Exception):
    """A fault that may pass; ``wait`` is the server's Retry-After in seconds."""

    def __init__(self, reason: str, remedy: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.reason, self.remedy, self.wait = reason, remedy, wait


class Retry:
    """``tries`` in all, none that would begin after ``seconds``; the pause is the server's, else
    ``backoff`` seconds, doubled each time."""

    def __init__(self, tries: int, backoff: float, seconds: float) -> None:
        self._tries, self._backoff, self._seconds = tries, backoff, seconds
        self.call = AsyncRetrying(
            stop=stop_after_attempt(tries) | stop_before_delay(seconds),
            wait=self._pause,
            retry=retry_if_exception_type(TransientFault),
            reraise=True,
        )

    def _pause(self, state: RetryCallState) -> float:
        fault = state.outcome.exception() if state.outcome else None
        if isinstance(fault, TransientFault) and fault.wait is not None:
            return fault.wait
        return float(self._backoff * 2 ** (state.attempt_number - 1))

    def given_up(self, fault: TransientFault) -> str:
        """What went wrong last, after how much trying, and what a person can do."""
        tries = self.call.statistics["attempt_number"]
        if tries < self._tries and fault.wait is not None:
            return (
                f"{fault.reason}, to be tried again after {fault.wait:g} s (Retry-After), which "
                f"is longer than the {self._seconds:g} s of one decision: {fault.remedy}"
            )
        count = "1 try" if tries == 1 else f"{tries} tries"
        return f"{fault.reason}, after {count}: {fault.remedy}"


def retry_after(header: str) -> float | None:
    """Seconds, from a number or a date; None where there is none that can be read."""
    header = header.strip()
    try:
        seconds = float(header)
    except ValueError:
        try:
            until = parsedate_to_datetime(header)
        except ValueError:
            return None
        if until.tzinfo is None:
            until = until.replace(tzinfo=UTC)
        seconds = (until - datetime.now(UTC)).total_seconds()
    return max(seconds, 0.0) if seconds == seconds else None  # "nan" is a float too
