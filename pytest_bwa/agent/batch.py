"""When to drop the remaining actions of a decision that has several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_bwa.actions.seen.elements import COMPARED_ACTIONS
from pytest_bwa.actions.seen.same_record import SameRecord, Words
from pytest_bwa.agent.step_log import Transition, action_text
from pytest_bwa.facts.address import is_same_page
from pytest_bwa.steps.step import (
    ENTERING_ACTIONS,
    FINAL_ACTIONS,
    FOR_A_MODEL,
    INTERACTIVE_ROLES,
    TICKED_ROLES,
    Action,
    Element,
    Observation,
    Step,
    list_number,
)
from pytest_bwa.steps.text import folded

MAX_SHIFT = 0.2
"""Share of interactive elements that may appear or disappear; beyond it, the remaining actions
were chosen for a page that is no longer there."""
READING_ACTIONS = FOR_A_MODEL | {"find", "screenshot"}
ESCAPE = "Escape"
_ASKING = frozenset({"dialog", "alertdialog", "alert"})
MOVING_ACTIONS = frozenset({"scroll", "wait"})
"""These look for what they name when they are carried out, and change nothing."""


class Batch:
    """The actions of one decision after the other. Once the page is another one than that for which
    they were chosen, only what still fits is carried out."""

    def __init__(self) -> None:
        self._page = Observation(url="", title="")
        self._listed: dict[int, Element] = {}
        """What a policy has read under each number; a document's number is never another's."""
        self._other_page = ""
        """How the page became another one; empty if it is the same."""
        self._refused: list[Any] = []
        """The answers that were refused."""
        self._acted_on: list[Element] = []
        """What the decision has named so far, as the policy saw it."""

    def begin(self, page: Observation, steps: Sequence[Step] = ()) -> None:
        """``page`` is the one that the policy has decided on, ``steps`` are those of the sample."""
        self._page, self._other_page = page, ""
        self._refused = [s.params.get("extracted") for s in steps if s.action == "done"]
        self._listed |= {element.index: element for element in reversed(page.elements)}
        self._acted_on = []

    def reason_to_stop(self, transition: Transition, next_action: Action, max_steps: int) -> str:
        """Why the remaining actions of the decision are dropped; empty if they may go on.

        ``next_action`` is the first of them. ``max_steps`` may be more than the transition's own: a
        page of a list grants steps.
        """
        if not transition.result.success:
            return f"{transition.action.action} failed"
        if not is_same_page(transition.before.url, transition.after.url):
            return "the page has another URL now"
        if other := self._other_record(transition, next_action):
            return other
        change, is_form = _change_of_page(transition), _fills_in(transition)
        if change and not is_form:
            self._other_page = change
        if self._other_page:
            fits = self._still_fits(next_action, transition, is_changed=bool(change))
        else:
            fits = not change or self._is_in_form(next_action, transition.after)
        if not fits:
            return change or self._other_page
        if transition.step + 1 >= max_steps and next_action.action not in FINAL_ACTIONS:
            return "only the last step is left, which is for done or fail"
        return ""

    def _other_record(self, transition: Transition, next_action: Action) -> str:
        """In which words an element that the next action names belongs to another record now than
        when the policy saw it; empty if it does not. What the decision has pressed it may press
        again, as it does to turn the months of a calendar; what stands in the same record may say
        more or less since."""
        self._acted_on += filter(None, map(self._listed.get, _numbers(transition.action)))
        now = {element.ref: element for element in reversed(transition.after.all_elements)}
        same = SameRecord(self._page)
        for was in map(self._listed.get, _numbers(next_action)):
            if was is None or was.ref not in now or next_action.action not in COMPARED_ACTIONS:
                continue
            if was in self._acted_on:
                continue
            difference = same.difference(was, Words(now[was.ref].name, now[was.ref].around))
            is_own = was.around in [element.around for element in self._acted_on]
            if difference and not (difference.may_tick and is_own):
                return difference.text
        return ""

    def _still_fits(self, action: Action, transition: Transition, *, is_changed: bool) -> bool:
        """Whether an action depends on nothing that changed: it only reads or scrolls, each number
        stands for the same element as before, and each text is still the name of one alone. Keys
        go to the element that the last action has named, if nothing came of that; Escape only
        closes something, an address is one of any page unless something new waits for an answer,
        and an answer that was refused before is known."""
        selectors = _selectors(action)
        if action.action in READING_ACTIONS or (action.key == ESCAPE and not selectors):
            return True
        if action.action == "goto":
            return not _asks_something(transition)
        if action.action == "done":
            return action.extracted in self._refused
        if action.action in MOVING_ACTIONS and not _numbers(action):
            return True
        if action.action == "press" and not selectors:
            is_in_it = transition.action.action not in READING_ACTIONS | MOVING_ACTIONS
            return not is_changed and is_in_it and bool(_selectors(transition.action))
        return bool(selectors) and all(self._is_same(s, transition.after) for s in selectors)

    def _is_same(self, selector: str, now: Observation) -> bool:
        number = list_number(selector)
        if number is not None:
            old, new = self._listed.get(number), now.element(number)
        else:
            old, new = (_only_one(page, selector) for page in (self._page, now))
        if old is None or new is None or old.ref[0] != new.ref[0]:
            return False
        is_element = old.ref == new.ref or number is None
        return is_element and (old.role, old.name) == (new.role, new.name)

    def _is_in_form(self, action: Action, now: Observation) -> bool:
        """Suggestions and fields that appear in a form belong to it, so numbers only have to be
        listed. A text or a CSS selector is looked up when the action is carried out."""
        listed = {element.index: element.ref for element in now.elements}
        known = map(self._listed.get, _numbers(action))
        return all(e is not None and listed.get(e.index) == e.ref for e in known)


def notice_of_dropped(remaining: Sequence[Action], reason: str) -> str:
    """``click [7] and 2 more actions were not executed, because …``."""
    first, more = action_text(remaining[0]), len(remaining) - 1
    others = f" and {more} more action{'s' if more > 1 else ''} were" if more else " was"
    return f"{first}{others} not executed, because {reason}."


def _interactive_count(observation: Observation) -> int:
    return sum(element.role in INTERACTIVE_ROLES for element in observation.elements)


def _change_of_page(transition: Transition) -> str:
    """How many elements there are instead of how many, if these are too many more or less; find
    lists more of the same page."""
    before, after = _interactive_count(transition.before), _interactive_count(transition.after)
    is_read = transition.action.action in READING_ACTIONS
    if is_read or abs(after - before) <= MAX_SHIFT * max(before, 1):
        return ""
    return f"the page has {after} interactive elements instead of {before}"


def _asks_something(transition: Transition) -> bool:
    """Whether a dialog or an alert came, such as one that asks whether to save."""
    known = {element.ref for element in transition.before.all_elements}
    new = [element for element in transition.after.all_elements if element.ref not in known]
    return any(e.role in _ASKING or "dialog" in e.place.regions for e in new)


def _selectors(action: Action) -> list[str]:
    return [selector for selector in (action.selector, action.target) if selector]


def _numbers(action: Action) -> list[int]:
    """The numbers of the list that an action names."""
    return [n for n in map(list_number, _selectors(action)) if n is not None]


def _only_one(page: Observation, text: str) -> Element | None:
    """The one element of a page that a visible text names."""
    name = folded(text)
    named = [element for element in page.all_elements if folded(element.name) == name]
    return named[0] if len(named) == 1 else None


def _fills_in(transition: Transition) -> bool:
    """Whether the action only filled in a part of a form. Suggestions and fields that appear then
    belong to the same form."""
    if transition.action.action in ENTERING_ACTIONS:
        return True
    element = transition.before.element_for(transition.action.selector or "")
    is_ticked = element is not None and element.role in TICKED_ROLES
    return transition.action.action == "click" and is_ticked
