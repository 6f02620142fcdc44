"""What an HTTP response says by its status, and how long it asks to wait."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

TOO_MANY_REQUESTS = 429


def is_error(status: int | None) -> bool:
    """Whether what was asked for did not come; None is the status of a page without a response."""
    return status is not None and status >= 400


def is_server_error(status: int | None) -> bool:
    """Whether the server says that it failed itself."""
    return status is not None and status >= 500


def has_failed(status: int | None) -> bool:
    """Whether the server answered nothing about what was asked for: it failed, or asks to wait."""
    return is_server_error(status) or status == TOO_MANY_REQUESTS


def parse_retry_after(header: str) -> float | None:
    """The number or date of a Retry-After header in seconds from now; None if it is neither."""
    header = header.strip()
    try:
        seconds = float(header)
    except ValueError:
        try:
            date = parsedate_to_datetime(header)
        except ValueError:
            return None
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        seconds = (date - datetime.now(UTC)).total_seconds()
    return max(seconds, 0.0) if seconds == seconds else None  # float("nan") parses too
