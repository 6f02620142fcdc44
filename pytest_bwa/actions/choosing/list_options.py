"""Finds the options of a list that is not a <select>."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import ElementHandle

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.choosing.choices import Choice, named, own_name
from pytest_bwa.actions.pointer import click as click_on

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
