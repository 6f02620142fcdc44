"""What the model is told beside the page, and which actions it may choose: the watchers of a
sample under one roof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pytest_bwa.agent.transition import Transition
from pytest_bwa.agent.watchers.budget_notices import ItemCountNotices, StepBudgetNotices
from pytest_bwa.agent.watchers.repetition import Repetition
from pytest_bwa.agent.watchers.stagnation import Stagnation
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, ActionName, Observation

ENDINGS: tuple[ActionName, ...] = ("done", "fail")


class Watcher(Protocol):
    def after(self, transition: Transition) -> list[str]:
        """Sentences for the next decision: what happened, and what to do."""


class Watchers:
    """One sample's watchers."""

    def __init__(self, task: TaskSpec) -> None:
        self.stagnation, self.repetition = Stagnation(), Repetition()
        self._watchers: tuple[Watcher, ...] = (
            self.stagnation,
            self.repetition,
            ItemCountNotices(task.expected_items),
            StepBudgetNotices(),
        )

    def after(self, transition: Transition) -> list[str]:
        return [notice for watcher in self._watchers for notice in watcher.after(transition)]

    def allowed(self, step: int, max_steps: int) -> Sequence[ActionName] | None:
        """On the last step, and once nothing new has come for too long, only the endings; otherwise
        None, which allows all."""
        return ENDINGS if step >= max_steps or self.stagnation.spent else None

    def refusal(self, action: Action, observation: Observation) -> str:
        return self.repetition.refusal(action, observation)
