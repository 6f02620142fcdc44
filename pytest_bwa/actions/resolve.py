"""From a selector to an element: by index, by text, CSS or XPath."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from playwright.sync_api import ElementHandle, Frame, Locator, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.page.list_numbers import Numbered
from pytest_bwa.page.script_loader import load_script
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps.step import HIDDEN, INTERACTIVE_ROLES, Observation, list_number
from pytest_bwa.steps.text import first_of, folded

_QUOTED = re.compile(r"""^(?:"(.+)"|'(.+)'|“(.+)”)$""")
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "listbox"})
_FIELD = "input, textarea, select, [contenteditable], [role=textbox], [role=combobox]"
_SIGN = re.compile(r"[^\w\u0080-\U0010ffff]")
_XPATH = re.compile(r"^(?:xpath=|\(*\.{0,2}//)")
_LISTED = 12  # elements that an error message names
_MAX_MATCHES = 60  # that are counted
GONE = "is no longer on the page"
_DISTINCT = load_script("distinct_matches")


class NotFound(Exception):
    """No element matches the selector; the message lists the elements that are there."""


def is_xpath(selector: str) -> bool:
    return bool(_XPATH.match(selector))


def resolve(
    tabs: Tabs, observation: Observation, selector: str, *, enters: bool = False
) -> ElementHandle:
    """The element that ``selector`` names: an index of the observation, visible text (in any case,
    exact matches before partial ones; in quotes, it is nothing else), or CSS. Where something is
    entered, fields come before all others. Raises NotFound."""
    if (number := list_number(selector)) is not None:
        return _by_index(tabs, observation, number)
    for tier in _tiers_with_list(tabs, observation, selector, enters):
        for found in tier:
            if found.is_visible():
                return found
    raise _no_match(observation, selector)


def resolve_all(tabs: Tabs, observation: Observation, selector: str) -> list[ElementHandle]:
    """All visible elements that ``selector`` names in the closest way. Raises NotFound."""
    if (number := list_number(selector)) is not None:
        return [_by_index(tabs, observation, number)]
    for tier in _tiers(tabs.current, selector):
        if visible := [found for found in tier if found.is_visible()]:
            return visible
    raise _no_match(observation, selector)


def is_visible(tabs: Tabs, observation: Observation, selector: str) -> bool:
    """Whether anything that ``selector`` names is visible now, in whichever frame. Raises NotFound
    for a number that no element has."""
    if (number := list_number(selector)) is not None:
        return _by_index(tabs, observation, number).is_visible()
    return any(_shows(locator) for frame in tabs.frames() for locator in _ways(frame, selector))


def _ways(frame: Frame, selector: str) -> Iterator[Locator]:
    """What matches a text in a frame in part or exactly, as ``_tiers`` has it for a page."""
    text, is_quoted = _text_of(selector)
    if is_xpath(text):
        yield frame.locator(_with_prefix(text))
    elif text:
        yield from _called(frame, text)
        if not is_quoted:
            yield frame.locator(text)


def _shows(locator: Locator) -> bool:
    """Whether any match is visible: the first one may be a hidden copy."""
    try:
        return locator.filter(visible=True).count() > 0
    except PlaywrightError:  # the text is no CSS selector, or the frame is just going
        return False


def _no_match(observation: Observation, selector: str) -> NotFound:
    there = describe_elements(observation)
    return NotFound(f'nothing on the page matches "{selector}"; {there}')


def count_others(
    tabs: Tabs,
    observation: Observation,
    selector: str,
    element: ElementHandle,
    *,
    enters: bool = False,
) -> int:
    """How many other visible elements match a selector as well as the element that ``resolve``
    chose; what is inside it or around it is no other one."""
    if list_number(selector) is not None:
        return 0
    for tier in _tiers_with_list(tabs, observation, selector, enters):
        matches = list(islice(tier, _MAX_MATCHES))
        frame = element.owner_frame()
        own = [match for match in matches if match.owner_frame() == frame]
        if own and (others := int(element.evaluate(_DISTINCT, own))) >= 0:
            return others + len(matches) - len(own)
    return 0


def describe_elements(observation: Observation) -> str:
    """The elements that can be acted on now, in one line."""
    actionable = [
        e for e in observation.elements if e.role not in ("text", "heading", "row", "img")
    ]
    if not actionable:
        return "nothing on the page can be acted on"
    names = [f'[{e.index}] {e.role} "{e.name[:40]}"' for e in actionable]
    return f"there are: {first_of(names, _LISTED)}"


def _by_index(tabs: Tabs, observation: Observation, index: int) -> ElementHandle:
    element, seen = observation.element(index), tabs.list_numbers.find(index)
    ref = element.ref if element else seen.ref if seen else None
    if ref is None:
        raise NotFound(
            f"there is no element [{index}] on the page; {describe_elements(observation)}"
        )
    handle = tabs.element(ref)
    if handle is None:
        where = _elsewhere(tabs, seen) if seen and element is None else ""
        name = f' "{element.name}"' if element else ""
        why = f"[{index}] {where}" if where else f"element [{index}]{name} {GONE}"
        raise NotFound(f"{why}; {describe_elements(observation)}")
    return handle


def _elsewhere(tabs: Tabs, seen: Numbered) -> str:
    """Where an element is that is in another tab or was on another page; empty for this one."""
    if seen.page == tabs.current:
        is_left = seen.url != tabs.current.url
        place, way = ("on a page that you left", "go back") if is_left else ("", "")
    elif (tab := tabs.number_of(seen.page)) is not None:
        place, way = f"in [tab {tab}]", "switch to it"
    else:
        place, way = "in a tab that is closed", "open that page"
    if not place:
        return ""
    return f"is {place} ({seen.url}): {way} to press it; it can still be cited as a source"


def _tiers_with_list(
    tabs: Tabs, observation: Observation, selector: str, enters: bool
) -> Iterator[Iterator[ElementHandle]]:
    """Before all others comes what the list calls so and can be pressed, or filled in."""
    roles = _FIELDS if enters else INTERACTIVE_ROLES - _FIELDS
    yield _listed(tabs, observation, _text_of(selector)[0], roles)
    yield from _tiers(tabs.current, selector, enters=enters)


def _tiers(page: Page, selector: str, *, enters: bool = False) -> Iterator[Iterator[ElementHandle]]:
    """What matches a text, the best matches first: exactly, in part, as CSS. XPath is known by how
    it begins. Nothing matches no text: each name begins with it."""
    text, is_quoted = _text_of(selector)
    if not text:
        return
    if is_xpath(text) and not is_quoted:
        yield _query(page, _with_prefix(text))
        return
    escaped = _escaped(text)
    part = rf"\b{escaped}\b" if text.isdecimal() else escaped  # 14 is no part of 140
    patterns = [re.compile(rf"^\s*{escaped}\s*$", re.I), re.compile(part, re.I)]
    if enters:
        yield from (_handles(_fields(page, pattern)) for pattern in patterns)
    yield from (_handles(_called(page, pattern)) for pattern in patterns)
    if not is_quoted:
        yield _query(page, text)


def _text_of(selector: str) -> tuple[str, bool]:
    """The text of a selector, and whether it stands in quotes: then it is nothing but a text."""
    text = selector.strip()
    quoted = _QUOTED.match(text)
    return (next(filter(None, quoted.groups())), True) if quoted else (text, False)


def _listed(
    tabs: Tabs, observation: Observation, text: str, roles: frozenset[str]
) -> Iterator[ElementHandle]:
    """What is called so in the list, where icons and frames are, too."""
    for element in observation.all_elements:
        is_called = element.role in roles and folded(element.name) == folded(text)
        if is_called and HIDDEN not in element.states:
            yield from filter(None, [tabs.element(element.ref)])


def _escaped(text: str) -> str:
    """The text as a pattern. The browser driver writes it into a selector of its own, in which a
    slash ends a pattern and quotation marks and >> end a part, so signs have their codes. A page's
    line breaks are blanks in names."""
    words = (_SIGN.sub(lambda sign: f"\\x{ord(sign[0]):02x}", word) for word in text.split())
    return r"\s+".join(words)


def _with_prefix(xpath: str) -> str:
    """The browser driver takes some for CSS otherwise: ``(//p)[2]``."""
    return xpath if xpath.startswith("xpath=") else f"xpath={xpath}"


def _handles(locators: Iterable[Locator]) -> Iterator[ElementHandle]:
    for locator in locators:
        yield from locator.element_handles()


def _fields(page: Page, name: re.Pattern[str]) -> Iterator[Locator]:
    yield page.get_by_label(name).and_(page.locator(_FIELD))
    yield page.get_by_placeholder(name)


def _called(place: Page | Frame, name: re.Pattern[str] | str) -> Iterator[Locator]:
    """The ways in which an element is called something; a text may be a part of its name."""
    for role in ("button", "link", "tab", "menuitem", "option", "checkbox", "radio"):
        yield place.get_by_role(role, name=name)
    yield place.get_by_label(name)
    yield place.get_by_placeholder(name)
    yield place.get_by_text(name)


def _query(page: Page, selector: str) -> Iterator[ElementHandle]:
    try:
        yield from page.query_selector_all(selector)
    except PlaywrightError as error:
        if is_xpath(selector):
            raise NotFound(f"{selector} is not an XPath that the browser understands") from error
        return  # the text is no CSS selector
