"""What the loop needs from outside: an observer, an executor, vision, and the callbacks it
calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pytest_bwa.agent.state import State
from pytest_bwa.perception.vision import VisionGoal
from pytest_bwa.steps import Action, ActionResult, ElementRef, Observation, Picture, Step, Usage

OnStep = Callable[[Step, Usage], None]
"""Called after every step with the step and the usage of the sample so far."""
OnState = Callable[[State], None]
"""Called whenever the state changes."""


class Observer(Protocol):
    """Reads the page."""

    def observe(self) -> Observation: ...


class Executor(Protocol):
    """Executes actions on the page."""

    def act(self, action: Action, observation: Observation, step: int, /) -> ActionResult: ...

    def take_picture(self, reveal: Sequence[ElementRef] = (), /) -> Picture | None: ...


class Vision(Protocol):
    """Reads pictures of the page if its accessibility tree says too little."""

    def look(
        self, observation: Observation, goal: VisionGoal, step: int, seconds_left: float | None, /
    ) -> tuple[Observation, Usage]:
        """The observation with the text from pictures, and what the model call cost."""
