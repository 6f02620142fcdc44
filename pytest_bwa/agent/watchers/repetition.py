"""Notices when the same action is repeated without effect, or when actions keep failing."""

from __future__ import annotations

import json
from collections import Counter

from pytest_bwa.actions.resolve import describe_elements
from pytest_bwa.agent.transition import Transition
from pytest_bwa.steps import Action, Observation

REPEATS_BEFORE_NOTICE = 3
REPEATS_BEFORE_REFUSAL = 3
FAILURES_BEFORE_NOTICE = 3
_NEVER_REFUSED = frozenset({"save_progress", "done", "fail"})

ActionKey = tuple[str, str, str]
"""The page's URL, the action's name and its parameters."""


class RepetitionWatcher:
    """Counts how often the same action had the same result on one URL.

    An action that changed the page or gave another result (such as a scroll that moved further)
    is not a repeat: "load more" may be clicked as long as there is more to load.
    """

    def __init__(self) -> None:
        self._last_results: dict[ActionKey, str] = {}
        self._repeats: Counter[ActionKey] = Counter()
        self._failures_in_a_row = 0

    def refusal(self, action: Action, observation: Observation) -> str:
        """Why the action is not executed again; empty if it may be executed."""
        repeats = self._repeats[_action_key(action, observation)]
        if action.action in _NEVER_REFUSED or repeats < REPEATS_BEFORE_REFUSAL:
            return ""
        return (
            f"{action.action} was not executed again: it had the same result {repeats} times on "
            f"this page; choose something else ({describe_elements(observation)})"
        )

    def notices_after(self, transition: Transition) -> list[str]:
        return [*self._repeat_notices(transition), *self._failure_notices(transition)]

    def _repeat_notices(self, transition: Transition) -> list[str]:
        if transition.action.action in _NEVER_REFUSED:
            return []
        key = _action_key(transition.action, transition.before)
        is_same_result = self._last_results.get(key) == transition.result.description
        is_repeat = is_same_result and not transition.page_changed
        self._last_results[key] = transition.result.description
        self._repeats[key] = self._repeats[key] + 1 if is_repeat else 1
        if self._repeats[key] != REPEATS_BEFORE_NOTICE:
            return []
        return [
            f"You did {transition.action_text()} {REPEATS_BEFORE_NOTICE} times on this page with "
            "the same result: it will be refused the next time, so choose something else."
        ]

    def _failure_notices(self, transition: Transition) -> list[str]:
        self._failures_in_a_row = 0 if transition.result.success else self._failures_in_a_row + 1
        if self._failures_in_a_row == 0 or self._failures_in_a_row % FAILURES_BEFORE_NOTICE:
            return []
        return [
            f"The last {self._failures_in_a_row} actions failed: act only on what is on the page "
            f"now; {describe_elements(transition.after)}."
        ]


def _action_key(action: Action, observation: Observation) -> ActionKey:
    parameters = json.dumps(action.params(), sort_keys=True, default=str)
    return (observation.url, action.action, parameters)
