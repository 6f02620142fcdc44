"""Asking a model something beside a decision, within a bound of its own."""

from __future__ import annotations

from typing import Any, Protocol

from pytest_bwa.errors import LimitReached, ModelFailed
from pytest_bwa.policy.claude.response import Response


class AskableModel(Protocol):
    """A model that can be asked; claude.MessagesClient is one."""

    model: str

    def ask(self, content: dict[str, Any], seconds_left: float | None = None) -> Response: ...


def ask_within(
    model: AskableModel, content: dict[str, Any], seconds: float, seconds_left: float | None = None
) -> Response:
    """The reply in ``seconds`` at the most, and never past what the sample has left. ModelFailed
    where there is none: nothing that is asked beside a decision ends a sample."""
    bound = seconds if seconds_left is None else min(seconds, seconds_left)
    try:
        return model.ask(content, bound)
    except LimitReached as late:
        raise ModelFailed(f"{model.model} gave no answer in {bound:g} s") from late
