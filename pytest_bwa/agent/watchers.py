"""Watchers of a sample: after each step they add notices, and one refuses what is repeated."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Protocol

from pytest_bwa.actions.resolve import describe_elements
from pytest_bwa.actions.typed_text import NUMBER, is_other_number
from pytest_bwa.agent.completion import count_items
from pytest_bwa.agent.step_log import Transition
from pytest_bwa.facts.address import address_of
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import ANSWERS, Action, Element, ElementRef, Observation


class ItemCountWatcher:
    """Gives one notice, after the save_progress call with which each array has as many items as
    ``expected`` says; without any number, none."""

    def __init__(self, expected: Mapping[str, int]) -> None:
        self._expected = expected
        self._was_told = not expected

    def notices_after(self, transition: Transition) -> list[str]:
        if self._was_told or transition.action.action != "save_progress":
            return []
        counts = {name: count_items(transition.collected.get(name)) for name in self._expected}
        if any(counts[name] < number for name, number in self._expected.items()):
            return []
        self._was_told = True
        named = ", ".join(f"{name} has {counts[name]}" for name in counts)
        return [f"All expected items are saved: {named}."]


REPEATS_BEFORE_REFUSAL = 3
"""Executions with the same result, after which a notice is given and the next one is refused."""
FAILURES_BEFORE_NOTICE = 3

ActionKey = tuple[str, str, str]
"""The page's URL, the action's name and its parameters."""


class RepetitionWatcher:
    """Counts how often the same action had the same result on one URL.

    An action that changed the page or gave another result (such as a scroll that moved further)
    is not a repeat: "load more" may be clicked as long as there is more to load. A refused action
    stays refused until its page changes, by itself or by another action.
    """

    def __init__(self) -> None:
        self._last_results: dict[ActionKey, str] = {}
        self._repeats: Counter[ActionKey] = Counter()
        self._refused: dict[ActionKey, Observation] = {}
        """The actions that are refused, each with the page on which it is."""
        self._failures_in_a_row = 0

    def refusal(self, action: Action, observation: Observation) -> str:
        """Why the action is not executed again; empty if it may be executed."""
        refused_on = self._refused.get(_action_key(action, observation))
        if refused_on is None or not _is_same_page(refused_on, observation):
            return ""
        return (
            f"{action.action} was not executed again: it had the same result "
            f"{REPEATS_BEFORE_REFUSAL} times on this page"
        )

    def notices_after(self, transition: Transition) -> list[str]:
        notices = [*self._repeat_notices(transition), *self._failure_notices(transition)]
        if transition.page_changed:
            self._lift_refusals(transition.before.url)
        return notices

    def _lift_refusals(self, url: str) -> None:
        """Allow again what was refused on this URL: it may have another result now."""
        for key in [key for key in self._refused if key[0] == url]:
            del self._refused[key], self._repeats[key]

    def _repeat_notices(self, transition: Transition) -> list[str]:
        action, result = transition.action, transition.result.description
        # A refused action was not executed, so its answer is not a result of the page.
        if action.action in ANSWERS or self.refusal(action, transition.before):
            return []
        key = _action_key(action, transition.before)
        if self._refused.pop(key, None):  # it was executed because the page had changed
            del self._repeats[key]
        is_repeat = self._last_results.get(key) == result and not transition.had_effect
        self._last_results[key] = result
        self._repeats[key] = self._repeats[key] + 1 if is_repeat else 1
        if self._repeats[key] < REPEATS_BEFORE_REFUSAL:
            return []
        self._refused[key] = transition.after
        return [
            f"You did {transition.action_text()} {REPEATS_BEFORE_REFUSAL} times on this page with "
            "the same result: it will be refused the next time."
        ]

    def _failure_notices(self, transition: Transition) -> list[str]:
        self._failures_in_a_row = 0 if transition.result.success else self._failures_in_a_row + 1
        if self._failures_in_a_row == 0 or self._failures_in_a_row % FAILURES_BEFORE_NOTICE:
            return []
        return [
            f"The last {self._failures_in_a_row} actions failed. On the page now "
            f"{describe_elements(transition.after)}."
        ]


def _action_key(action: Action, observation: Observation) -> ActionKey:
    parameters = json.dumps(action.params(), sort_keys=True, default=str)
    return (observation.url, action.action, parameters)


def _is_same_page(one: Observation, other: Observation) -> bool:
    return (one.dom_hash, one.text) == (other.dom_hash, other.text)


# Steps in a row without anything new: a notice, a warning, then only done and fail are left.
NOTICE_AT, WARNING_AT, EXHAUSTED_AT = 3, 5, 8
TEXT_CHARACTERS = 2000

Sign = tuple[str, ...]
"""Something a step brought, comparable with what earlier steps brought."""


def page_signature(observation: Observation) -> str:
    """A hash that tells pages apart by their address and the beginning of their text."""
    text = re.sub(r"\s+", " ", observation.text[:TEXT_CHARACTERS]).strip()
    return hashlib.sha256(f"{address_of(observation.url)}\n{text}".encode()).hexdigest()


class StagnationWatcher:
    """Counts steps in a row on the same page signature that brought nothing new.

    New is: data saved or read for the first time, the first screenshot of a page, any element,
    value or state that the page has not shown before, a place that it was not scrolled to before,
    and the first change by an action on its target. So filling a form field by field, ticking ten
    boxes or reading a long page screen by screen is no stagnation, although the signature stays
    the same.
    """

    def __init__(self) -> None:
        self.count = 0
        self._signature = ""
        self._known_signs: set[Sign] = set()

    def notices_after(self, transition: Transition) -> list[str]:
        signature = page_signature(transition.after)
        has_new_signs = self._add_signs(_signs(transition, signature))
        has_progress = has_new_signs or transition.saved or signature != self._signature
        self.count = 0 if has_progress else self.count + 1
        self._signature = signature
        return self._notices()

    @property
    def is_exhausted(self) -> bool:
        """Whether only done and fail are left."""
        return self.count >= EXHAUSTED_AT

    @property
    def needs_checkpoint(self) -> bool:
        """Whether the last step reached the warning, at which a checkpoint is written."""
        return self.count == WARNING_AT

    def _add_signs(self, signs: set[Sign]) -> bool:
        """Remember the signs; True if any of them is new."""
        new = signs - self._known_signs
        self._known_signs |= new
        return bool(new)

    def _notices(self) -> list[str]:
        if self.count == NOTICE_AT:
            return [f"The last {NOTICE_AT} steps brought nothing new from this page."]
        if self.count == WARNING_AT:
            return [
                f"The last {WARNING_AT} steps brought nothing new. After {EXHAUSTED_AT} such steps "
                "in a row the sample has to end."
            ]
        if self.count >= EXHAUSTED_AT:
            return [
                f"The last {self.count} steps brought nothing new: only done and fail are left. "
                "In done, null stands for what was not seen."
            ]
        return []


def _signs(transition: Transition, signature: str) -> set[Sign]:
    """What the page shows after the step, and what the step itself read, changed or captured."""
    action, result = transition.action, transition.result
    page = result.page or transition.after
    url, elements = str(address_of(page.url)), page.elements
    signs: set[Sign] = {("shown", url, e.role, e.name) for e in elements}
    signs |= {("state", url, str(e.ref), e.value or "", *e.states) for e in elements}
    if not result.success:
        return signs
    if result.artifact is not None:
        signs.add(("picture", signature))
    if action.action in ("extract", "find", "evaluate") and result.found != ():
        signs.add(("read", result.description))
    if transition.page_changed and transition.before.url == transition.after.url:
        signs.add(("changed", url, action.action, str(sorted(action.params().items()))))
    if transition.has_scrolled:
        signs.add(("scrolled", url, action.selector or "", result.description))
    return signs


_THRESHOLDS = (0.90, 0.75)


class StepBudgetWatcher:
    """Gives one notice at 75 % of the steps and one at 90 %, each of them once."""

    def __init__(self) -> None:
        self._passed: set[float] = set()

    def notices_after(self, transition: Transition) -> list[str]:
        used = transition.step / transition.max_steps
        for threshold in _THRESHOLDS:
            if used >= threshold:
                is_new = threshold not in self._passed
                # A short task may jump over 75 %: its notice would only repeat the one at 90 %.
                self._passed |= {t for t in _THRESHOLDS if t <= threshold}
                left = transition.max_steps - transition.step
                steps = "1 step is" if left == 1 else f"{left} steps are"
                last = "it" if left == 1 else "the last one"
                return (
                    [f"{steps} left; {last} is only for done or fail."] if is_new and left else []
                )
        return []


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


class Watcher(Protocol):
    """Follows a sample step by step."""

    def notices_after(self, transition: Transition) -> list[str]:
        """Sentences for the next decision: what happened, and what to do."""


class Watchers:
    """All watchers of one sample."""

    def __init__(self, task: TaskSpec) -> None:
        self.stagnation, self.repetition = StagnationWatcher(), RepetitionWatcher()
        self._watchers: tuple[Watcher, ...] = (
            self.stagnation,
            self.repetition,
            ItemCountWatcher(task.expected_by_field),
            TypedNumberWatcher(),
            StepBudgetWatcher(),
        )

    def notices_after(self, transition: Transition) -> list[str]:
        """The notices of all watchers."""
        return [
            notice for watcher in self._watchers for notice in watcher.notices_after(transition)
        ]

    def refusal(self, action: Action, observation: Observation) -> str:
        """Why the action is refused; empty if it may be executed."""
        return self.repetition.refusal(action, observation)
