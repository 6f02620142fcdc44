"""The action that reads other pages beside the present one. They are opened side by side, each in a
tab in the background, and shown together with the next decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Response
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.navigate import address_on, arrive, is_web_address, refusal_of
from pytest_bwa.facts.address import is_same_page
from pytest_bwa.steps.step import Action, ActionResult, Element, Observation, list_number
from pytest_bwa.steps.text import folded

MAX_PAGES = 5
_PAUSE_MS = 20
_NO_POPUPS = "window.open = () => null;"
"""Nobody would see what a page in the background opens."""


class OpeningPage:
    """A page that is being opened in a tab of its own."""

    def __init__(self, context: ActionContext, url: str) -> None:
        self._url, self._timeout = url, context.max_ms
        self._response: Response | None = None
        self._error: PlaywrightError | None = None
        self._is_done = False
        self.tab = context.tabs.open_in_background(self._open)

    def _open(self, tab: Page) -> None:
        try:
            tab.add_init_script(_NO_POPUPS)
            self._response = tab.goto(
                self._url, wait_until="domcontentloaded", timeout=self._timeout
            )
        except PlaywrightError as error:
            self._error = error
        self._is_done = True

    def wait(self) -> Response | None:
        """What was answered. Raises Playwright's errors."""
        while not self._is_done:
            self.tab.wait_for_timeout(_PAUSE_MS)
        if self._error is not None:
            raise self._error
        return self._response


@action("See up to 5 links or addresses next.", changes_page=False)
def read(context: ActionContext, *, pages: list[Any]) -> ActionResult:
    """One of the pages that ``open_pages`` has begun to open."""
    (url,) = map(str, pages)
    opening = context.opening[url]
    if isinstance(opening, ActionResult):
        return opening
    context.tabs.show_background(opening.tab)
    context.asked_url = url
    result = arrive(context, url, opening.wait)
    if result.success:
        try:  # a page whose script never ends would keep the settler waiting for ever
            context.page.wait_for_selector(":root", state="attached", timeout=context.element_ms)
        except PlaywrightTimeout:
            return failure(f"{url} was opened, but does not answer")
        context.settler.wait(context.page, navigated=True)
    return result


def open_pages(
    context: ActionContext, pages: Iterable[object], seen: Mapping[int, Element]
) -> list[Action]:
    """Begin to open pages side by side, as fast as the rate limits let it; returns an action for
    each. ``seen`` are the elements that the policy has seen, by their numbers."""
    actions: list[Action] = []
    context.opening.clear()
    for asked in map(str, [*pages] or [""]):
        link = _named(asked, context.observation, seen)
        url = (link.url or "") if link else address_on(context, asked)
        problem = _problem(context, asked, link, url)
        url = url if is_web_address(url) else asked
        if any(is_same_page(url, other) for other in context.opening):
            continue
        selector = str(link.index) if link else None
        actions.append(Action(action="read", pages=[url], selector=selector))
        if len(actions) <= MAX_PAGES:
            context.opening[url] = problem or _open(context, url)
    return actions


def _open(context: ActionContext, url: str) -> OpeningPage:
    if (seconds := context.rate_limiter.reserve(url)) > 0:
        context.page.wait_for_timeout(seconds * 1000)
    with context.within(context.settings.action_timeout, "a tab was being opened"):
        opening = OpeningPage(context, url)
    context.settler.keep_apart(opening.tab)
    return opening


def _named(asked: str, page: Observation, seen: Mapping[int, Element]) -> Element | None:
    """The element that a number or a text names; of several with the text, a link."""
    number = list_number(asked)
    if number is not None:
        return page.element(number) or seen.get(number)
    named = [element for element in page.elements if folded(element.name) == folded(asked)]
    return next((element for element in named if element.url), named[0] if named else None)


def _problem(
    context: ActionContext, asked: str, link: Element | None, url: str
) -> ActionResult | None:
    """Why a page cannot be read; None if it can be tried."""
    if link is None and (list_number(asked) is not None or not ("/" in asked or "?" in asked)):
        return failure(f'"{asked}" is neither a link of this page nor an address')
    if link is not None and not is_web_address(url):
        named = f'[{link.index}] {link.role} "{link.name}"'
        return failure(f"{named} is no link to a page: click it to see what it shows")
    if is_same_page(url, context.observation.url):
        return failure(f"{url} is this page")
    return refusal_of(context, asked if link is None else "", url)
