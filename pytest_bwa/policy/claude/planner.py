"""Asks a model to turn plain language into a task."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from pytest_bwa.policy.base import PlannedTask
from pytest_bwa.policy.claude.client import MessagesClient
from pytest_bwa.policy.claude.response import read_decision, tool_definitions
from pytest_bwa.settings import Settings
from pytest_bwa.steps.step import Tool

SYSTEM = """\
You plan work for a browser agent. Turn the request into one task by calling plan_task once.

The agent performs the task for one sample at a time, in a browser of its own, and knows nothing of
the other samples. Its answer is checked against output_schema, and every value against what the
pages showed.

- goal: what to do for ONE sample and when to stop. {column} stands for a column of the sample. The
  agent does not see the request: keep what it says about where to look and what to watch for.
- start_url: the page to open first, with {column} where it depends on the sample. A sample may have
  a column url instead. Use only addresses that the request gives or that are certain. A path that
  begins with "/" may be meant from the host or from the address before it: if that is not certain,
  open the address that is, and put the rest into the goal.
- output_schema: each field with its type: "string | null", "number", "integer", "boolean", "date"
  (yyyy-mm-dd), "array", or a JSON Schema. A field that a page may not show gets "| null".
- required_fields: only the fields without which a sample is useless.
  What the request selects samples by is a field too, so that each sample shows that it belongs.
- aliases: for each field, other labels under which pages are likely to show it.
- samples: the rows that the request names. Leave them out if the task is about one page, or if the
  samples have to be found.
- needs_discovery: true if the request is about items that have pages of their own and that it does
  not name. Then goal and output_schema are about one item, and discover names the page that lists
  them (start_url), the form of the links to them if it is certain (links, such as "/people/*"), and
  what to collect (goal), with all that the request says about the list and what is wanted of it.
- max_steps: 40 or more if one sample takes the agent over many pages (links followed one after the
  other, several records, the pages of a list): about five for each page. Then the goal also says
  when to call save_progress, and with what. Else leave it out.
- read_only: false only if the request itself asks to fill in, send, change or delete something.
- allowed_domains: the hosts that the task needs, and no others.
"""


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
