"""Which failures of a model's server are retried, and how long to wait before a retry.

The SDK's own retries ignore the deadline, and wait for any Retry-After, even a day.
"""

from __future__ import annotations

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    stop_before_delay,
)

from pytest_bwa.errors import ModelFailed

RETRIED_STATUSES = frozenset({408, 409, 429})
"""Every status of 500 and above is retried as well."""


class RetryableError(Exception):
    """A failure that may be gone at the next try; ``wait`` is the server's Retry-After in
    seconds."""

    def __init__(self, reason: str, remedy: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.reason, self.remedy, self.wait = reason, remedy, wait


class Retry:
    """Makes up to ``tries`` tries, none that would start after ``seconds``. The pause before the
    next try is the server's Retry-After, or else ``backoff`` seconds, doubled each time."""

    def __init__(self, tries: int, backoff: float, seconds: float) -> None:
        self._tries, self._backoff, self._seconds = tries, backoff, seconds
        self.call = AsyncRetrying(
            stop=stop_after_attempt(tries) | stop_before_delay(seconds),
            wait=self._pause,
            retry=retry_if_exception_type(RetryableError),
            reraise=True,
        )

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, RetryableError) and error.wait is not None:
            return error.wait
        return float(self._backoff * 2 ** (state.attempt_number - 1))

    def failure(self, error: RetryableError) -> ModelFailed:
        """What a call has come to. A server that asks for a longer pause than a decision may take
        need not be asked again soon."""
        has_time = self.call.statistics["attempt_number"] >= self._tries or error.wait is None
        return ModelFailed(self._message(error), is_passing=has_time)

    def _message(self, error: RetryableError) -> str:
        """What went wrong last, after how many tries, and what a person can do about it."""
        tries = self.call.statistics["attempt_number"]
        if tries < self._tries and error.wait is not None:
            return (
                f"{error.reason} and asked to wait {error.wait:g} s before the next try "
                f"(Retry-After), longer than the {self._seconds:g} s that one decision may take: "
                f"{error.remedy}"
            )
        count = "1 try" if tries == 1 else f"{tries} tries"
        return f"{error.reason}, after {count}: {error.remedy}"
