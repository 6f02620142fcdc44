"""When to drop the remaining actions of a decision that has several. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.agent.transition import Transition, action_text
from pytest_bwa.steps import FINAL_ACTIONS, INTERACTIVE_ROLES, Action, Observation

MAX_SHIFT = 0.2
"""Share of interactive elements that may appear or disappear; beyond it, the remaining actions
were chosen for a page that is no longer there."""
ENTERING_ACTIONS = frozenset({"type", "select_option", "upload"})
READING_ACTIONS = frozenset({"look", "find", "screenshot"})
_TICKED_ROLES = frozenset({"checkbox", "radio", "switch"})


def reason_to_stop(transition: Transition, next_action: Action, max_steps: int) -> str:
    """Why the remaining actions of the decision are dropped; empty if they may go on.

    ``next_action`` is the first of them. ``max_steps`` may be more than the transition's own: a
    page of a list grants steps.
    """
    if not transition.result.success:
        return f"{transition.action.action} failed"
    if _page_address(transition.before.url) != _page_address(transition.after.url):
        return "the page has another URL now"
    before, after = _interactive_count(transition.before), _interactive_count(transition.after)
    is_changed = transition.action.action not in READING_ACTIONS  # find lists more of the same page
    is_other_page = is_changed and abs(after - before) > MAX_SHIFT * max(before, 1)
    if is_other_page and not _still_fits(next_action, transition):
        return f"the page has {after} interactive elements instead of {before}"
    if transition.step + 1 >= max_steps and next_action.action not in FINAL_ACTIONS:
        return "only the last step is left, which is for done or fail"
    return ""


def notice_of_dropped(remaining: Sequence[Action], reason: str) -> str:
    """``click [7] and 2 more actions were not executed, because …``."""
    first, more = action_text(remaining[0]), len(remaining) - 1
    others = f" and {more} more action{'s' if more > 1 else ''} were" if more else " was"
    return f"{first}{others} not executed, because {reason}."


def _page_address(url: str) -> str:
    """Without a place in the page; behind a hash may also stand a route: ``#/orders``."""
    address, _, fragment = url.partition("#")
    return url if fragment.lstrip("!").startswith("/") else address


def _interactive_count(observation: Observation) -> int:
    return sum(element.role in INTERACTIVE_ROLES for element in observation.elements)


def _still_fits(action: Action, transition: Transition) -> bool:
    """Whether an action was chosen for something that is still there: it only reads, or the page
    lists its elements as before. In a form they only have to be listed, and a text or a CSS
    selector, which is no number of the list, is looked up when the action is carried out."""
    if action.action in READING_ACTIONS:
        return True
    selectors = [s for s in (action.selector, action.target) if s]
    fills_in = _fills_in(transition)
    if fills_in:
        selectors = [s for s in selectors if s.strip("[] ").isdigit()]
    now = {e.ref: e for e in transition.after.elements}
    chosen = [transition.before.element_for(selector) for selector in selectors]
    pairs = [(e, now.get(e.ref) if e else None) for e in chosen]
    if fills_in:
        return all(after is not None for _, after in pairs)
    return bool(pairs) and all(
        before and after and (before.role, before.name) == (after.role, after.name)
        for before, after in pairs
    )


def _fills_in(transition: Transition) -> bool:
    """Whether the action only filled in a part of a form. Suggestions and fields that appear then
    belong to the same form."""
    if transition.action.action in ENTERING_ACTIONS:
        return True
    element = transition.before.element_for(transition.action.selector or "")
    is_ticked = element is not None and element.role in _TICKED_ROLES
    return transition.action.action == "click" and is_ticked
