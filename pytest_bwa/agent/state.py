"""The states of a sample and the transitions allowed between them."""

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
    # EXECUTING after RECORDING is the next action of the same decision, or the last screenshot of
    # a sample that ended early; after STUCK it is the recovery action.
    State.RECORDING: frozenset({State.PERCEIVING, State.EXECUTING, State.COMPLETE, State.STUCK}),
    State.STUCK: frozenset({State.EXECUTING}),
    State.COMPLETE: frozenset(),
    State.FAILED: frozenset(),
}
"""Allowed transitions. FAILED may follow every state that is not final, and is left out here."""

FINAL_STATES = frozenset({State.COMPLETE, State.FAILED})


class StateMachine:
    """The current state of a sample. A transition that is not allowed is a bug in the loop, and
    raises ValueError."""

    def __init__(self) -> None:
        self.state = State.IDLE

    def to(self, state: State) -> None:
        is_failure = state is State.FAILED and self.state not in FINAL_STATES
        if not is_failure and state not in TRANSITIONS[self.state]:
            raise ValueError(f"{state} must not follow {self.state}")
        self.state = state
