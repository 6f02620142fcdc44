"""One turn of the loop: what was done, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_bwa.steps import Action, ActionResult, Observation, Verdict


@dataclass(frozen=True, slots=True)
class Transition:
    """``before`` and ``after`` are the same observation where the action cannot change the page,
    or where the page was not observed; ``verdict`` is None then."""

    step: int
    max_steps: int
    action: Action
    result: ActionResult
    before: Observation
    after: Observation
    verdict: Verdict | None
    saved: bool = False
    """Whether save_progress brought something that was not there before."""
    saves: int = 0
    """save_progress calls so far."""

    @property
    def moved(self) -> bool:
        """Whether the page is another one than before."""
        return self.verdict is not None and self.verdict.changed

    def spoken(self) -> str:
        """The action in a few words: ``click [3]``."""
        target = self.action.selector or self.action.url or self.action.direction or ""
        if target.isdigit():
            target = f"[{target}]"
        return f"{self.action.action} {target[:60]}".strip()
