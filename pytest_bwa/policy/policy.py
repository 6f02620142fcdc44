"""What a policy must offer (DESIGN 4.6)."""

from __future__ import annotations

from typing import Protocol

from pytest_bwa.policy.aides import Aides
from pytest_bwa.policy.turn import Turn
from pytest_bwa.steps import Decision

__all__ = ["Policy", "Turn"]


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
    def aides(self) -> Aides:
        """What it has to offer beside its decisions."""

    def decide(self, turn: Turn) -> Decision: ...

    def close(self) -> None: ...
