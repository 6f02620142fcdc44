"""The watchers of a sample as one group: the notices they give and the actions they refuse."""

from __future__ import annotations

from typing import Protocol

from pytest_bwa.agent.transition import Transition
from pytest_bwa.agent.watchers.item_count import ItemCountWatcher
from pytest_bwa.agent.watchers.repetition import RepetitionWatcher
from pytest_bwa.agent.watchers.stagnation import StagnationWatcher
from pytest_bwa.agent.watchers.step_budget import StepBudgetWatcher
from pytest_bwa.agent.watchers.typed_numbers import TypedNumberWatcher
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, Observation


class Watcher(Protocol):
    """Follows a sample step by step."""

    def notices_after(self, transition: Transition) -> list[str]:
        """Sentences for the next decision: what happened, and what to do."""


class Watchers:
    """All watchers of one sample."""

    def __init__(self, task: TaskSpec) -> None:
        self.stagnation, self.repetition = StagnationWatcher(), RepetitionWatcher()
        self._watchers: tuple[Watcher, ...] = (
            self.stagnation,
            self.repetition,
            ItemCountWatcher(task.expected_by_field),
            TypedNumberWatcher(),
            StepBudgetWatcher(),
        )

    def notices_after(self, transition: Transition) -> list[str]:
        """The notices of all watchers."""
        return [
            notice for watcher in self._watchers for notice in watcher.notices_after(transition)
        ]

    def refusal(self, action: Action, observation: Observation) -> str:
        """Why the action is refused; empty if it may be executed."""
        return self.repetition.refusal(action, observation)
