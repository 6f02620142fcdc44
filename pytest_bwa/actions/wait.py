"""The action that waits for a text, for an element, or for the page to settle."""

from __future__ import annotations

import time

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.resolve import is_xpath
from pytest_bwa.steps import ActionResult

WAIT_SECONDS = 10.0
_PAUSE_MS = 100


@action(
    "Wait until a text or an element is visible; without one, for the page to settle.",
    settles=False,
)
def wait(
    context: ActionContext,
    *,
    selector: str | None = None,
) -> ActionResult:
    """Without a selector, waits for the page to settle."""
    if not selector:
        settled = context.settler.wait(context.page, navigated=True, everything=True)
        return ActionResult(
            True, "the page has settled" if settled else "the page is still changing"
        )
    until = time.monotonic() + WAIT_SECONDS
    while not any(_is_visible(frame, selector) for frame in context.tabs.frames()):
        if time.monotonic() > until:
            return failure(f'"{selector}" did not appear within {WAIT_SECONDS:.0f} s')
        context.page.wait_for_timeout(_PAUSE_MS)
    return ActionResult(True, f'"{selector}" is visible')


def _is_visible(frame: Frame, selector: str) -> bool:
    """Whether any match is visible: the first one may be a hidden copy."""
    is_expression = selector[:1] in "#.[" or is_xpath(selector)
    found = frame.locator(selector) if is_expression else frame.get_by_text(selector)
    try:
        return found.filter(visible=True).count() > 0
    except PlaywrightError as error:
        if is_expression and "selector" in error.message.lower():
            return frame.get_by_text(selector).filter(visible=True).count() > 0
        return False  # the frame is just going, or its page is
