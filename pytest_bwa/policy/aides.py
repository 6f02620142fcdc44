"""What a model is asked beside the decision (DESIGN 4.6). A policy without a model has none of
these; then each has a mechanical stand-in, or is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pytest_bwa.policy.turn import Turn
from pytest_bwa.steps import Aside, Decision, Step


class Condenser(Protocol):
    """Says in a few lines what older steps came to (F-44): FOUND, GAPS, NEXT."""

    def condense(self, turn: Turn, steps: Sequence[Step]) -> Aside:
        """Raises ModelFailed where the model gives nothing usable."""


class Finalizer(Protocol):
    """Makes one last answer of what was collected, when the steps or the model ran out (F-59)."""

    def consolidate(self, turn: Turn, why: str, *, model_failed: bool) -> Decision:
        """One ``done``, or ``fail``; ``model_failed`` where it was the model that gave out.
        Raises ModelFailed where there is nothing usable."""


class Looker(Protocol):
    """Reads a picture of the page (F-29)."""

    def look(self, png: bytes, question: str, seconds_left: float | None) -> Aside:
        """Raises ModelFailed where the model gives nothing usable."""


@dataclass(frozen=True, slots=True)
class Aides:
    """What a policy has to offer beside its decisions; None is what it has not."""

    condenser: Condenser | None = None
    finalizer: Finalizer | None = None
    looker: Looker | None = None
