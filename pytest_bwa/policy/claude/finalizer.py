"""Asks for one last answer from the collected data when the steps or the model ran out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_bwa.errors import DecisionUnusable, ModelFailed
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.claude.client import MessagesClient
from pytest_bwa.policy.claude.prompt import decision_request
from pytest_bwa.policy.claude.response import read_decision
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.exchange import Call
from pytest_bwa.steps.step import Decision, Tool

SECONDS = 30.0
"""The last call is made after the sample's own time, so it has its own time limit."""


class ClaudeFinalizer:
    """Asks the primary model; if that model just failed, the fallback model if there is one."""

    def __init__(
        self,
        task_template: TaskSpec,
        tools: Sequence[Tool],
        primary: MessagesClient,
        fallback: MessagesClient | None,
        context_window: int,
    ) -> None:
        self._task_template, self._primary, self._fallback = task_template, primary, fallback
        self._context_window = context_window
        self._tools = [tool for tool in tools if tool.name == "done"]

    def finalize(self, turn: Turn, why: str, *, model_failed: bool) -> Decision:
        notice = (
            f"This sample is over: {why}. Call done now with the best answer that the data "
            "collected so far supports: only values that were saved or that the history shows, "
            "and null for everything else."
        )
        last_turn = replace(turn, notices=[*turn.notices, notice], allowed=("done",))
        content = decision_request(
            self._task_template, last_turn, self._tools, context_window=self._context_window
        )
        client = self._fallback if model_failed and self._fallback else self._primary
        call = Call("last_answer", content, client.model)
        with call.attached_to_errors():
            try:
                reply = client.ask_for("finalizer", content, SECONDS)
                call.received(reply.blocks(), reply.model or client.model)
                decision = read_decision(reply, self._tools, client.model)
            except DecisionUnusable as error:
                raise ModelFailed(str(error), error.usage) from error
        return replace(decision, exchange=call.exchange)
