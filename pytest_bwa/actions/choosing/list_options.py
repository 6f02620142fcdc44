"""Finds the options of a list that is not a <select>."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import ElementHandle

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.pointer import click as click_on

MAX_CLICKS = 2
"""The first click closes a list that is open already; the second opens it again."""
Option = tuple[int, str]
"""An option's number in its document, and its visible text."""


class OptionList:
    """The list that belongs to an element, which is opened if need be."""

    def __init__(self, context: ActionContext, element: ElementHandle, wanted: str) -> None:
        self._context, self._element, self._wanted = context, element, wanted
        self._reference = context.tabs.readers.reference(element)
        self._before = self._visible_options()
        self._texts: list[int] = context.ask(element, "textsShown", wanted)
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
        """Long lists show only what is typed."""
        self._element.fill("", timeout=self._context.element_ms)
        self._context.page.keyboard.type(self._wanted)
        self._look()

    def option(self) -> ElementHandle | None:
        """The wanted option; in a list without roles, the one text like it that has appeared."""
        folded = self._wanted.strip().casefold()
        named = next((option for option, text in self.options if text.casefold() == folded), None)
        if named is not None:
            return self._element_of(named)
        texts = self._context.ask(self._element, "textsShown", self._wanted)
        new = [text for text in texts if text not in self._texts]
        return self._element_of(new[0]) if len(new) == 1 else None

    def _element_of(self, number: int) -> ElementHandle | None:
        reference = replace(self._reference, number=number)
        return self._context.tabs.readers.element(reference)

    def has_foreign_options(self) -> bool:
        """Whether the frame shows options of which it is not known whose they are."""
        return not self.options and len(self._visible_options()) > 0

    def _is_open(self) -> bool:
        return bool(self.options) or self.option() is not None

    def _look(self) -> None:
        self._context.settler.wait(self._context.page, navigated=False)
        self.options = self._own()

    def _click(self) -> None:
        """Over the input of some fields lies what they show; a person clicks that."""
        if self._context.ask(self._element, "ownSurface"):
            self._element.click(force=True, timeout=self._context.element_ms)
        else:
            click_on(self._context.tabs, self._element, self._context.element_ms)

    def _own(self) -> list[Option]:
        found = self._context.ask(self._element, "ownOptions", self._before)
        return [(number, text) for number, text in found]

    def _visible_options(self) -> list[int]:
        """The visible options of all lists in the element's frame."""
        frame = self._reference.document.frame
        found: list[int] = self._context.tabs.readers.ask(frame, "visibleOptions")
        return found
