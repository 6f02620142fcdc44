"""The element that an action acts on, watched from before the action until the page has settled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from playwright.sync_api import ElementHandle
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.effects.compare import compare
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps.step import Effects, Element


class WatchedTarget:
    """The first element that an action names; of a drag, what is dragged."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self._before: str | None = None
        self._read: Callable[[], str | None] | None = None
        self.reported_scroller: int | None = None
        """The number of what the action has scrolled, if its description says where it stands."""

    def watch(self, element: ElementHandle) -> None:
        """Read the element's state, unless an element is watched already."""
        if self._read is None:
            reference = self._tabs.readers.reference(element)
            self._read = partial(self._tabs.readers.ask_reference, reference, "targetState")
            self._before = self._read()

    def watch_focus(self) -> None:
        """The same for whatever has the focus, which the action may move."""
        if self._read is None:
            frame = self._tabs.current.main_frame
            self._read = partial(self._tabs.readers.ask, frame, "focusState")
            self._before = self._read()

    def watch_listed(self, element: Element, state: str) -> None:
        """The same for a listed element of the current tab whose state was just read."""
        reference = self._tabs.reference(element.ref)
        if self._read is None and reference is not None:
            self._before = state
            self._read = partial(self._tabs.readers.ask_reference, reference, "targetState")

    def effects(self) -> Effects:
        """What has changed since; nothing if the element or its document is gone."""
        if self._read is None:
            return Effects()
        try:
            return compare(self._before, self._read(), self.reported_scroller)
        except PlaywrightError:
            return Effects()
