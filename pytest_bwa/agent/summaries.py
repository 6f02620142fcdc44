"""Every ten steps, older history is condensed; the last three summaries are shown (F-44)."""

from __future__ import annotations

from pytest_bwa.errors import ModelFailed
from pytest_bwa.policy.aides import Condenser
from pytest_bwa.policy.condensing import MechanicalCondenser
from pytest_bwa.policy.turn import Turn

EVERY, SHOWN = 10, 3


class Summaries:
    """One sample's. Without a condenser, or where it fails, they are made mechanically."""

    def __init__(self, condenser: Condenser | None) -> None:
        self._condenser = condenser
        self._made: list[str] = []
        self._until = 0

    def due(self, step: int) -> bool:
        return step > EVERY and (step - 1) % EVERY == 0 and step > self._until

    def add(self, turn: Turn) -> object:
        """Condense the steps since the last summary; what it cost, as Usage."""
        steps = [step for step in turn.history if self._until <= step.step < turn.step]
        self._until = turn.step
        spent: object = None
        try:
            aside = (self._condenser or MechanicalCondenser()).condense(turn, steps)
        except ModelFailed as problem:
            spent = problem.spent
            aside = MechanicalCondenser().condense(turn, steps)
        self._made.append(aside.text)
        return spent or aside.usage

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple(self._made[-SHOWN:])
