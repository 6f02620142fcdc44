"""Choosing an option of a list that is not a <select>: it is opened, the option is clicked, and the
field is read back."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from playwright.sync_api import ElementHandle
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.choosing.choices import Choice, ambiguous, no_such_option, own_name
from pytest_bwa.actions.choosing.list_options import OptionList
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.steps.step import ActionResult

MAX_SHOWN_CHARACTERS = 80


def choose_in_widget(
    context: ActionContext, selector: str, wanted: str, element: ElementHandle
) -> ActionResult:
    named = context.describe(selector)
    field = _Field(context, element, wanted)
    options = OptionList(context, element, wanted)
    options.open()
    if not options.found() and context.ask(element, "takesText"):
        options.type_wanted()
    found = options.found()
    if len(found) > 1:
        return failure(ambiguous(found, wanted))
    option = options.element_of(found[0]) if found else None
    if option is None:
        return _no_option(options, named, wanted)
    is_alone = sum(one.is_called(found[0].name) for one in options.options) < 2
    click_on(context.tabs, option, context.element_ms)
    context.settler.wait(context.page, navigated=False)
    what = wanted if is_alone else found[0].in_group
    is_open = _is_open(option)
    problem, certain = field.read(found[0], option, is_alone=is_alone)
    if not problem or not (certain or is_open):
        entered = "" if found[0].is_called(wanted) else found[0].name
        but = f", which {problem}: look which one it is" if problem else ""
        return ActionResult(True, f'selected "{what}" in {named}{but}', entered=entered)
    still = "; it is still there, and may have to be confirmed" if is_open else ""
    return failure(f'clicked the option "{what}", but {named} {problem}{still}')


class _Field:
    """What a field shows before and after something is chosen in it."""

    def __init__(self, context: ActionContext, element: ElementHandle, wanted: str) -> None:
        self._context, self._element = context, element
        self._before = {
            name: context.ask(element, "choiceShown", [None, name])
            for name in (wanted, own_name(wanted))
        }

    def read(self, choice: Choice, option: ElementHandle, *, is_alone: bool) -> tuple[str, bool]:
        """What speaks against it that the choice was taken, and whether that is certain: a name
        that other options have, too, and that the field showed before, tells nothing."""
        after: dict[str, Any] = {}
        is_equal = False
        for name in dict.fromkeys((*self._before, choice.name, choice.text)):
            after = self._after(option, name)
            before = self._before.get(name, after)
            is_added = any(after[where] > before[where] for where in ("around", "elsewhere"))
            was_there = name in self._before and before["isOwn"] and before["text"] == after["text"]
            is_shown = after["isOwn"] and (is_alone or not was_there)
            if is_shown or after["isMarked"] or is_added:
                return "", True
            is_equal |= bool(after["isOwn"])
        shows = f"shows “{after['text'][:MAX_SHOWN_CHARACTERS]}”"
        if not is_equal:
            return shows, True
        return f"{shows} as before, as it would for other options of this name", False

    def _after(self, option: ElementHandle, name: str) -> dict[str, Any]:
        """Pages may replace the field when something is chosen: then nothing speaks against it."""
        try:
            number = self._context.tabs.readers.reference(option).number
            return dict(self._context.ask(self._element, "choiceShown", [number, name]))
        except PlaywrightError:
            return {"isOwn": True, "isMarked": True, "around": 0, "elsewhere": 0, "text": ""}


def _is_open(option: ElementHandle) -> bool:
    """Whether the list with an option stayed open, as the dialog does that has a button for it."""
    with suppress(PlaywrightError):  # the page has replaced it
        return option.is_visible()
    return False


def _no_option(options: OptionList, named: str, wanted: str) -> ActionResult:
    if options.options:
        return failure(no_such_option(wanted, options.options))
    if options.has_foreign_options():
        return failure(
            f"the page shows options, but it cannot be told which of them belong to {named}: "
            "click the option itself"
        )
    return failure(
        f'{named} is not a list, or it shows no option "{wanted}" when it is clicked: use click or '
        "type"
    )
