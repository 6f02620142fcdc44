"""Reading a reply of the Messages API: from its bytes to a Decision, or why there is none.

Read here and not with the SDK's own model, which takes any JSON for a message and fails later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError as SchemaError
from jsonschema.exceptions import best_match
from pydantic import BaseModel, ValidationError

from pytest_bwa.errors import DecisionUnusable, ModelFailed
from pytest_bwa.policy.claude.prices import cost
from pytest_bwa.policy.claude.reflection import FIELDS, take_reflection, without_reflection
from pytest_bwa.steps import Action, Decision, Tool, Usage
from pytest_bwa.text import one_line

BATCH_ENDS = frozenset({"goto", "done", "fail", "save_progress"})  # F-46
QUOTED_CHARACTERS = 160
_NUMBERS_AS_TEXT = ("selector", "text", "value")


class Block(BaseModel):
    """One content block; other kinds than text, thinking and tool_use are passed over."""

    type: str
    text: str | None = None
    thinking: str | None = None
    name: str | None = None
    input: Any = None


class ResponseUsage(BaseModel):
    """Tokens of one call; a count that is left out or null is none."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class Response(BaseModel):
    """The body of a 200. Servers that only speak like Anthropic's may leave usage out."""

    content: list[Block]
    model: str | None = None
    stop_reason: str | None = None
    usage: ResponseUsage | None = None

    def paid(self, model: str) -> Usage:
        """Tokens and money; the cost is unknown where the tokens or the price are."""
        if self.usage is None:
            return Usage(calls=1, cost_usd=None)
        tokens = {
            "input_tokens": self.usage.input_tokens or 0,
            "output_tokens": self.usage.output_tokens or 0,
            "cache_read": self.usage.cache_read_input_tokens or 0,
            "cache_write": self.usage.cache_creation_input_tokens or 0,
        }
        return Usage(**tokens, calls=1, cost_usd=cost(self.model or model, **tokens))

    def words(self) -> str:
        """The text of the answer, without what was thought before it."""
        said = (block.text or "" for block in self.content if block.type == "text")
        return "\n".join(words.strip() for words in said if words.strip())

    def thoughts(self) -> str:
        said = (block.thinking or block.text or "" for block in self.content)
        return "\n".join(words.strip() for words in said if words.strip())


def decision(reply: Response, tools: Sequence[Tool], model: str, max_actions: int = 1) -> Decision:
    """The first tool calls as actions; raises DecisionUnusable or ModelFailed with the Usage."""
    usage = reply.paid(model)
    _refuse_cut_off(reply, model, usage)
    calls = [block for block in reply.content if block.type == "tool_use"]
    if not calls:
        said = one_line(reply.thoughts(), QUOTED_CHARACTERS)
        quoted = f' ("{said}")' if said else ""
        raise DecisionUnusable(
            f"The reply{quoted} held no tool call: answer with exactly one tool call.", usage
        )
    # Calls beyond what was asked for are dropped: they were chosen without seeing what the first
    # does to the page.
    actions: list[Action] = []
    for call in calls[:max_actions]:
        actions.append(read_action(call.name, call.input, tools, usage))
        if actions[-1].action in BATCH_ENDS:
            break
    dropped = len(calls) - len(actions)
    notes = (f"{dropped} more tool calls of the reply were dropped",) if dropped else ()
    return Decision(
        tuple(actions), usage, thinking=reply.thoughts(), model=reply.model or model, notes=notes
    )


def as_sent(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """Tools as the Messages API takes them."""
    return [
        {"name": t.name, "description": t.description, "input_schema": dict(t.parameters)}
        for t in tools
    ]


def _refuse_cut_off(reply: Response, model: str, usage: Usage) -> None:
    """What the server broke off is not acted on, even where a tool call can be read from it: a
    ``done`` that lost half of its fields still looks like one."""
    match reply.stop_reason:
        case "max_tokens":
            raise DecisionUnusable(
                "The reply was cut off at its token limit (BWA_MAX_TOKENS) before the tool call "
                "was complete: think less and answer with one short tool call.",
                usage,
            )
        case "refusal":
            raise ModelFailed(
                f"{model} declined to answer (stop_reason refusal): reword the spec's goal or "
                "system_prompt, or name another model with --model",
                usage,
            )
        case "model_context_window_exceeded":
            raise ModelFailed(
                f"the prompt does not fit into the context window of {model}: name a model with "
                "a larger one with --model, or split the task",
                usage,
            )


def read_action(
    name: str | None, given: Any, tools: Sequence[Tool], usage: Usage | None = None
) -> Action:
    """A model's tool call as an Action; DecisionUnusable says what the model has to mend."""
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        names = ", ".join(tool.name for tool in tools)
        raise DecisionUnusable(f'There is no tool "{name}" now: call one of {names}.', usage)
    if not isinstance(given, Mapping):
        raise DecisionUnusable(f'The input of "{name}" is no JSON object: send one.', usage)
    params = _normalised(given)
    reflection = take_reflection(params)
    schema = without_reflection(tool.parameters)
    if problem := best_match(Draft202012Validator(schema).iter_errors(params)):
        raise DecisionUnusable(_complaint(tool, problem), usage)
    try:
        return Action(action=tool.name, **params, **reflection)
    except ValidationError as error:  # a parameter of the tool that Action does not know as such
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise DecisionUnusable(
            f'The input of "{name}" cannot be used: "{where}": {first["msg"]}.', usage
        ) from error


def _normalised(given: Mapping[str, Any]) -> dict[str, Any]:
    """Without the nulls and bare numbers that models send where text is optional or a number:
    their meaning is plain, and a refusal would cost a call."""
    params = {key: value for key, value in given.items() if value is not None}
    for key in _NUMBERS_AS_TEXT:
        if isinstance(params.get(key), int | float) and not isinstance(params[key], bool):
            params[key] = str(params[key])
    return params


def _complaint(tool: Tool, problem: SchemaError) -> str:
    where = ".".join(str(part) for part in problem.absolute_path)
    what = f'"{where}": ' if where else ""
    required = ", ".join(without_reflection(tool.parameters)["required"]) or "none"
    known = ", ".join(name for name in tool.parameters.get("properties", ()) if name not in FIELDS)
    return (
        f'The input of "{tool.name}" cannot be used: {what}{problem.message[:300]}; '
        f"its parameters are {known} (required: {required})."
    )
