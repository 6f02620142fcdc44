"""Tells the model when a field has changed a number that was typed into it before: some do so late,
or only when they are left."""

from __future__ import annotations

from pytest_bwa.actions.keyboard.field_values import NUMBER
from pytest_bwa.actions.keyboard.typed_text import is_other_number
from pytest_bwa.agent.transition import Transition
from pytest_bwa.steps.step import Element, ElementRef


class TypedNumberWatcher:
    """Gives one notice for each number; what the action itself has seen, it says itself."""

    def __init__(self) -> None:
        self._typed: dict[ElementRef, str] = {}

    def notices_after(self, transition: Transition) -> list[str]:
        action = transition.action
        if action.action == "type" and (field := _field_of(transition)):
            if transition.result.success and action.text:
                self._typed[field.ref] = action.text
            else:
                self._typed.pop(field.ref, None)
        if not self._typed:
            return []
        by_ref = {element.ref: element for element in transition.after.all_elements}
        changed = {
            ref: (text, by_ref[ref])
            for ref, text in self._typed.items()
            if ref in by_ref and _has_other_number(by_ref[ref], text)
        }
        self._typed = {ref: text for ref, text in self._typed.items() if ref not in changed}
        return [
            f"{e.role} “{e.name}” contains “{e.value}” now, where “{text}” was typed: it may be "
            "another number."
            for text, e in changed.values()
        ]


def _has_other_number(field: Element, text: str) -> bool:
    kind = NUMBER if field.role == "spinbutton" else ""
    return is_other_number(text, field.value or "", kind)


def _field_of(transition: Transition) -> Element | None:
    number = transition.action.selector or ""
    found = (e for e in transition.before.elements if str(e.index) == number)
    return next(found, None)
