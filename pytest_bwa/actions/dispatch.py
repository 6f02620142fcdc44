"""The hands: one function an action, all of them on one table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Protocol
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Download, ElementHandle, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pytest_bwa.actions.guard import attempt, failure
from pytest_bwa.actions.pace import Pace
from pytest_bwa.actions.resolve import resolve
from pytest_bwa.actions.settle import Quiet
from pytest_bwa.settings import Settings
from pytest_bwa.steps import PASSIVE_ACTIONS, Action, ActionResult, Artifact, Observation

SCROLL_PIXELS = 600
WAIT_SECONDS = 10.0
EXTRACT_CHARACTERS = 4000

Within = Callable[[float, str], AbstractContextManager[None]]


class Keep(Protocol):
    """Where the hands put what they bring back; the evidence writer."""

    def save_screenshot(self, png: bytes, label: str, url: str, step: int) -> Artifact: ...

    def save_download(self, temporary: Path, suggested: str, url: str, step: int) -> Artifact: ...


class Hands:
    """Acts on one page for one sample. ``act`` never raises for what goes wrong on the page."""

    def __init__(
        self,
        page: Page,
        within: Within,
        keep: Keep,
        pace: Pace,
        settings: Settings,
        *,
        install: str,
        base_url: str | None = None,
    ) -> None:
        self.page = page
        self._within = within
        self._keep = keep
        self._pace = pace
        self._settings = settings
        self._base_url = base_url
        self._quiet = Quiet(page, install, settings.settle_timeout)
        self._observation = Observation(url="", title="")
        self._step = 0
        self._popups: list[str] = []
        page.on("popup", lambda popup: self._popups.append(popup.url))
        self._table: Mapping[str, Callable[[Action], ActionResult]] = {
            "goto": self._goto,
            "click": self._click,
            "type": self._type,
            "scroll": self._scroll,
            "screenshot": self._screenshot,
            "extract": self._extract,
            "wait": self._wait,
            "download": self._download,
            "select_option": self._select_option,
        }

    def act(self, action: Action, observation: Observation, step: int) -> ActionResult:
        """Do it, then wait for the page to come to rest. PageLost and EvidenceError pass."""
        self._observation, self._step = observation, step
        seconds = self._settings.action_timeout
        with self._within(seconds, f"{action.action} was under way"):
            result = attempt(lambda: self._table[action.action](action))
            if action.action not in PASSIVE_ACTIONS and action.action != "wait":
                self._quiet.wait(navigated=self.page.url != observation.url)
        return self._with_popup(result)

    def _with_popup(self, result: ActionResult) -> ActionResult:
        """A new tab is told only when the page has come to rest: it opens after the click."""
        if not self._popups:
            return result
        url = self._popups.pop()
        self._popups.clear()
        told = f"{result.description}; it opened a new tab at {url} (use goto to see it)"
        return replace(result, description=told)

    # -- moving ------------------------------------------------------------------------------

    def _goto(self, action: Action) -> ActionResult:
        base = self._observation.url if urlsplit(self._observation.url).netloc else self._base_url
        url = urljoin(base or "", action.url or "")
        if urlsplit(url).scheme not in ("http", "https"):
            return failure(f'"{url}" is no web address: give one that begins with http(s)://')
        if (delay := self._pace.reserve(url)) > 0:
            time.sleep(delay)  # the rate limit itself, not a wait for the page
        try:
            response = self.page.goto(url, wait_until="domcontentloaded", timeout=self._most_ms())
        except PlaywrightTimeout:
            return failure(f"{url} did not answer in time", infrastructure=True)
        if response is not None and response.status >= 400:
            description = f"{url} answered HTTP {response.status}"
            return ActionResult(False, description, error=description)
        return ActionResult(True, f"opened {self.page.url}")

    def _scroll(self, action: Action) -> ActionResult:
        sign = -1 if action.direction == "up" else 1
        before, after, height = self.page.evaluate(
            """by => { const a = scrollY; window.scrollBy({top: by, behavior: 'instant'});
            return [a, scrollY, document.documentElement.scrollHeight - innerHeight]; }""",
            sign * SCROLL_PIXELS,
        )
        if before == after:
            return failure(f"already at the {'top' if sign < 0 else 'end'} of the page")
        return ActionResult(True, f"scrolled to {round(after)} of {round(height)} pixels")

    def _wait(self, action: Action) -> ActionResult:
        """For text or CSS to be visible; without a selector, for the page to come to rest."""
        if not action.selector:
            rest = self._quiet.wait(navigated=True)
            return ActionResult(True, "the page is at rest" if rest else "the page is still moving")
        css = action.selector if action.selector[:1] in "#.[" else None
        target = self.page.locator(css) if css else self.page.get_by_text(action.selector)
        try:
            target.first.wait_for(state="visible", timeout=WAIT_SECONDS * 1000)
        except PlaywrightTimeout:
            return failure(f'"{action.selector}" did not appear within {WAIT_SECONDS:.0f} s')
        return ActionResult(True, f'"{action.selector}" is visible')

    # -- touching ----------------------------------------------------------------------------

    def _click(self, action: Action) -> ActionResult:
        element = self._element(action)
        element.click(timeout=self._element_ms())
        return ActionResult(True, f"clicked {self._named(action)}")

    def _type(self, action: Action) -> ActionResult:
        element, text = self._element(action), action.text or ""
        element.fill(text, timeout=self._element_ms())
        kept = element.evaluate("e => 'value' in e ? e.value : e.textContent")
        if kept != text:
            return failure(f"typed into {self._named(action)}, but the field did not keep the text")
        return ActionResult(True, f"typed into {self._named(action)}")

    def _select_option(self, action: Action) -> ActionResult:
        element, wanted = self._element(action), action.value or ""
        offered = element.evaluate(
            """e => e.tagName === 'SELECT'
            ? [...e.options].map(o => [o.label.trim(), o.value]) : null"""
        )
        if offered is None:
            return failure(f"{self._named(action)} is no list to select from: use click")
        match = next((v for t, v in offered if t == wanted), None)
        folded = wanted.strip().casefold()
        match = match or next(
            (v for t, v in offered if folded in (t.casefold(), v.casefold())), None
        )
        if match is None:
            names = ", ".join(f'"{t}"' for t, _ in offered[:20])
            return failure(f'there is no option "{wanted}"; there are: {names}')
        element.select_option(value=match, timeout=self._element_ms())
        return ActionResult(True, f'selected "{wanted}" in {self._named(action)}')

    # -- bringing back -----------------------------------------------------------------------

    def _screenshot(self, action: Action) -> ActionResult:
        png = self.page.screenshot(
            full_page=True, type="png", animations="disabled", timeout=self._most_ms()
        )
        label = action.label or "page"
        artifact = self._keep.save_screenshot(png, label, self.page.url, self._step)
        return ActionResult(True, f"saved {artifact.filename}", artifact=artifact)

    def _extract(self, action: Action) -> ActionResult:
        element = self._element(action)
        text = element.evaluate(
            """e => e.type === 'password' ? '' : e.tagName === 'SELECT'
            ? [...e.selectedOptions].map(o => o.label).join(', ')
            : 'value' in e && e.tagName !== 'LI' && e.tagName !== 'BUTTON' ? String(e.value)
            : e.innerText ?? e.textContent ?? ''"""
        ).strip()
        if not text:
            return failure(f"{self._named(action)} holds no text")
        text = text[:EXTRACT_CHARACTERS]
        return ActionResult(True, f"read {len(text)} characters: {text}", data={"text": text})

    def _download(self, action: Action) -> ActionResult:
        element = self._element(action)
        try:
            with self.page.expect_download(timeout=self._most_ms() / 2) as caught:
                element.click(timeout=self._element_ms())
        except PlaywrightTimeout:
            return failure(f"clicking {self._named(action)} started no download")
        artifact = self._saved(caught.value)
        return ActionResult(
            True, f"saved {artifact.filename} (sha256 {artifact.sha256[:12]}…)", artifact=artifact
        )

    def _saved(self, download: Download) -> Artifact:
        # path() waits for the end of the transfer and raises where it failed.
        temporary = Path(download.path())
        return self._keep.save_download(
            temporary, download.suggested_filename, download.url, self._step
        )

    # -- small things ------------------------------------------------------------------------

    def _element(self, action: Action) -> ElementHandle:
        return resolve(self.page, self._observation, action.selector or "")

    def _named(self, action: Action) -> str:
        selector = (action.selector or "").strip("[] ")
        element = self._observation.element(int(selector)) if selector.isdigit() else None
        return f'{element.role} "{element.name}"' if element else f'"{action.selector}"'

    def _element_ms(self) -> float:
        return self._settings.element_timeout * 1000

    def _most_ms(self) -> float:
        return self._settings.action_timeout * 1000 / 2
