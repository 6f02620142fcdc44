"""What a model says of itself with each action (F-41): how the last step went, what to keep in
mind, what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from pytest_bwa.steps import Tool

Mode = Literal["light", "full"]
CHARACTERS = 160
FIELDS = {
    "evaluation_previous_step": "Whether the last step did what it should, in a few words.",
    "memory_update": "What must not be forgotten from this page.",
    "next_goal": "What this action is for.",
}
ASKED_FOR = """\
- With every call fill in evaluation_previous_step, memory_update and next_goal, a sentence each: \
they are shown to you again in the history, and are all that you remember."""


def with_reflection(tools: Sequence[Tool], mode: Mode) -> tuple[Tool, ...]:
    """The tools with the three fields: offered in light mode, required in full mode."""
    return tuple(replace(tool, parameters=_extended(tool.parameters, mode)) for tool in tools)


def _extended(parameters: Mapping[str, Any], mode: Mode) -> dict[str, Any]:
    fields = {
        name: {"type": "string", "description": f"{said} At most {CHARACTERS} characters."}
        for name, said in FIELDS.items()
    }
    required = list(parameters["required"]) + (list(FIELDS) if mode == "full" else [])
    properties = {**parameters["properties"], **fields}
    return {**parameters, "properties": properties, "required": required}


def take_reflection(params: dict[str, Any]) -> dict[str, Any]:
    """The three fields, taken out of a call's input and cut to their length: a reply is never
    refused for what it says of itself."""
    said = {name: params.pop(name) for name in FIELDS if name in params}
    return {name: str(text)[:CHARACTERS] for name, text in said.items() if text}


def without_reflection(parameters: Mapping[str, Any]) -> dict[str, Any]:
    required = [name for name in parameters["required"] if name not in FIELDS]
    return {**parameters, "required": required}
