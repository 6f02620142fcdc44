"""The script that every document has: it is sent once, and what asks it is short."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Frame, Page

from pytest_bwa.page.script_loader import load_script

PAGE_SCRIPT = load_script("page")
"""Installs what ``ask`` calls. It runs before the page's own scripts; some documents miss that."""


def ask(place: Frame | Page, script: str, argument: Any = None) -> Any:
    """What a script finds that uses the page script, which is installed first where it is missing.

    ``script`` returns null without it. Raises Playwright's errors.
    """
    found = place.evaluate(script, argument)
    if found is None:
        place.evaluate(PAGE_SCRIPT)
        found = place.evaluate(script, argument)
    return found
