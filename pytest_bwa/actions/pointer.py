"""Pointing and clicking where a person would: in the middle of the visible part of an element.

Playwright's own click costs 60 ms, and twice that for the first one on a page, because its script
has to be injected into the page. If one check in the page says that the element does not move, is
enabled and is what the pointer would hit, the mouse is used directly. Otherwise Playwright's click
waits until that is so, and says what is in the way.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import ElementHandle, Page

from pytest_bwa.page.script_loader import load_script
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps import Element

_POINT = load_script("actions/click_point")
CHECKED = load_script("actions/checked_state")  # None for what cannot be checked
_TARGET = load_script("actions/click_target")
_LOOK = load_script("actions/free_spot")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an element can be clicked at once, in CSS pixels of the viewport."""

    x: float
    y: float
    checked: str | None
    """The result of CHECKED before the click."""
    state: str
    """The result of the script target_state before the click."""


def free_spot(tabs: Tabs, element: Element | None) -> Spot | None:
    """Where a listed element of the main frame can be clicked at once; None if something covers it,
    moves it or disables it. Works without an ElementHandle: for the first one on a page Playwright
    injects its script (40 ms)."""
    page = tabs.current
    document = tabs.documents.find(page, element.ref[0]) if element else None
    if element is None or document is None or document.frame != page.main_frame:
        return None
    found = page.evaluate(_LOOK, {"key": document.key, "number": element.ref[1]})
    return Spot(*found) if found else None


def click(page: Page, element: ElementHandle, timeout: float) -> None:
    """``timeout`` in ms is for Playwright's click, if that is needed."""
    point = element.evaluate(_POINT)
    if point is None:
        target = element.evaluate_handle(_TARGET).as_element() or element
        target.click(timeout=timeout)
    else:
        page.mouse.click(*point)
