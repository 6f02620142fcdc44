"""A click where a person would click: in the middle of what can be seen of an element.

Playwright's own click costs 60 ms, and twice that for the first on a page, because its script has
to be put into the page. Where one look into the page says that the element stands still, is
enabled and is what the pointer would meet, the mouse is used directly. In every other case
Playwright's click waits for that, and says what is in the way.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import ElementHandle, Page

from pytest_bwa.page.script_loader import load_script
from pytest_bwa.steps import Element

_POINT = load_script("actions/click_point")
CHECKED = load_script("actions/checked_state")  # None for what cannot be checked
_LOOK = load_script("actions/free_spot")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an element can be clicked at once, in pixels of the viewport."""

    x: float
    y: float
    checked: str | None
    """What CHECKED says before the click."""


def free_spot(page: Page, element: Element | None) -> Spot | None:
    """One look at a listed element of the main frame; None where it does not stand free. Without
    an ElementHandle: for the first on a page Playwright puts its script into it (40 ms)."""
    if element is None or element.ref[0] != 0:
        return None
    found = page.evaluate(_LOOK, element.ref[1])
    return Spot(*found) if found else None


def click(page: Page, element: ElementHandle, timeout: float) -> None:
    """``timeout`` in ms is what Playwright's click has, where it is needed."""
    point = element.evaluate(_POINT)
    if point is None:
        element.click(timeout=timeout)
    else:
        page.mouse.click(*point)
