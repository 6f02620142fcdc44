"""The element that an action acts on, watched from before the action until the page has settled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from playwright.sync_api import ElementHandle, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.effects.compare import compare
from pytest_bwa.actions.settle import ElementReference
from pytest_bwa.page.script_loader import load_script
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps import Effects, Element

_STATE = load_script("actions/target_state_now")
_STATE_BY_NUMBER = load_script("actions/target_state_by_number")


class WatchedTarget:
    """The first element that an action names; of a drag, what is dragged."""

    def __init__(self) -> None:
        self._before: str | None = None
        self._read: Callable[[], str | None] | None = None
        self.reference: ElementReference | None = None
        """Of a listed element of the page's own document: its state can be read by this."""

    def watch(self, element: ElementHandle) -> None:
        """Read the element's state, unless an element is watched already."""
        if self._read is None:
            self._before, self._read = element.evaluate(_STATE), partial(element.evaluate, _STATE)

    def watch_focus(self, page: Page) -> None:
        """The same for whatever has the focus, which the action may move."""
        if self._read is None:
            self._read = partial(page.evaluate, _STATE, None)
            self._before = self._read()

    def watch_listed(self, tabs: Tabs, element: Element, state: str) -> None:
        """The same for a listed element of the current tab whose state was just read."""
        document = tabs.documents.find(tabs.current, element.ref[0])
        if self._read is None and document is not None:
            self.reference = {"key": document.key, "number": element.ref[1]}
            self._before = state
            self._read = partial(document.frame.evaluate, _STATE_BY_NUMBER, self.reference)

    def effects(self, state: str | None = None) -> Effects:
        """What has changed since; nothing if the element or its document is gone. A ``state`` that
        was read after the action is not read again."""
        if self._read is None:
            return Effects()
        try:
            return compare(self._before, state or self._read())
        except PlaywrightError:
            return Effects()
