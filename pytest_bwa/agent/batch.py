"""Several actions of one decision: how long they go on (F-46). Pure."""

from __future__ import annotations

from pytest_bwa.agent.transition import Transition
from pytest_bwa.steps import INTERACTIVE_ROLES, Observation

SHIFT = 0.2
"""Share of interactive elements that may come or go before the rest was chosen for another page."""


def broken_off(transition: Transition) -> str:
    """Why the rest of the decision is dropped, or empty."""
    if not transition.result.success:
        return f"{transition.action.action} failed"
    if transition.before.url != transition.after.url:
        return "the page is another one"
    before, after = _count(transition.before), _count(transition.after)
    if abs(after - before) > SHIFT * max(before, 1):
        return f"the page has {after} interactive elements instead of {before}"
    return ""


def _count(observation: Observation) -> int:
    return sum(element.role in INTERACTIVE_ROLES for element in observation.elements)
