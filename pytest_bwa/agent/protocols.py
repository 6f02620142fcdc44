"""What the loop needs from outside: an observer, an executor, vision, and the callbacks it
calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pytest_bwa.agent.state import State
from pytest_bwa.page.perception.picture_needs import VisionGoal
from pytest_bwa.steps.exchange import Exchange
from pytest_bwa.steps.step import (
    Action,
    ActionResult,
    ElementRef,
    Observation,
    Picture,
    Step,
    Usage,
    Verdict,
)

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


class Trajectory(Protocol):
    """Keeps what was observed, sent, answered and done in one sample. It raises nothing: a
    trajectory that cannot be written costs no sample."""

    def add_call(
        self,
        exchange: Exchange | None,
        usage: Usage,
        *,
        step: int | None = None,
        page: Observation | None = None,
        error: str = "",
    ) -> None:
        """Keep one call of a model; None if the policy has none. ``page`` is what it was about,
        ``error`` why the answer could not be used, and without ``step`` it was for the next."""

    def add_step(
        self,
        step: Step,
        before: Observation,
        after: Observation,
        verdict: Verdict | None,
        *,
        secret: str = "",
    ) -> None:
        """Keep one step as it is logged. ``secret`` was typed into a password field."""


class Vision(Protocol):
    """Reads pictures of the page if its accessibility tree says too little."""

    def look(
        self, observation: Observation, goal: VisionGoal, step: int, seconds_left: float | None, /
    ) -> tuple[Observation, Usage]:
        """The observation with the text from pictures, and what the model call cost."""
