"""One page for samples that are run one after the other: a context of its own costs each of them a
third of its time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page
from playwright.sync_api import Error as PlaywrightError


class SharedPage:
    """Stands for the browser and for its contexts. Each sample finds the page as if it were new:
    what listens to it, its routes and its cookies go with the sample, and its site has a port of
    its own. After a sample that opened or closed tabs comes a new context."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._context: BrowserContext | None = None
        self._listening: list[Callable[[], None]] = []
        self._sessions: list[CDPSession] = []

    def new_context(self, **options: Any) -> SharedPage:
        if self._context is not None and len(self._context.pages) != 1:
            self.end()
        if self._context is None:
            self._context = self._browser.new_context(**options)
            self._follow(self._context, self._context.new_page())
        return self

    def new_page(self) -> Page:
        assert self._context is not None
        return self._context.pages[0]

    def close(self) -> None:
        """The sample has ended."""
        assert self._context is not None
        while self._listening:
            self._listening.pop()()
        while self._sessions:
            with suppress(PlaywrightError):  # its frame has gone, or the sample has detached it
                self._sessions.pop().detach()
        self._context.unroute_all()
        self._context.clear_cookies()
        for page in self._context.pages[:1]:
            page.unroute_all()
            page.goto("about:blank")

    def end(self) -> None:
        if self._context is not None:
            self._context.close()
            self._context = None

    def _follow(self, context: BrowserContext, page: Page) -> None:
        """Note what a sample adds."""
        scripts: set[str] = set()
        open_session, add_script = context.new_cdp_session, context.add_init_script

        def new_cdp_session(page: Any) -> CDPSession:
            self._sessions.append(open_session(page))
            return self._sessions[-1]

        def add_init_script(script: str) -> None:
            if script not in scripts:  # each sample adds the same, which cannot be removed
                add_script(script)
                scripts.add(script)

        context.new_cdp_session = new_cdp_session  # type: ignore[method-assign]
        context.add_init_script = add_init_script  # type: ignore[method-assign, assignment]
        for emitter in (context, page):
            emitter.on = self._noted(emitter)  # type: ignore[method-assign]

    def _noted(self, emitter: Any) -> Any:
        listen = emitter.on

        def on(event: str, listener: Any) -> None:
            listen(event, listener)
            self._listening.append(lambda: emitter.remove_listener(event, listener))

        return on
