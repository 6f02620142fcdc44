"""The action that chooses an option: of a <select>, or of a list that is opened and clicked."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from playwright.sync_api import ElementHandle
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.choices import (
    Choice,
    NativeList,
    ambiguous,
    named,
    no_such_option,
    own_name,
    quoted,
)
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.steps.step import ActionResult

MAX_CLICKS = 2
"""The first click closes a list that is open already; the second opens it again."""


class OptionList:
    """The list that belongs to an element, which is opened if need be."""

    def __init__(self, context: ActionContext, element: ElementHandle, wanted: str) -> None:
        self._context, self._element, self._wanted = context, element, wanted
        self._reference = context.tabs.readers.reference(element)
        self._before = self._visible_options()
        # What an earlier choice that failed has opened is open still.
        appeared = context.appeared.get(self._reference, ())
        self._texts = [number for number in self._all_texts() if number not in appeared]
        self.options = self._own()

    def open(self) -> None:
        """Click the element until its options are there; where clicks show none, press the key
        that opens a list."""
        for _ in range(MAX_CLICKS):
            if self._is_open():
                return
            self._click()
            self._look()
            after = self._visible_options()
            if len(after) >= len(self._before):
                break
            self._before = after
        if not self._is_open() and self._context.ask(self._element, "takesKeys"):
            self._element.focus()
            self._context.page.keyboard.press("ArrowDown")
            self._look()

    def type_wanted(self) -> None:
        """Long lists show only what is typed; none knows the group that a name was given."""
        for text in dict.fromkeys((self._wanted.strip(), own_name(self._wanted))):
            self._element.fill("", timeout=self._context.element_ms)
            self._context.page.keyboard.type(text)
            self._look()
            if self.found():
                return

    def found(self) -> list[Choice]:
        """The options that the wanted text names; in a list without roles, the texts like it that
        have appeared."""
        if found := named(self.options, self._wanted):
            return found
        new = [number for number in self._all_texts() if number not in self._texts]
        if len(new) > 1 and self.has_foreign_options():
            return []
        self._context.appeared[self._reference] = new
        frame = self._reference.document.frame
        read = self._context.tabs.readers.ask(frame, "describedChoices", new)
        texts = [Choice.read(one) for one in read]
        return named(texts, self._wanted)

    def _all_texts(self) -> list[int]:
        """The numbers of the texts outside of the element that say what is wanted."""
        texts = dict.fromkeys((self._wanted, own_name(self._wanted)))
        return [
            number
            for text in texts
            for number in self._context.ask(self._element, "textsShown", text)
        ]

    def element_of(self, choice: Choice) -> ElementHandle | None:
        reference = replace(self._reference, number=choice.key)
        return self._context.tabs.readers.element(reference)

    def has_foreign_options(self) -> bool:
        """Whether the frame shows options of which it is not known whose they are."""
        return not self.options and len(self._visible_options()) > 0

    def _is_open(self) -> bool:
        return bool(self.options or self.found())

    def _look(self) -> None:
        self._context.settler.wait(self._context.page, navigated=False)
        self.options = self._own()

    def _click(self) -> None:
        """Over the input of some fields lies what they show; a person clicks that."""
        if self._context.ask(self._element, "ownSurface"):
            self._element.click(force=True, timeout=self._context.element_ms)
        else:
            click_on(self._context.tabs, self._element, self._context.element_ms)

    def _own(self) -> list[Choice]:
        found = self._context.ask(self._element, "ownOptions", self._before)
        return [Choice.read(one) for one in found]

    def _visible_options(self) -> list[int]:
        """The visible options of all lists in the element's frame."""
        frame = self._reference.document.frame
        found: list[int] = self._context.tabs.readers.ask(frame, "visibleOptions")
        return found


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
        but = f", which {problem}: check which one it is" if problem else ""
        return ActionResult(True, f'selected "{what}" in {named}{but}', entered=entered)
    still = "; it is still open and may have to be confirmed" if is_open else ""
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
        return f"still {shows}, as it would for any option of this name", False

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
            f"the page shows options, but it is not clear which of them belong to {named}: "
            "click the option itself"
        )
    return failure(
        f'{named} is not a list, or it shows no option "{wanted}" when it is clicked: use click or '
        "type"
    )


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
        return choose_in_widget(context, selector, wanted, element)
    before = NativeList.read(found)
    called = before.called(wanted)
    if not called:
        return failure(no_such_option(wanted, before.options))
    if several := next((one for one in called if len(one) > 1), None):
        return failure(ambiguous(several, several[0].text if len(called) > 1 else wanted))
    chosen = [one for (one,) in called]
    element.select_option(index=[one.key for one in chosen], timeout=context.element_ms)
    after = NativeList.read(context.ask(element, "selectOptions") or found)
    named, now = context.describe(selector), _change(before, after)
    what = chosen[0].in_group if len(chosen) == 1 and chosen[0].group else wanted
    if {_kept(one) for one in after.chosen} != {_kept(one) for one in chosen}:
        instead = now or f": it has {quoted(after.chosen) or 'nothing'}"
        return failure(f'selected "{what}", but {named} did not keep it{instead}')
    return ActionResult(True, f'selected "{what}" in {named}{now}', entered=after.text)


def _kept(option: Choice) -> tuple[str, str]:
    """What a page may not change of an option when it is chosen."""
    return option.value, option.group


def _change(before: NativeList, after: NativeList) -> str:
    """What is chosen now in a list of several, and no longer: choosing replaces all that was."""
    if not after.is_multiple:
        return ""
    kept = [_kept(one) for one in after.chosen]
    now, lost = after.chosen, [one for one in before.chosen if _kept(one) not in kept]
    parts = [f"chosen now: {quoted(now, after.options) or 'nothing'}"]
    return "; ".join(
        ["", *parts, *([f"no longer chosen: {quoted(lost, before.options)}"] if lost else [])]
    )
