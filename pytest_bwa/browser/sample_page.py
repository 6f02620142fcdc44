"""A sample's page in a context of its own, and the browser that shows it."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.browser.site_clock import report_offset
from pytest_bwa.browser.start_check import start_problem
from pytest_bwa.errors import BrowserMissing
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.run_record import BrowserRecord
from pytest_bwa.page.readers import world_of

CONTEXT = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
"""The context of a sample's page, unless the user's fixtures say otherwise."""


def context_options(
    login: Path | None,
    chosen: Container[str] = (),
    confining: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The options of a context that is signed in with ``login``; ``chosen`` are those that the user
    sets, and ``confining`` those that win over them."""
    options: dict[str, Any] = {k: v for k, v in CONTEXT.items() if k not in chosen}
    options |= confining or {}
    if login is not None:
        options["storage_state"] = str(login)
    return options


def open_page(new_context: Callable[..., BrowserContext], options: Mapping[str, Any]) -> Page:
    """The page of a new context; one that was prepared has it already. Raises BrowserMissing."""
    try:
        context = new_context(**options)
        return context.pages[0] if context.pages else context.new_page()
    except PlaywrightError as error:
        raise BrowserMissing(f"no page could be opened: {start_problem(error)}") from error


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
            report_offset(page.context, folder.set_clock_offset)
