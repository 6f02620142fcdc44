"""From a selector to an element: by index, by what find told, by text, by CSS (F-34)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import ElementHandle, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.page.script_loader import load_script
from pytest_bwa.page.tabs import frames_of
from pytest_bwa.steps import Observation

_BY_NUMBER = load_script("actions/element_by_number")
_INDEX = re.compile(r"^\[?(\d+)\]?$")
_FOUND = re.compile(r"^ref=(\d+)\.(\d+)$")  # how find names what is not listed
_LISTED = 12  # visible elements that an error names


class NotFound(Exception):
    """No element for the selector; the message lists what is there."""


def resolve(page: Page, observation: Observation, selector: str) -> ElementHandle:
    """The element meant by ``selector``: an index of the observation, visible text (case folded,
    exact before partial), or CSS. Raises NotFound."""
    text = selector.strip()
    if match := _INDEX.match(text):
        return _by_index(page, observation, int(match[1]))
    if match := _FOUND.match(text):
        handle = _by_ref(page, (int(match[1]), int(match[2])))
        if handle is None:
            raise NotFound(f"{text} is no longer on the page; {listing(observation)}")
        return handle
    for found in _candidates(page, text):
        if found.is_visible():
            return found
    raise NotFound(f'nothing on the page matches "{selector}"; {listing(observation)}')


def listing(observation: Observation) -> str:
    """What can be acted on now, in one line."""
    acts = [e for e in observation.elements if e.role not in ("text", "heading", "row", "img")]
    if not acts:
        return "nothing on it can be acted on"
    shown = ", ".join(f'[{e.index}] {e.role} "{e.name[:40]}"' for e in acts[:_LISTED])
    more = f" and {len(acts) - _LISTED} more" if len(acts) > _LISTED else ""
    return f"there are: {shown}{more}"


def _by_index(page: Page, observation: Observation, index: int) -> ElementHandle:
    element = observation.element(index)
    if element is None:
        raise NotFound(f"there is no element [{index}] on the page; {listing(observation)}")
    handle = _by_ref(page, element.ref)
    if handle is None:
        raise NotFound(
            f'element [{index}] "{element.name}" is no longer on the page; {listing(observation)}'
        )
    return handle


def _by_ref(page: Page, ref: tuple[int, int]) -> ElementHandle | None:
    frames = frames_of(page)
    if ref[0] >= len(frames):
        return None
    return frames[ref[0]].evaluate_handle(_BY_NUMBER, ref[1]).as_element()


def _candidates(page: Page, text: str) -> Iterator[ElementHandle]:
    exact = re.compile(rf"^\s*{re.escape(text)}\s*$", re.I)
    partial = re.compile(re.escape(text), re.I)
    for pattern in (exact, partial):
        for role in ("button", "link", "tab", "menuitem", "option", "checkbox", "radio"):
            yield from page.get_by_role(role, name=pattern).element_handles()
        yield from page.get_by_label(pattern).element_handles()
        yield from page.get_by_placeholder(pattern).element_handles()
        yield from page.get_by_text(pattern).element_handles()
    try:
        yield from page.query_selector_all(text)
    except PlaywrightError:  # the text is no CSS selector, which is nobody's fault
        return
