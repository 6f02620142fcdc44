"""Actions that lead to another page, tab or part of the page."""

from __future__ import annotations

import time
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pytest_bwa.actions.grip import Grip
from pytest_bwa.actions.guard import failure
from pytest_bwa.steps import Action, ActionResult

SCROLL_PIXELS = 600
WAIT_SECONDS = 10.0
_INTERRUPTED = "interrupted by another navigation"
BLANK = "about:blank"


def goto(grip: Grip, action: Action) -> ActionResult:
    here = grip.observation.url
    base = here if urlsplit(here).netloc else grip.base_url
    url = urljoin(base or "", action.url or "")
    if urlsplit(url).scheme not in ("http", "https"):
        return failure(f'"{url}" is no web address: give one that begins with http(s)://')
    if (delay := grip.pace.reserve(url)) > 0:
        time.sleep(delay)  # the rate limit itself, not a wait for the page
    try:
        response = grip.page.goto(url, wait_until="domcontentloaded", timeout=grip.most_ms)
    except PlaywrightTimeout:
        return failure(f"{url} did not answer in time", infrastructure=True)
    except PlaywrightError as error:
        if _INTERRUPTED not in error.message:
            raise
        # The page went on by itself, or the browser tried again after an error of the network.
        grip.page.wait_for_load_state("domcontentloaded", timeout=grip.most_ms)
        return ActionResult(True, f"opened {grip.page.url}")
    if response is not None and response.status >= 400:
        description = f"{url} answered HTTP {response.status}"
        return ActionResult(False, description, error=description)
    return ActionResult(True, f"opened {grip.page.url}")


def back(grip: Grip, action: Action) -> ActionResult:
    page, here = grip.page, grip.page.url
    page.go_back(wait_until="domcontentloaded", timeout=grip.most_ms)
    if page.url == BLANK and here != BLANK:  # where every tab begins
        page.go_forward(wait_until="domcontentloaded", timeout=grip.most_ms)
    if page.url == here:
        return failure("there is no earlier page to go back to")
    return ActionResult(True, f"went back to {page.url}")


def switch_tab(grip: Grip, action: Action) -> ActionResult:
    wanted = -1 if action.tab is None else action.tab
    page = grip.tabs.switch(wanted)
    if page is None:
        there = ", ".join(f"{tab.number} ({tab.url})" for tab in grip.tabs.listed())
        return failure(f"there is no tab {wanted}; there are: {there or 'only this one'}")
    page.bring_to_front()
    return ActionResult(True, f"went on in tab {wanted} at {page.url}")


def scroll(grip: Grip, action: Action) -> ActionResult:
    sign = -1 if action.direction == "up" else 1
    before, after, height = grip.page.evaluate(
        """by => { const a = scrollY; window.scrollBy({top: by, behavior: 'instant'});
        return [a, scrollY, document.documentElement.scrollHeight - innerHeight]; }""",
        sign * SCROLL_PIXELS,
    )
    if before == after:
        return failure(f"already at the {'top' if sign < 0 else 'end'} of the page")
    return ActionResult(True, f"scrolled to {round(after)} of {round(height)} pixels")


def wait(grip: Grip, action: Action) -> ActionResult:
    """For text or CSS to be visible; without a selector, for the page to come to rest."""
    if not action.selector:
        rest = grip.quiet.wait(grip.page, navigated=True)
        return ActionResult(True, "the page is at rest" if rest else "the page is still moving")
    css = action.selector if action.selector[:1] in "#.[" else None
    target = grip.page.locator(css) if css else grip.page.get_by_text(action.selector)
    try:
        target.first.wait_for(state="visible", timeout=WAIT_SECONDS * 1000)
    except PlaywrightTimeout:
        return failure(f'"{action.selector}" did not appear within {WAIT_SECONDS:.0f} s')
    return ActionResult(True, f'"{action.selector}" is visible')
