"""What a policy is asked: everything that one decision may rest on (DESIGN 4.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import ACTION_NAMES, Observation, Step


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
    most_actions: int = 1
    """How many actions one decision may hold (F-46)."""
    failed_decisions: int = 0
    """Unusable replies in a row just before this one (F-48)."""
    allowed: Sequence[str] = ACTION_NAMES
    seconds_left: float | None = None
    """Wall clock left to the sample; None where the task sets no limit."""
