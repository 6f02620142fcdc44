"""Finds the options of a list that is not a <select>."""

from __future__ import annotations

from playwright.sync_api import ElementHandle, JSHandle

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.page.script_loader import load_script

MAX_CLICKS = 2
"""The first click closes a list that is open already; the second opens it again."""
_VISIBLE = load_script("actions/visible_options")
_OWN = load_script("actions/own_options")
Option = tuple[str, ElementHandle]
"""An option's visible text, and its element."""


def open_list(context: ActionContext, element: ElementHandle) -> list[Option]:
    """The visible options of the element's own list, which is opened if need be; empty if there
    are none, or if it cannot be told which of the page's options are its own."""
    before = visible_options(element)
    options = _own(element, before)
    for _ in range(MAX_CLICKS):
        if options:
            break
        click_on(context.page, element, context.element_ms)
        context.settler.wait(context.page, navigated=False)
        options = _own(element, before)
        after = visible_options(element)
        if _length(after) >= _length(before):
            break
        before = after
    return options


def visible_options(element: ElementHandle) -> JSHandle:
    """An array of the visible options of all lists in the element's frame."""
    return element.evaluate_handle(_VISIBLE)


def has_visible_options(element: ElementHandle) -> bool:
    return _length(visible_options(element)) > 0


def _length(options: JSHandle) -> int:
    return int(options.evaluate("options => options.length"))


def _own(element: ElementHandle, before: JSHandle) -> list[Option]:
    found = element.evaluate_handle(_OWN, before).get_properties().values()
    handles = [handle for item in found if (handle := item.as_element()) is not None]
    return [((handle.inner_text() or "").strip(), handle) for handle in handles]
