"""What the model is told beside the page, and which actions it may choose: the watchers of a
sample under one roof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pytest_bwa.agent.moment import Moment
from pytest_bwa.agent.pressure import ItemPressure, StepPressure
from pytest_bwa.agent.repetition import Repetition
from pytest_bwa.agent.stagnation import Stagnation
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import ACTION_NAMES, Action, ActionName, Observation

ENDINGS: tuple[ActionName, ...] = ("done", "fail")


class Watcher(Protocol):
    def after(self, moment: Moment) -> list[str]:
        """Sentences for the next decision: what happened, and what to do."""


class Guidance:
    """One sample's watchers."""

    def __init__(self, task: TaskSpec) -> None:
        self.stagnation, self.repetition = Stagnation(), Repetition()
        self._watchers: tuple[Watcher, ...] = (
            self.stagnation,
            self.repetition,
            ItemPressure(task.expected_items),
            StepPressure(),
        )

    def after(self, moment: Moment) -> list[str]:
        return [notice for watcher in self._watchers for notice in watcher.after(moment)]

    def allowed(self, step: int, max_steps: int) -> Sequence[ActionName]:
        """On the last step, and once nothing new has come for too long, only the endings (F-56)."""
        return ENDINGS if step >= max_steps or self.stagnation.spent else ACTION_NAMES

    def refusal(self, action: Action, observation: Observation) -> str:
        return self.repetition.refusal(action, observation)
