"""How long a server asks to wait before the next request."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


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
