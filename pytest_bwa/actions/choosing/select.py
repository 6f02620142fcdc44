"""The action that chooses an option of a list."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import ElementHandle
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.choosing.list_options import OptionList
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.steps import ActionResult
from pytest_bwa.text import first_of

MAX_SHOWN_CHARACTERS = 80


@action("Choose an option of a list.")
def select_option(
    context: ActionContext,
    *,
    selector: Selector,
    value: str,
) -> ActionResult:
    element, wanted = context.element(selector), value
    offered = context.ask(element, "selectOptions")
    if offered is None:
        return _select_in_widget(context, selector, wanted, element)
    match = next((v for t, v in offered if t == wanted), None)
    folded = wanted.strip().casefold()
    match = match or next((v for t, v in offered if folded in (t.casefold(), v.casefold())), None)
    if match is None:
        return _no_such_option(wanted, [t for t, _ in offered])
    element.select_option(value=match, timeout=context.element_ms)
    if context.ask(element, "fieldValue") != match:
        return failure(f'selected "{wanted}", but {context.describe(selector)} did not keep it')
    return ActionResult(True, f'selected "{wanted}" in {context.describe(selector)}')


def _select_in_widget(
    context: ActionContext, selector: str, wanted: str, element: ElementHandle
) -> ActionResult:
    """Choose from a list that is not a <select>: open it, click the option, check what it shows."""
    named = context.describe(selector)
    before = context.ask(element, "choiceShown", [None, wanted])
    options = OptionList(context, element, wanted)
    options.open()
    option = options.option()
    if option is None and context.ask(element, "takesText"):
        options.type_wanted()
        option = options.option()
    if option is None:
        return _no_option(options, named, wanted)
    click_on(context.tabs, option, context.element_ms)
    context.settler.wait(context.page, navigated=False)
    after = _what_is_shown(context, element, option, wanted)
    is_added = any(after[where] > before[where] for where in ("around", "elsewhere"))
    if after["isOwn"] or after["isMarked"] or is_added:
        return ActionResult(True, f'selected "{wanted}" in {named}')
    shows = after["text"][:MAX_SHOWN_CHARACTERS]
    return failure(f'clicked the option "{wanted}", but {named} shows “{shows}”')


def _what_is_shown(
    context: ActionContext, element: ElementHandle, option: ElementHandle, wanted: str
) -> dict[str, Any]:
    """Pages may replace the field when something is chosen: then nothing speaks against it."""
    try:
        number = context.tabs.readers.reference(option).number
        return dict(context.ask(element, "choiceShown", [number, wanted]))
    except PlaywrightError:
        return {"isOwn": True, "isMarked": False, "around": 0, "elsewhere": 0, "text": ""}


def _no_option(options: OptionList, named: str, wanted: str) -> ActionResult:
    if options.options:
        return _no_such_option(wanted, [text for _, text in options.options])
    if options.has_foreign_options():
        return failure(
            f"the page shows options, but it cannot be told which of them belong to {named}: "
            "click the option itself"
        )
    return failure(
        f'{named} is not a list, or it shows no option "{wanted}" when it is clicked: use click or '
        "type"
    )


def _no_such_option(wanted: str, names: list[str]) -> ActionResult:
    listed = first_of([f'"{name}"' for name in names], 20)
    return failure(f'there is no option "{wanted}"; there are: {listed}')
