"""Asks a model to turn plain language into a task."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from pytest_bwa.policy.base import PlannedTask
from pytest_bwa.policy.claude.client import MessagesClient
from pytest_bwa.policy.claude.planning.instructions import SYSTEM
from pytest_bwa.policy.claude.response import read_decision, tool_definitions
from pytest_bwa.settings import Settings
from pytest_bwa.steps.step import Tool

TOOL = "plan_task"


READ = Tool(
    TOOL,
    "",
    {
        "type": "object",
        "properties": {
            "spec": {"type": "object"},
            "samples": {"type": "array", "items": {"type": "object"}},
        },
        "required": ["spec"],
    },
)
"""What a call must have to be read. The spec itself is checked like any other, which says in words
what is wrong."""


class ClaudePlanner:
    """Plans with the model that also decides."""

    def __init__(self, settings: Settings) -> None:
        self._client = MessagesClient(settings, settings.model)

    def plan(
        self,
        request: str,
        schema: Mapping[str, Any],
        previous: PlannedTask | None,
        problem: str,
    ) -> PlannedTask:
        tool = Tool(TOOL, "The task for this request.", schema)
        parts = [f"Today is {date.today().isoformat()}.", f"## Request\n{request}"]
        if previous is not None:
            plan = {"spec": previous.spec, "samples": list(previous.samples)}
            parts.append(f"## Your last plan\n{json.dumps(plan, ensure_ascii=False)}")
        if problem:
            parts.append(f"## Why it cannot be used\n{problem}\nCorrect this, keep the rest.")
        content = {
            "system": [{"type": "text", "text": SYSTEM}],
            "messages": [{"role": "user", "content": "\n\n".join(parts)}],
            "tools": tool_definitions([tool]),
        }
        decision = read_decision(self._client.ask(content), [READ], self._client.model)
        values = decision.actions[0].params()
        return PlannedTask(
            values["spec"], values.get("samples") or [], decision.usage, decision.model
        )

    def close(self) -> None:
        self._client.close()
