"""What run.json says of the browser that showed a page, and of this machine's clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime

from playwright.sync_api import BrowserContext, Page, Response

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.run_record import BrowserRecord
from pytest_bwa.page.readers import world_of


def record_browser(page: Page, folder: RunFolder, program: str | None, channel: str | None) -> None:
    """Name the page's browser in run.json, as the browser itself reports it; and, once for a run,
    how far this machine's clock is from the one of the first site that is opened."""
    browser = page.context.browser
    if browser is not None:
        record = folder.add_browser(
            BrowserRecord(
                name=browser.browser_type.name,
                version=browser.version,
                path=program,
                channel=channel,
                readers=world_of(browser).name,
            )
        )
        if record.origin is not None and record.origin.clock_offset_seconds is None:
            _report_offset(page.context, folder.set_clock_offset)


def _report_offset(context: BrowserContext, found: Callable[[int], object]) -> None:
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
