"""Doing the same thing again and again, and failing again and again (F-55)."""

from __future__ import annotations

from collections import Counter

from pytest_bwa.actions.resolve import describe_elements
from pytest_bwa.agent.transition import Transition
from pytest_bwa.steps import Action, Observation

REPEATS_NOTED = 3
REPEATS_STOPPED = 4
FAILURES_LISTED = 3
_FREE = frozenset({"save_progress", "done", "fail"})

ActionKey = tuple[str, str, str]


class Repetition:
    """Counts what was done on one URL with the same outcome.

    A repeat that changed the page, or was answered differently (a scroll that moved on), is no
    repeat: "load more" may be clicked as often as there is more.
    """

    def __init__(self) -> None:
        self._outcomes: dict[ActionKey, str] = {}
        self._repeats: Counter[ActionKey] = Counter()
        self._failures = 0

    def refusal(self, action: Action, observation: Observation) -> str:
        """Why the action is not done once more, or empty."""
        done = self._repeats[_action_key(action, observation)]
        if action.action in _FREE or done < REPEATS_STOPPED - 1:
            return ""
        return (
            f"{action.action} was not done again: it had the same outcome {done} times on this "
            f"page; choose something else ({describe_elements(observation)})"
        )

    def after(self, transition: Transition) -> list[str]:
        return [*self._repeated(transition), *self._failed(transition)]

    def _repeated(self, transition: Transition) -> list[str]:
        if transition.action.action in _FREE:
            return []
        key = _action_key(transition.action, transition.before)
        same = self._outcomes.get(key) == transition.result.description
        self._outcomes[key] = transition.result.description
        self._repeats[key] = self._repeats[key] + 1 if same and not transition.moved else 1
        if self._repeats[key] != REPEATS_NOTED:
            return []
        return [
            f"You did {transition.spoken()} {REPEATS_NOTED} times on this page with the same "
            "outcome: it will not be done once more, so choose something else."
        ]

    def _failed(self, transition: Transition) -> list[str]:
        self._failures = 0 if transition.result.success else self._failures + 1
        if self._failures == 0 or self._failures % FAILURES_LISTED:
            return []
        return [
            f"The last {self._failures} actions failed: act only on what is on the page now; "
            f"{describe_elements(transition.after)}."
        ]


def _action_key(action: Action, observation: Observation) -> ActionKey:
    return (observation.url, action.action, action.model_dump_json(include=_MEANING))


_MEANING = {"selector", "value", "url", "text", "direction", "label", "key", "target", "tab"}
