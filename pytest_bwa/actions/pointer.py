"""Pointing and clicking where a person would: in the middle of the visible part of an element.

Playwright's own click costs 60 ms, and twice that for the first one on a page, because its script
has to be injected into the page. If one check in the page says that the element does not move, is
enabled and is what the pointer would hit, the mouse is used directly. Otherwise Playwright's click
waits until that is so, and says what is in the way. Rows that show more under the pointer move what
is below them, so the check is made again when the pointer is there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from playwright.sync_api import ElementHandle
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.page.readers import Reference
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps.step import Element

MAX_MOVES = 3
"""How often the pointer follows an element that moves away from it."""
CHECKED = "checkedState"
"""The reader that says whether something is checked; None for what cannot be."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an element can be clicked at once, in CSS pixels of the viewport."""

    reference: Reference
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
    return Spot(reference, *found) if found else None


def press(tabs: Tabs, reference: Reference, x: float, y: float) -> bool:
    """Press an element at a place of the viewport, or where it is when the pointer has come there;
    False if the pointer does not reach it so."""
    mouse = tabs.current.mouse
    for _ in range(MAX_MOVES):
        mouse.move(x, y)
        try:
            if tabs.readers.ask_reference(reference, "isUnder", [x, y]):
                break
            point = tabs.readers.ask_reference(reference, "clickPoint")
        except PlaywrightError:  # it is gone, as it is in lists that are painted anew
            return False
        if point is None:
            return False
        x, y = point
    else:
        return False
    mouse.click(x, y)  # one call for down and up
    return True


def click(tabs: Tabs, element: ElementHandle, timeout: float) -> None:
    """``timeout`` in ms is for Playwright's click, if that is needed."""
    reference = tabs.readers.reference(element)
    point = tabs.readers.ask_reference(reference, "clickPoint")
    tab = tabs.current
    try:
        if point is not None and press(tabs, reference, *point):
            return
    except PlaywrightError:
        # A tab may close itself before the click has ended; then it was done.
        if not tab.is_closed() or not tabs.has_open:
            raise
        return
    # Whoever waits for the next page waits longer: its request may wait for a person.
    click_target(tabs, element).click(timeout=timeout, no_wait_after=True)


def click_target(tabs: Tabs, element: ElementHandle) -> ElementHandle:
    """What is to be clicked in place of an element that the pointer does not reach; or itself."""
    reference = tabs.readers.reference(element)
    number = tabs.readers.ask_reference(reference, "clickTarget")
    target = None if number is None else replace(reference, number=number)
    return (tabs.readers.element(target) if target else None) or element
