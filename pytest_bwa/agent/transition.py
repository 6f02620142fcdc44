"""One step of a sample: the action, its result, and the page before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_bwa.steps.step import Action, ActionResult, Observation, Verdict

MAX_TARGET = 60  # characters
MAX_ADDRESS = 200
STAYING = frozenset({"scroll", "hover", "wait"})
"""Actions after which the page still shows what it showed before."""


@dataclass(frozen=True, slots=True)
class Transition:
    """An executed action with the observations before and after it.

    If the action cannot change the page, or the page was not observed, ``before`` and ``after``
    are the same observation and ``verdict`` is None.
    """

    step: int
    max_steps: int
    action: Action
    result: ActionResult
    before: Observation
    after: Observation
    verdict: Verdict | None
    saved: bool = False
    """Whether save_progress added anything that was not saved before."""
    collected: Mapping[str, Any] = field(default_factory=dict)
    """What is saved now."""

    @property
    def page_changed(self) -> bool:
        """Whether the page differs from the page before the action."""
        return self.verdict is not None and self.verdict.changed

    @property
    def had_effect(self) -> bool:
        """Whether the page changed, or shows another part of itself."""
        return self.page_changed or self.has_scrolled

    @property
    def has_scrolled(self) -> bool:
        return self.action.action == "scroll" and self.result.success

    def action_text(self) -> str:
        return action_text(self.action)


def action_text(action: Action) -> str:
    """The action in a few words: ``click [3]``. Of an address more is said: it may still be opened
    later."""
    target = action.selector or action.direction or ""
    if target.isdigit():
        target = f"[{target}]"
    return f"{action.action} {(action.url or '')[:MAX_ADDRESS] or target[:MAX_TARGET]}".strip()
