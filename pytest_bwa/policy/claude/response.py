"""Reads a reply of the Messages API: from its bytes to a Decision, or why it is not usable.

The SDK's own model is not used, because it accepts any JSON as a message and fails later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError as SchemaError
from jsonschema.exceptions import best_match
from pydantic import BaseModel, ValidationError

from pytest_bwa.errors import DecisionUnusable, ModelFailed
from pytest_bwa.policy.claude.answer_forms import parsed, read_answer
from pytest_bwa.policy.claude.cost import cost
from pytest_bwa.policy.claude.reflection import read_reflection, take_reflection
from pytest_bwa.steps.step import ANSWERS, Action, Decision, Tool, Usage
from pytest_bwa.steps.text import label_key, one_line

BATCH_ENDING_ACTIONS = frozenset({"done", "fail", "look", "read"})
QUOTED_CHARACTERS = 160
_TEXT_CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.S)
_INPUTS = ("input", "arguments", "parameters")
"""What the parameters of a call are called in its text."""
_TEXT_PARAMETERS = ("selector", "text", "value")
"""Parameters for which models send bare numbers, too."""


class ContentBlock(BaseModel):
    """One content block; only text, thinking and tool_use blocks are read."""

    type: str
    text: str | None = None
    thinking: str | None = None
    name: str | None = None
    input: Any = None


class ResponseUsage(BaseModel):
    """Tokens of one call; a count that is missing or null counts as zero."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class Response(BaseModel):
    """The body of a response with status 200. Servers other than Anthropic's may omit usage."""

    content: list[ContentBlock]
    model: str | None = None
    stop_reason: str | None = None
    usage: ResponseUsage | None = None

    def usage_for(self, model: str) -> Usage:
        """Tokens and cost, at the price of ``model`` if the reply names no model. The cost is
        unknown if the tokens or the price are unknown."""
        if self.usage is None:
            return Usage(calls=1, cost_usd=None)
        tokens = {
            "input_tokens": self.usage.input_tokens or 0,
            "output_tokens": self.usage.output_tokens or 0,
            "cache_read": self.usage.cache_read_input_tokens or 0,
            "cache_write": self.usage.cache_creation_input_tokens or 0,
        }
        return Usage(**tokens, calls=1, cost_usd=cost(self.model or model, **tokens))

    def blocks(self) -> list[dict[str, Any]]:
        """What the reply contains, as it is recorded."""
        return [block.model_dump(exclude_none=True) for block in self.content]

    def text(self) -> str:
        """The text of the reply, without the thinking."""
        return _join(block.text or "" for block in self.content if block.type == "text")

    def thinking_and_text(self) -> str:
        return _join(block.thinking or block.text or "" for block in self.content)


def _join(texts: Iterable[str]) -> str:
    return "\n".join(text.strip() for text in texts if text.strip())


def read_decision(
    reply: Response, tools: Sequence[Tool], model: str, max_actions: int = 1
) -> Decision:
    """The first tool calls of the reply as actions.

    Raises DecisionUnusable or ModelFailed, with the Usage of the reply.
    """
    usage = reply.usage_for(model)
    _raise_if_incomplete(reply, model, usage)
    calls = [block for block in reply.content if block.type == "tool_use"]
    calls = calls or list(_calls_in(reply.text()))
    if not calls:
        text = one_line(reply.thinking_and_text(), QUOTED_CHARACTERS)
        quoted = f' ("{text}")' if text else ""
        raise DecisionUnusable(
            f"The reply{quoted} contained no tool call: answer with a tool call.", usage
        )
    actions, why = _read_calls(calls[:max_actions], tools, usage)
    dropped = ", ".join(str(call.name) for call in calls[len(actions) :])
    actions[0] = actions[0].model_copy(update=read_reflection(reply.text()))
    return Decision(
        tuple(actions),
        usage,
        thinking=reply.thinking_and_text(),
        model=reply.model or model,
        notes=(f"not carried out: {dropped}; {why or f'{max_actions} is the most'}",)
        if dropped
        else (),
    )


def _calls_in(text: str) -> Iterator[ContentBlock]:
    """The calls that a model wrote as text, in JSON and nothing else. Models on servers of their
    own do so when the server does not know the form of their calls."""
    for part in _TEXT_CALL.findall(text) or [text]:
        given = parsed(part)
        for call in given if isinstance(given, list) else [given]:
            call = call.get("function", call) if isinstance(call, Mapping) else {}
            inputs = (
                [call[key] for key in _INPUTS if key in call] if isinstance(call, Mapping) else []
            )
            if inputs and isinstance(call.get("name"), str):
                yield ContentBlock(type="tool_use", name=call["name"], input=inputs[0])


