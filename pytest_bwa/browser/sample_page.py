"""A sample's page in a context of its own."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, StorageState
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.browser.start_check import start_problem
from pytest_bwa.errors import BrowserMissing

CONTEXT = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
"""The context of a sample's page, unless the user's fixtures say otherwise."""


def context_options(
    login: Path | StorageState | None,
    chosen: Container[str] = (),
    confining: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The options of a context that is signed in with ``login``; ``chosen`` are those that the user
    sets, and ``confining`` those that win over them."""
    options: dict[str, Any] = {k: v for k, v in CONTEXT.items() if k not in chosen}
    options |= confining or {}
    if login is not None:
        options["storage_state"] = str(login) if isinstance(login, Path) else login
    return options


def open_page(new_context: Callable[..., BrowserContext], options: Mapping[str, Any]) -> Page:
    """The page of a new context; one that was prepared has it already. Raises BrowserMissing."""
    try:
        context = new_context(**options)
        return context.pages[0] if context.pages else context.new_page()
    except PlaywrightError as error:
        raise BrowserMissing(f"no page could be opened: {start_problem(error)}") from error
