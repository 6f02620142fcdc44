"""Actions on one element. Where success can be checked, it is: what had no effect is none."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import ElementHandle
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.click import CHECKED, free_spot
from pytest_bwa.actions.click import click as click_on
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.resolve import NotFound
from pytest_bwa.page.script_loader import load_script
from pytest_bwa.steps import Action, ActionResult

SECRET = "secret"  # key of ActionResult.data: what was entered belongs in no log
_HELD = load_script("actions/typed_text")
_SHOWN = load_script("actions/widget_text")
_OPTIONS = load_script("actions/select_options")


def click(context: ActionContext, action: Action) -> ActionResult:
    named = context.named(action.selector)
    if spot := free_spot(context.page, context.observation.element_for(action.selector or "")):
        element, before = None, spot.checked
        context.page.mouse.click(spot.x, spot.y)
    else:
        element = context.element(action.selector)
        before = element.evaluate(CHECKED)
        click_on(context.page, element, context.element_ms)
    if before is None:
        return ActionResult(True, f"clicked {named}")
    try:
        after = (element or context.element(action.selector)).evaluate(CHECKED)
    except (PlaywrightError, NotFound):  # it is gone: the page itself has answered
        return ActionResult(True, f"clicked {named}")
    return _toggled(named, before, after)


def _toggled(named: str, before: str, after: str | None) -> ActionResult:
    """Whether a box is still as it was; a radio button that was on stays on."""
    state = "on" if after and after.endswith("|true") else "off"
    if after == before and before != "radio|true":
        return failure(f"clicked {named}, but it did not change: it is still {state}")
    return ActionResult(True, f"clicked {named}: it is {state} now")


def type_text(context: ActionContext, action: Action) -> ActionResult:
    element, named = context.element(action.selector), context.named(action.selector)
    text = action.text or ""
    element.fill(text, timeout=context.element_ms)
    secret, kept = element.evaluate(_HELD)
    data = {SECRET: True} if secret else {}
    if kept == text:
        return ActionResult(True, f"typed into {named}", data=data)
    if _bare(kept) != _bare(text) or not text:
        description = f"typed into {named}, but the field did not keep the text"
        return ActionResult(False, description, error=description, data=data)
    shows = "" if secret else f": the field writes it as “{kept}”"
    return ActionResult(True, f"typed into {named}{shows}", data=data)


def _bare(text: str) -> str:
    """Without what a field puts in by itself: spaces, separators."""
    return re.sub(r"[\W_]+", "", text).casefold()


def press(context: ActionContext, action: Action) -> ActionResult:
    key = action.key or ""
    try:
        if action.selector:
            context.element(action.selector).press(key, timeout=context.element_ms)
        else:
            context.page.keyboard.press(key)
    except PlaywrightError as error:
        if "Unknown key" not in error.message:
            raise
        return failure(f'there is no key "{key}": write it like Enter, Escape, Tab, Control+a')
    where = f" in {context.named(action.selector)}" if action.selector else ""
    return ActionResult(True, f"pressed {key}{where}")


def hover(context: ActionContext, action: Action) -> ActionResult:
    context.element(action.selector).hover(timeout=context.element_ms)
    return ActionResult(True, f"moved the pointer over {context.named(action.selector)}")


def drag(context: ActionContext, action: Action) -> ActionResult:
    """With the real mouse: pages that drag by HTML5 events and those that follow the pointer both
    see what a person would do."""
    source, target = context.element(action.selector), context.element(action.target)
    mouse = context.page.mouse
    source.hover(timeout=context.element_ms)
    mouse.down()
    try:
        # Twice: the first movement begins the drag, the second is what the target hears.
        target.hover(timeout=context.element_ms, force=True)
        target.hover(timeout=context.element_ms, force=True)
    finally:
        mouse.up()
    onto = context.named(action.target)
    return ActionResult(True, f"dragged {context.named(action.selector)} onto {onto}")


# -- choosing ----------------------------------------------------------------------------------


def select_option(context: ActionContext, action: Action) -> ActionResult:
    element, wanted = context.element(action.selector), action.value or ""
    offered = element.evaluate(_OPTIONS)
    if offered is None:
        return _select_in_widget(context, action, element)
    match = next((v for t, v in offered if t == wanted), None)
    folded = wanted.strip().casefold()
    match = match or next((v for t, v in offered if folded in (t.casefold(), v.casefold())), None)
    if match is None:
        return _no_such_option(wanted, [t for t, _ in offered])
    element.select_option(value=match, timeout=context.element_ms)
    if element.evaluate("e => e.value") != match:
        return failure(f'selected "{wanted}", but {context.named(action.selector)} did not keep it')
    return ActionResult(True, f'selected "{wanted}" in {context.named(action.selector)}')


def _select_in_widget(
    context: ActionContext, action: Action, element: ElementHandle
) -> ActionResult:
    """A list that is built of other elements: open it, click the option, look what it shows."""
    wanted, named = action.value or "", context.named(action.selector)
    folded = wanted.strip().casefold()
    options = _options(context)
    if not options:
        click_on(context.page, element, context.element_ms)
        context.settler.wait(context.page, navigated=False)
        options = _options(context)
    if not options:
        return failure(f"{named} is no list, and clicking it shows no options: use click or type")
    match = next((o for text, o in options if text.casefold() == folded), None)
    if match is None:
        return _no_such_option(wanted, [text for text, _ in options])
    click_on(context.page, match, context.element_ms)
    context.settler.wait(context.page, navigated=False)
    shown = str(element.evaluate(_SHOWN))
    if folded not in shown.casefold():
        return failure(f'clicked the option "{wanted}", but {named} shows “{shown[:80]}”')
    return ActionResult(True, f'selected "{wanted}" in {named}')


def _options(context: ActionContext) -> list[tuple[str, ElementHandle]]:
    found = context.page.get_by_role("option").element_handles()
    return [((o.inner_text() or "").strip(), o) for o in found if o.is_visible()]


def _no_such_option(wanted: str, names: list[str]) -> ActionResult:
    listed = ", ".join(f'"{name}"' for name in names[:20])
    return failure(f'there is no option "{wanted}"; there are: {listed}')


# -- files -------------------------------------------------------------------------------------


def upload(context: ActionContext, action: Action) -> ActionResult:
    """Only files that the sample names: an agent that a page talks to must not pick others."""
    name = action.file or ""
    path = context.files.get(name)
    if path is None:
        there = ", ".join(sorted(context.files)) or "it names none"
        return failure(f'"{name}" is no file of this sample; those that it may upload: {there}')
    element, named = context.element(action.selector), context.named(action.selector)
    if element.evaluate("e => e.matches('input[type=file]')"):
        element.set_input_files(path, timeout=context.element_ms)
        held: Any = element.evaluate("e => [...e.files].map(f => f.name)")
        if path.name not in held:
            return failure(f"{named} did not keep {path.name}")
    else:
        with context.page.expect_file_chooser(timeout=context.element_ms) as chooser:
            click_on(context.page, element, context.element_ms)
        chooser.value.set_files(path)
    return ActionResult(True, f"put {path.name} ({path.stat().st_size} bytes) into {named}")
