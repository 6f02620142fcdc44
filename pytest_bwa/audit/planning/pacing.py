"""A policy that waits between the pages of a listing, and as long as a busy site asks for."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from pytest_bwa.policy.base import ModelHelpers, Policy, Turn
from pytest_bwa.spec.network.responses import parse_retry_after
from pytest_bwa.steps.step import Decision

BUSY = frozenset({429, 503})
MAX_WAIT = 60.0
"""Seconds that a site may ask for; what it asks for beyond is not waited for."""
_MOVES = frozenset({"goto", "click", "scroll", "back"})


class PacedPolicy:
    """Decides like another policy, with at least ``pause`` seconds between two moves, and between
    a page that came and the move from it. Of several moves in one decision, the first is made."""

    reads_labelled_values: bool
    helpers: ModelHelpers

    def __init__(
        self, policy: Policy, pause: float, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        self._policy, self._pause, self._sleep = policy, pause, sleep
        self.name, self.model = policy.name, policy.model
        self.reads_labelled_values, self.helpers = policy.reads_labelled_values, policy.helpers
        self._next_move = 0.0
        self._has_come = True
        """Whether a page came since the last decision."""
        self._asked_for: float | None = None

    def add_response(self, status: int, retry_after: str | None) -> None:
        """Note that a page came, and what the server said of it."""
        self._has_come = True
        if status in BUSY:
            self._asked_for = parse_retry_after(retry_after or "")

    def decide(self, turn: Turn) -> Decision:
        if turn.observation.http_status in BUSY:
            asked = self._pause if self._asked_for is None else self._asked_for
            self._sleep(min(max(asked, self._pause), MAX_WAIT))
            self._asked_for = None
        if self._has_come:
            self._next_move, self._has_come = time.monotonic() + self._pause, False
        decision = self._policy.decide(turn)
        moves = [n for n, action in enumerate(decision.actions) if action.action in _MOVES]
        if moves:
            self._sleep(max(0.0, self._next_move - time.monotonic()))
            self._next_move = time.monotonic() + self._pause
        if len(moves) > 1:
            return replace(decision, actions=decision.actions[: moves[1]])
        return decision

    def close(self) -> None:
        self._policy.close()
