"""The model's reflection with each action: how the last step went, what to remember, what is next.

The three fields are added to every tool, and taken out of every call's input again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from pytest_bwa.steps import Tool

Mode = Literal["light", "full"]
MAX_CHARACTERS = 160
FIELDS = {
    "evaluation_previous_step": "Whether the last step did what it should, in a few words.",
    "memory_update": "What you must remember from this page.",
    "next_goal": "The purpose of this action.",
}
REFLECTION_RULE = """\
- With every call fill in evaluation_previous_step, memory_update and next_goal, one sentence \
each: they are shown to you again in the history, and they are all that you remember."""


def with_reflection(tools: Sequence[Tool], mode: Mode) -> tuple[Tool, ...]:
    """The tools with the three fields: optional in light mode, required in full mode."""
    return tuple(replace(tool, parameters=_extended(tool.parameters, mode)) for tool in tools)


def _extended(parameters: Mapping[str, Any], mode: Mode) -> dict[str, Any]:
    fields = {
        name: {"type": "string", "description": f"{text} At most {MAX_CHARACTERS} characters."}
        for name, text in FIELDS.items()
    }
    required = list(parameters["required"]) + (list(FIELDS) if mode == "full" else [])
    properties = {**parameters["properties"], **fields}
    return {**parameters, "properties": properties, "required": required}


def take_reflection(params: dict[str, Any]) -> dict[str, Any]:
    """Remove the three fields from a call's input, and return them cut to their maximum length: no
    call is refused because of its reflection."""
    values = {name: params.pop(name) for name in FIELDS if name in params}
    return {name: str(value)[:MAX_CHARACTERS] for name, value in values.items() if value}


def without_reflection(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters' schema, with the three fields no longer required."""
    required = [name for name in parameters["required"] if name not in FIELDS]
    return {**parameters, "required": required}
