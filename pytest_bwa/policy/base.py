"""What a policy is asked, what it must offer, and what it may offer beside its decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import ActionName, Decision, ModelAnswer, Observation, Step, VisionModel


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything that one decision may rest on; policies keep nothing between turns."""

    observation: Observation
    task: TaskSpec
    """Placeholders already filled from the sample."""
    sample: Sample
    step: int
    max_steps: int
    history: Sequence[Step] = ()
    collected: Mapping[str, Any] = field(default_factory=dict)
    """What save_progress has kept so far."""
    screenshots: Sequence[str] = ()
    """File names of the screenshots saved so far."""
    notices: Sequence[str] = ()
    summaries: Sequence[str] = ()
    """What older steps came to, oldest first (F-44)."""
    run_state: Sequence[str] = ()
    """Lines that say where the sample has been and what did not work (F-45)."""
    max_actions: int = 1
    """How many actions one decision may hold (F-46)."""
    failed_decisions: int = 0
    """Unusable replies in a row just before this one (F-48)."""
    allowed: Sequence[ActionName] | None = None
    """The actions that may be chosen now; None allows all."""
    seconds_left: float | None = None
    """Wall clock left to the sample; None where the task sets no limit."""

    def allows(self, action: ActionName) -> bool:
        return self.allowed is None or action in self.allowed


class Summarizer(Protocol):
    """Says in a few lines what older steps came to (F-44): FOUND, GAPS, NEXT."""

    def summarize(self, turn: Turn, steps: Sequence[Step]) -> ModelAnswer:
        """Raises ModelFailed where the model gives nothing usable."""


class Finalizer(Protocol):
    """Makes one last answer of what was collected, when the steps or the model ran out (F-59)."""

    def consolidate(self, turn: Turn, why: str, *, model_failed: bool) -> Decision:
        """One ``done``, or ``fail``; ``model_failed`` where it was the model that gave out.
        Raises ModelFailed where there is nothing usable."""


@dataclass(frozen=True, slots=True)
class ModelHelpers:
    """What a policy has to offer beside its decisions; None is what it has not."""

    summarizer: Summarizer | None = None
    finalizer: Finalizer | None = None
    looker: VisionModel | None = None


class Policy(Protocol):
    """Decides. Raises DecisionUnusable (ask again), ModelFailed (end the sample) or
    CredentialsRefused (end the run)."""

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str:
        """The model's name, or empty where none is used."""

    @property
    def reads_labelled_values(self) -> bool:
        """Whether observations need ``labelled`` filled; it costs one more pass over the page."""

    @property
    def helpers(self) -> ModelHelpers:
        """What it has to offer beside its decisions."""

    def decide(self, turn: Turn) -> Decision: ...

    def close(self) -> None: ...
