"""The states a sample goes through, and which may follow which (F-61)."""

from __future__ import annotations

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
    # EXECUTING after RECORDING is the next action of a batch, or the last picture of a sample that
    # was cut short; after STUCK it is the recovery action.
    State.RECORDING: frozenset({State.PERCEIVING, State.EXECUTING, State.COMPLETE, State.STUCK}),
    State.STUCK: frozenset({State.EXECUTING}),
    State.COMPLETE: frozenset(),
    State.FAILED: frozenset(),
}
"""FAILED may follow every state that is not an end; the table leaves it out."""

ENDS = frozenset({State.COMPLETE, State.FAILED})


class StateMachine:
    """Where a sample is. A step out of order is a fault of the loop, and raises ValueError."""

    def __init__(self) -> None:
        self.state = State.IDLE

    def to(self, state: State) -> None:
        fails = state is State.FAILED and self.state not in ENDS
        if not fails and state not in TRANSITIONS[self.state]:
            raise ValueError(f"{self.state} is not followed by {state}")
        self.state = state
