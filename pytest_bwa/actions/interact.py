"""Actions on one element. If success can be checked, it is: an action without effect fails."""

from __future__ import annotations

from typing import Annotated, Any

from playwright.sync_api import ElementHandle
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.list_options import has_visible_options, open_list
from pytest_bwa.actions.pointer import CHECKED, free_spot
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.actions.resolve import NotFound
from pytest_bwa.page.script_loader import load_script
from pytest_bwa.steps import ActionResult

MAX_SHOWN_CHARACTERS = 80
_WIDGET_TEXT = load_script("actions/widget_text")
_OPTIONS = load_script("actions/select_options")


@action("Click an element.")
def click(context: ActionContext, *, selector: Selector) -> ActionResult:
    named = context.describe(selector)
    listed = context.observation.element_for(selector)
    if listed and (spot := free_spot(context.tabs, listed)):
        element, before = None, spot.checked
        if context.target is not None:
            context.target.watch_listed(context.tabs, listed, spot.state)
        context.page.mouse.click(spot.x, spot.y)
    else:
        element = context.element(selector)
        before = element.evaluate(CHECKED)
        click_on(context.page, element, context.element_ms)
    if before is None:
        return ActionResult(True, f"clicked {named}")
    try:
        after = (element or context.element(selector)).evaluate(CHECKED)
    except (PlaywrightError, NotFound):  # the element is gone: the click had an effect
        return ActionResult(True, f"clicked {named}")
    return _toggled(named, before, after)


def _toggled(named: str, before: str, after: str | None) -> ActionResult:
    """Fails if a box has not changed; a radio button that was on stays on."""
    state = "on" if after and after.endswith("|true") else "off"
    if after == before and before != "radio|true":
        return failure(f"clicked {named}, but it did not change: it is still {state}")
    return ActionResult(True, f"clicked {named}: it is {state} now")


@action("Move the pointer over an element.")
def hover(context: ActionContext, *, selector: Selector) -> ActionResult:
    context.element(selector).hover(timeout=context.element_ms)
    return ActionResult(True, f"moved the pointer over {context.describe(selector)}")


@action("Drag one element onto another.")
def drag(context: ActionContext, *, selector: Selector, target: Selector) -> ActionResult:
    """Uses the real mouse, so that it works on pages with HTML5 drag events and on those that
    follow the pointer."""
    source, destination = context.element(selector), context.element(target)
    mouse = context.page.mouse
    source.hover(timeout=context.element_ms)
    mouse.down()
    try:
        # Twice: the first movement begins the drag, the second reaches the target.
        destination.hover(timeout=context.element_ms, force=True)
        destination.hover(timeout=context.element_ms, force=True)
    finally:
        mouse.up()
    onto = context.describe(target)
    return ActionResult(True, f"dragged {context.describe(selector)} onto {onto}")


# -- choosing ----------------------------------------------------------------------------------


@action("Choose an option of a list.")
def select_option(
    context: ActionContext,
    *,
    selector: Selector,
    value: Annotated[str, "The option's text."],
) -> ActionResult:
    element, wanted = context.element(selector), value
    offered = element.evaluate(_OPTIONS)
    if offered is None:
        return _select_in_widget(context, selector, wanted, element)
    match = next((v for t, v in offered if t == wanted), None)
    folded = wanted.strip().casefold()
    match = match or next((v for t, v in offered if folded in (t.casefold(), v.casefold())), None)
    if match is None:
        return _no_such_option(wanted, [t for t, _ in offered])
    element.select_option(value=match, timeout=context.element_ms)
    if element.evaluate("e => e.value") != match:
        return failure(f'selected "{wanted}", but {context.describe(selector)} did not keep it')
    return ActionResult(True, f'selected "{wanted}" in {context.describe(selector)}')


def _select_in_widget(
    context: ActionContext, selector: str, wanted: str, element: ElementHandle
) -> ActionResult:
    """Choose from a list that is not a <select>: open it, click the option, check what it shows."""
    named = context.describe(selector)
    folded = wanted.strip().casefold()
    options = open_list(context, element)
    if not options and has_visible_options(element):
        return failure(
            f"the page shows options, but it cannot be told which of them belong to {named}: "
            "click the option itself"
        )
    if not options:
        return failure(
            f"{named} is not a list, and clicking it shows no options: use click or type"
        )
    match = next((o for text, o in options if text.casefold() == folded), None)
    if match is None:
        return _no_such_option(wanted, [text for text, _ in options])
    click_on(context.page, match, context.element_ms)
    context.settler.wait(context.page, navigated=False)
    text = str(element.evaluate(_WIDGET_TEXT))
    if folded not in text.casefold():
        return failure(
            f'clicked the option "{wanted}", but {named} shows “{text[:MAX_SHOWN_CHARACTERS]}”'
        )
    return ActionResult(True, f'selected "{wanted}" in {named}')


def _no_such_option(wanted: str, names: list[str]) -> ActionResult:
    listed = ", ".join(f'"{name}"' for name in names[:20])
    return failure(f'there is no option "{wanted}"; there are: {listed}')


# -- files -------------------------------------------------------------------------------------


@action("Put a file that the sample names into a file field.")
def upload(
    context: ActionContext,
    *,
    selector: Selector,
    file: str,
) -> ActionResult:
    """Only files that the sample names may be uploaded: a page could talk the agent into others."""
    path = context.files.get(file)
    if path is None:
        there = ", ".join(sorted(context.files)) or "it names none"
        return failure(f'"{file}" is not a file of this sample; it may upload: {there}')
    element, named = context.element(selector), context.describe(selector)
    if element.evaluate("e => e.matches('input[type=file]')"):
        element.set_input_files(path, timeout=context.element_ms)
        names: Any = element.evaluate("e => [...e.files].map(f => f.name)")
        if path.name not in names:
            return failure(f"{named} did not keep {path.name}")
    else:
        with context.page.expect_file_chooser(timeout=context.element_ms) as chooser:
            click_on(context.page, element, context.element_ms)
        chooser.value.set_files(path)
    return ActionResult(True, f"put {path.name} ({path.stat().st_size} bytes) into {named}")
