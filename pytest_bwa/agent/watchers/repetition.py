"""Notices when the same action is repeated without effect, or when actions keep failing."""

from __future__ import annotations

import json
from collections import Counter

from pytest_bwa.actions.resolve import describe_elements
from pytest_bwa.agent.transition import Transition
from pytest_bwa.steps.step import ANSWERS, Action, Observation

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
