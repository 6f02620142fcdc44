"""The action that waits for a text, for an element, or for the page to settle."""

from __future__ import annotations

import time

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.resolve import is_visible
from pytest_bwa.steps.step import ActionResult

WAIT_SECONDS = 10.0
_PAUSE_MS = 100


@action(
    "Wait for a text or element; without one, until the page settles.",
    settles=False,
)
def wait(
    context: ActionContext,
    *,
    selector: Selector | None = None,
) -> ActionResult:
    """Without a selector, waits for the page to settle."""
    if not (selector or "").strip():
        settled = context.settler.wait(context.page, navigated=True, everything=True)
        return ActionResult(
            True, "the page has settled" if settled else "the page is still changing"
        )
    named, until = context.describe(selector), time.monotonic() + WAIT_SECONDS
    while not is_visible(context.tabs, context.observation, selector or ""):
        if time.monotonic() > until:
            return failure(f"{named} did not appear within {WAIT_SECONDS:.0f} s")
        context.page.wait_for_timeout(_PAUSE_MS)
    return ActionResult(True, f"{named} is visible")
