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
_TEXTS = load_script("actions/texts_shown")
_APPEARED = load_script("actions/appeared")
_OWN_SURFACE = load_script("actions/own_surface")
_TAKES_KEYS = "e => e.matches('input, [role=combobox], [aria-haspopup]')"
Option = tuple[str, ElementHandle]
"""An option's visible text, and its element."""


class OptionList:
    """The list that belongs to an element, which is opened if need be."""

    def __init__(self, context: ActionContext, element: ElementHandle, wanted: str) -> None:
        self._context, self._element, self._wanted = context, element, wanted
        self._before = _visible_options(element)
        self._texts = element.evaluate_handle(_TEXTS, wanted)
        self.options = self._own()

    def open(self) -> None:
        """Click the element until its options are there; where clicks show none, press the key
        that opens a list."""
        for _ in range(MAX_CLICKS):
            if self._is_open():
                return
            self._click()
            self._look()
            after = _visible_options(self._element)
            if _length(after) >= _length(self._before):
                break
            self._before = after
        if not self._is_open() and self._element.evaluate(_TAKES_KEYS):
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
        named = next((option for text, option in self.options if text.casefold() == folded), None)
        if named is not None:
            return named
        texts = self._element.evaluate_handle(_TEXTS, self._wanted)
        new = _elements(texts.evaluate_handle(_APPEARED, self._texts))
        return new[0] if len(new) == 1 else None

    def has_foreign_options(self) -> bool:
        """Whether the frame shows options of which it is not known whose they are."""
        return not self.options and _length(_visible_options(self._element)) > 0

    def _is_open(self) -> bool:
        return bool(self.options) or self.option() is not None

    def _look(self) -> None:
        self._context.settler.wait(self._context.page, navigated=False)
        self.options = self._own()

    def _click(self) -> None:
        """Over the input of some fields lies what they show; a person clicks that."""
        if self._element.evaluate(_OWN_SURFACE):
            self._element.click(force=True, timeout=self._context.element_ms)
        else:
            click_on(self._context.page, self._element, self._context.element_ms)

    def _own(self) -> list[Option]:
        found = _elements(self._element.evaluate_handle(_OWN, self._before))
        return [((option.inner_text() or "").strip(), option) for option in found]


def _visible_options(element: ElementHandle) -> JSHandle:
    """An array of the visible options of all lists in the element's frame."""
    return element.evaluate_handle(_VISIBLE)


def _length(options: JSHandle) -> int:
    return int(options.evaluate("options => options.length"))


def _elements(array: JSHandle) -> list[ElementHandle]:
    items = array.get_properties().values()
    return [element for item in items if (element := item.as_element()) is not None]
