"""The states of a sample, the transitions allowed between them, and the time spent in each.

``bwa watch`` shows the current state, and each step of the log says how long its states took.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from enum import StrEnum


class State(StrEnum):
    IDLE = "IDLE"
    PERCEIVING = "PERCEIVING"
    PLANNING = "PLANNING"
    EXECUTING = "EXECUTING"
    VERIFYING = "VERIFYING"
    RECORDING = "RECORDING"
    STUCK = "STUCK"
    COMPLETE = "COMPLETE"
    FAILED = "FAILED"


TRANSITIONS: dict[State, frozenset[State]] = {
    State.IDLE: frozenset({State.EXECUTING, State.PERCEIVING}),
    State.PERCEIVING: frozenset({State.PLANNING, State.EXECUTING}),
    State.PLANNING: frozenset({State.EXECUTING, State.PLANNING}),
    State.EXECUTING: frozenset({State.VERIFYING}),
    State.VERIFYING: frozenset({State.RECORDING}),
    # EXECUTING after RECORDING is the next action of the same decision; after STUCK it is the
    # recovery action; after IDLE the first or, after an interruption, the last of the sample.
    State.RECORDING: frozenset({State.PERCEIVING, State.EXECUTING, State.COMPLETE, State.STUCK}),
    State.STUCK: frozenset({State.EXECUTING, State.PERCEIVING}),
    State.COMPLETE: frozenset(),
    State.FAILED: frozenset(),
}
"""Allowed transitions. FAILED, and IDLE by ``interrupt``, may follow every state that is not final;
they are left out here."""

FINAL_STATES = frozenset({State.COMPLETE, State.FAILED})
OnState = Callable[[State], None]
"""Called whenever the state changes."""


class StateMachine:
    """The current state of a sample. A transition that is not allowed is a bug in the loop, and
    raises ValueError."""

    def __init__(self, on_change: OnState = lambda state: None) -> None:
        self.state = State.IDLE
        self._on_change = on_change
        self._entered = time.monotonic()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def to(self, state: State) -> None:
        is_failure = state is State.FAILED and self.state not in FINAL_STATES
        if not is_failure and state not in TRANSITIONS[self.state]:
            raise ValueError(f"{state} must not follow {self.state}")
        self._count_time()
        self.state = state
        self._on_change(state)

    def interrupt(self) -> None:
        """Leave the current state, in which an exception may have ended the step, so that the last
        actions of the sample can begin. Nobody is told, because nothing happens in IDLE."""
        if self.state in FINAL_STATES:
            raise ValueError(f"nothing follows {self.state}")
        self._count_time()
        self.state = State.IDLE

    def take_seconds(self) -> dict[str, float]:
        """Seconds spent in each state since this was last called."""
        self._count_time()
        seconds = {name: round(spent, 3) for name, spent in self._seconds.items()}
        self._seconds.clear()
        return seconds

    def _count_time(self) -> None:
        now = time.monotonic()
        self._seconds[self.state.value] += now - self._entered
        self._entered = now
