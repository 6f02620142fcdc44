"""When to drop the remaining actions of a decision that has several. Pure."""

from __future__ import annotations

from pytest_bwa.agent.transition import Transition
from pytest_bwa.agent.watchers.watchers import FINAL_ACTIONS
from pytest_bwa.steps import INTERACTIVE_ROLES, Action, Observation

MAX_SHIFT = 0.2
"""Share of interactive elements that may appear or disappear; beyond it, the remaining actions
were chosen for a page that is no longer there."""


def reason_to_stop(transition: Transition, next_action: Action, max_steps: int) -> str:
    """Why the remaining actions of the decision are dropped; empty if they may go on.

    ``next_action`` is the first of them. ``max_steps`` may be more than the transition's own: a
    page of a list grants steps.
    """
    if not transition.result.success:
        return f"{transition.action.action} failed"
    if transition.before.url != transition.after.url:
        return "the page has another URL now"
    before, after = _interactive_count(transition.before), _interactive_count(transition.after)
    if abs(after - before) > MAX_SHIFT * max(before, 1):
        return f"the page has {after} interactive elements instead of {before}"
    if transition.step + 1 >= max_steps and next_action.action not in FINAL_ACTIONS:
        return "only the last step is left, which is for done or fail"
    return ""


def _interactive_count(observation: Observation) -> int:
    return sum(element.role in INTERACTIVE_ROLES for element in observation.elements)
