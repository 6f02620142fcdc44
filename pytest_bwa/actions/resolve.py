"""From a selector to an element: by index, by text, by CSS."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import ElementHandle, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps import Observation

_INDEX = re.compile(r"^\[?(\d+)\]?$")
_LISTED = 12  # elements that an error message names


class NotFound(Exception):
    """No element matches the selector; the message lists the elements that are there."""


def resolve(tabs: Tabs, observation: Observation, selector: str) -> ElementHandle:
    """The element that ``selector`` names: an index of the observation, visible text (in any case,
    exact matches before partial ones), or CSS. Raises NotFound."""
    text = selector.strip()
    if match := _INDEX.match(text):
        return _by_index(tabs, observation, int(match[1]))
    for group in _candidates(tabs.current, text):
        for found in group:
            if found.is_visible():
                return found
    raise NotFound(f'nothing on the page matches "{selector}"; {describe_elements(observation)}')


def resolve_all(tabs: Tabs, observation: Observation, selector: str) -> list[ElementHandle]:
    """All visible elements that ``selector`` names in the closest way. Raises NotFound."""
    text = selector.strip()
    if not _INDEX.match(text):
        for group in _candidates(tabs.current, text):
            if visible := [found for found in group if found.is_visible()]:
                return visible
    return [resolve(tabs, observation, selector)]


def describe_elements(observation: Observation) -> str:
    """The elements that can be acted on now, in one line."""
    actionable = [
        e for e in observation.elements if e.role not in ("text", "heading", "row", "img")
    ]
    if not actionable:
        return "nothing on the page can be acted on"
    names = ", ".join(f'[{e.index}] {e.role} "{e.name[:40]}"' for e in actionable[:_LISTED])
    more = f" and {len(actionable) - _LISTED} more" if len(actionable) > _LISTED else ""
    return f"there are: {names}{more}"


def _by_index(tabs: Tabs, observation: Observation, index: int) -> ElementHandle:
    element = observation.element(index)
    ref = element.ref if element else tabs.list_numbers.ref(tabs.current, index)
    if ref is None:
        raise NotFound(
            f"there is no element [{index}] on the page; {describe_elements(observation)}"
        )
    handle = tabs.element(ref)
    if handle is None:
        name = f' "{element.name}"' if element else ""
        raise NotFound(
            f"element [{index}]{name} is no longer on the page; {describe_elements(observation)}"
        )
    return handle


def _candidates(page: Page, text: str) -> Iterator[list[ElementHandle]]:
    """What matches in one way after the other, the closest way first."""
    exact = re.compile(rf"^\s*{re.escape(text)}\s*$", re.I)
    partial = re.compile(re.escape(text), re.I)
    for pattern in (exact, partial):
        for role in ("button", "link", "tab", "menuitem", "option", "checkbox", "radio"):
            yield page.get_by_role(role, name=pattern).element_handles()
        yield page.get_by_label(pattern).element_handles()
        yield page.get_by_placeholder(pattern).element_handles()
        yield page.get_by_text(pattern).element_handles()
    try:
        yield page.query_selector_all(text)
    except PlaywrightError:  # the text is not a CSS selector
        return
