"""Pointing and clicking where a person would: in the middle of the visible part of an element.

Playwright's own click costs 60 ms, and twice that for the first one on a page, because its script
has to be injected into the page. If one check in the page says that the element does not move, is
enabled and is what the pointer would hit, the mouse is used directly. Otherwise Playwright's click
waits until that is so, and says what is in the way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from playwright.sync_api import ElementHandle
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps import Element

CHECKED = "checkedState"
"""The reader that says whether something is checked; None for what cannot be."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an element can be clicked at once, in CSS pixels of the viewport."""

    x: float
    y: float
    checked: str | None
    """The result of CHECKED before the click."""
    state: str
    """The result of the reader targetState before the click."""


def free_spot(tabs: Tabs, element: Element | None) -> Spot | None:
    """Where a listed element of the main frame can be clicked at once; None if something covers it,
    moves it or disables it. Works without an ElementHandle: for the first one on a page Playwright
    injects its script (40 ms)."""
    reference = tabs.reference(element.ref) if element else None
    if reference is None or reference.document.frame != tabs.current.main_frame:
        return None
    try:
        found = tabs.readers.ask_reference(reference, "freeSpot")
    except PlaywrightError:  # it is gone; who resolves it says so
        return None
    return Spot(*found) if found else None


def click(tabs: Tabs, element: ElementHandle, timeout: float) -> None:
    """``timeout`` in ms is for Playwright's click, if that is needed."""
    reference = tabs.readers.reference(element)
    point = tabs.readers.ask_reference(reference, "clickPoint")
    if point is None:
        number = tabs.readers.ask_reference(reference, "clickTarget")
        twin = None if number is None else replace(reference, number=number)
        target = (tabs.readers.element(twin) if twin else None) or element
        target.click(timeout=timeout)
    else:
        tab = tabs.current
        try:
            tab.mouse.click(*point)
        except PlaywrightError:
            # A tab may close itself before the click has ended; then it was done.
            if not tab.is_closed() or not tabs.has_open:
                raise
