"""How far the clock of this machine is from the one of the site, by the Date of its answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime

from playwright.sync_api import BrowserContext, Response


def report_offset(context: BrowserContext, found: Callable[[int], object]) -> None:
    """Call ``found`` once with the seconds by which this machine is ahead, as soon as an answer has
    a Date of its own. That has whole seconds, and so has the offset."""

    def read(response: Response) -> None:
        offset = offset_by(response.headers, time.time())
        if offset is not None:
            context.remove_listener("response", read)
            found(offset)

    context.on("response", read)


def offset_by(headers: dict[str, str], now: float) -> int | None:
    """None without a Date that can be read, and for an answer that a cache has kept."""
    if "date" not in headers or "age" in headers:
        return None
    try:
        return round(now - parsedate_to_datetime(headers["date"]).timestamp() - 0.5)
    except ValueError:
        return None
