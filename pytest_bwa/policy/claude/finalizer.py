"""One last answer from what was collected, when the steps or the model ran out (F-59)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_bwa.errors import DecisionUnusable, ModelFailed
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.claude.asking import AskableModel, ask_within
from pytest_bwa.policy.claude.prompt import system_blocks, user_message
from pytest_bwa.policy.claude.response import as_sent, decision
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Decision, Tool

LAST_SECONDS = 30.0
"""The last call is made after the sample's own time, so it has a bound of its own."""


class ClaudeFinalizer:
    """Asks the primary model, or, where that just failed, the fallback model if there is one."""

    def __init__(
        self,
        task: TaskSpec,
        tools: Sequence[Tool],
        primary: AskableModel,
        fallback: AskableModel | None,
    ) -> None:
        self._task, self._primary, self._fallback = task, primary, fallback
        self._tools = [tool for tool in tools if tool.name == "done"]

    def consolidate(self, turn: Turn, why: str, *, model_failed: bool) -> Decision:
        said = (
            f"This sample is over: {why}. Call done now with the best answer that the data "
            "collected so far supports: only values that were saved or that the history shows, "
            "null for everything else."
        )
        last = replace(turn, notices=[*turn.notices, said], allowed=("done",))
        content = {
            "system": system_blocks(self._task, turn.task, turn.sample),
            "messages": [{"role": "user", "content": user_message(last)}],
            "tools": as_sent(self._tools),
        }
        model = self._fallback if model_failed and self._fallback else self._primary
        try:
            return decision(ask_within(model, content, LAST_SECONDS), self._tools, model.model)
        except DecisionUnusable as problem:
            raise ModelFailed(str(problem), problem.spent) from problem