def _read_calls(
    calls: Sequence[ContentBlock], tools: Sequence[Tool], usage: Usage
) -> tuple[list[Action], str]:
    """The calls up to one that ends a reply or cannot be read, and why none follows it. What comes
    after is dropped: the model chose it without seeing what these do to the page."""
    actions: list[Action] = []
    for call in calls:
        try:
            actions.append(read_action(call.name, call.input, tools, usage))
        except DecisionUnusable as error:
            if not actions:
                raise
            return actions, str(error)
        if actions[-1].action in BATCH_ENDING_ACTIONS:
            return actions, f"{actions[-1].action} ends a reply"
    return actions, ""


def tool_definitions(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """The tools in the form of the Messages API, without what says nothing to a model: that there
    are no other parameters, that none is required, and that texts which are listed are texts."""
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "input_schema": {
                "type": "object",
                "properties": {
                    name: {key: value for key, value in form.items() if _says(key, form)}
                    for name, form in tool.parameters["properties"].items()
                },
                **({"required": required} if (required := tool.parameters["required"]) else {}),
            },
        }
        for tool in tools
    ]


def _says(key: str, form: Mapping[str, Any]) -> bool:
    return key != "type" or "enum" not in form


def _raise_if_incomplete(reply: Response, model: str, usage: Usage) -> None:
    """Raise if the server ended the reply early, even if a tool call can be read from it: a
    ``done`` that lost half of its fields still looks complete."""
    match reply.stop_reason:
        case "max_tokens":
            raise DecisionUnusable(
                "The reply was cut off at its token limit before the tool call "
                "was complete: think less and answer with one short tool call.",
                usage,
            )
        case "refusal":
            raise ModelFailed(
                f"{model} declined to answer (stop_reason refusal): reword the spec's goal or "
                "system_prompt, or choose another model with --model",
                usage,
            )
        case "model_context_window_exceeded":
            raise ModelFailed(
                f"the prompt does not fit into the context window of {model}: choose a model with "
                "a larger one with --model, or split the task",
                usage,
            )


def read_action(
    name: str | None, tool_input: Any, tools: Sequence[Tool], usage: Usage | None = None
) -> Action:
    """A tool call as an Action; DecisionUnusable tells the model what to correct."""
    tool = _tool(name, tools)
    if tool is None:
        names = ", ".join(tool.name for tool in tools)
        raise DecisionUnusable(
            f'The tool "{name}" is not available now: call one of {names}.', usage
        )
    given = parsed(tool_input)
    reflection = {}
    if isinstance(given, Mapping):
        given = dict(given)
        reflection = take_reflection(given)
    if tool.name in ANSWERS:
        return Action(action=tool.name, **{**read_answer(tool, given), **reflection})
    if not isinstance(given, Mapping):
        raise DecisionUnusable(
            f'The input of "{name}" is not a JSON object: send a JSON object.', usage
        )
    params = _normalise(given)
    if schema_error := best_match(Draft202012Validator(tool.parameters).iter_errors(params)):
        raise DecisionUnusable(_schema_error_message(tool, schema_error), usage)
    try:
        return Action(action=tool.name, **{**params, **reflection})
    except ValidationError as error:  # the tool accepts a parameter that Action does not
        first = error.errors()[0]
        path = ".".join(str(part) for part in first["loc"])
        raise DecisionUnusable(
            f'The input of "{name}" cannot be used: "{path}": {first["msg"]}.', usage
        ) from error


def _tool(name: str | None, tools: Sequence[Tool]) -> Tool | None:
    """The tool of that name, however it is written (``functions.Done``). Where only the end is
    left, what is saved is the answer."""
    key = label_key((name or "").rpartition(".")[2])
    known = {label_key(tool.name): tool for tool in tools}
    return known.get("done" if key == "save_progress" and key not in known else key)


def _normalise(tool_input: Mapping[str, Any]) -> dict[str, Any]:
    """Drop nulls, and turn bare numbers into text where text is expected. Models send both; the
    meaning is clear, and a refusal would cost another call."""
    params = {key: value for key, value in tool_input.items() if value is not None}
    for key in _TEXT_PARAMETERS:
        if isinstance(params.get(key), int | float) and not isinstance(params[key], bool):
            params[key] = str(params[key])
    return params


def _schema_error_message(tool: Tool, error: SchemaError) -> str:
    path = ".".join(str(part) for part in error.absolute_path)
    prefix = f'"{path}": ' if path else ""
    required = ", ".join(tool.parameters.get("required", ())) or "none"
    names = ", ".join(tool.parameters.get("properties", ()))
    return (
        f'The input of "{tool.name}" cannot be used: {prefix}{error.message[:300]}; '
        f"its parameters are {names} (required: {required})."
    )
