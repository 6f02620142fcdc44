"""The action that waits for a text, for an element, or for the page to settle."""

from __future__ import annotations

from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.steps import ActionResult

WAIT_SECONDS = 10.0


@action(
    "Wait for a text or an element; without one, for the page to settle.",
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
    css = selector if selector[:1] in "#.[" else None
    target = context.page.locator(css) if css else context.page.get_by_text(selector)
    try:
        target.first.wait_for(state="visible", timeout=WAIT_SECONDS * 1000)
    except PlaywrightTimeout:
        return failure(f'"{selector}" did not appear within {WAIT_SECONDS:.0f} s')
    return ActionResult(True, f'"{selector}" is visible')
