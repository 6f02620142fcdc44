"""The action that chooses an option of a list."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from playwright.sync_api import ElementHandle
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.choosing.list_options import OptionList
from pytest_bwa.actions.choosing.native_list import NativeList
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.steps import ActionResult
from pytest_bwa.text import first_of

MAX_SHOWN_CHARACTERS = 80
MAX_NAMED = 20  # options in a message


@action("Choose an option of a list; if multiple, name all wanted: A, B.")
def select_option(
    context: ActionContext,
    *,
    selector: Selector,
    value: str,
) -> ActionResult:
    element, wanted = context.element(selector), value
    found = context.ask(element, "selectOptions")
    if found is None:
        return _select_in_widget(context, selector, wanted, element)
    before = NativeList.read(found)
    chosen = before.called(wanted)
    if chosen is None:
        return _no_such_option(wanted, before.labels)
    element.select_option(index=chosen, timeout=context.element_ms)
    after = NativeList.read(context.ask(element, "selectOptions") or found)
    named, now = context.describe(selector), _change(before, after)
    if after.chosen_values != {before.values[at] for at in chosen}:
        return failure(f'selected "{wanted}", but {named} did not keep it{now}')
    return ActionResult(True, f'selected "{wanted}" in {named}{now}', entered=after.text)


def _change(before: NativeList, after: NativeList) -> str:
    """What is chosen now in a list of several, and no longer: choosing replaces all that was."""
    if not after.is_multiple:
        return ""
    now, lost = (
        after.chosen_labels,
        [s for s in before.chosen_labels if s not in after.chosen_labels],
    )
    parts = [f"chosen now: {_quoted(now) or 'nothing'}"]
    return "; ".join(["", *parts, *([f"no longer chosen: {_quoted(lost)}"] if lost else [])])


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
    still = "; it is still there, and may have to be confirmed" if _is_open(option) else ""
    return failure(f'clicked the option "{wanted}", but {named} shows “{shows}”{still}')


def _is_open(option: ElementHandle) -> bool:
    """Whether the list with an option stayed open, as the dialog does that has a button for it."""
    with suppress(PlaywrightError):  # the page has replaced it
        return option.is_visible()
    return False


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
    return failure(f'there is no option "{wanted}"; there are: {_quoted(names)}')


def _quoted(names: list[str]) -> str:
    return first_of([f'"{name}"' for name in names], MAX_NAMED)
