"""How an action is declared: its name, its description for models, and its function.

    @action("Open an address.")
    def goto(context: ActionContext, *, url: Annotated[str, "Absolute, or relative to this page."]):
        ...

The keyword-only parameters are the tool's parameters: the first text of an ``Annotated`` is the
description, and a parameter with a default is optional (``Annotated[str, "…"] | None = None``). The
tool's JSON Schema, the check of a model's calls and ``ACTIONS`` in catalog.py follow from it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.steps.step import Action, ActionResult, Tool

ActionFunction = Callable[..., ActionResult]
"""Takes the ActionContext, and the action's parameters as keywords."""

WaitFunction = Callable[[ActionContext, Action], float]


def _no_wait(context: ActionContext, action: Action) -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class ActionDeclaration:
    """One action as models, the loop and the executor know it."""

    name: str
    description: str
    properties: Mapping[str, Any]
    """The parameters, each as a JSON Schema."""
    required: tuple[str, ...] = ()
    changes_page: bool = True
    """If False, the page is neither waited for nor compared after the action."""
    changes_list: bool = False
    """Whether other elements are listed after the action, although the page has not changed."""
    settles: bool = True
    """If False, the action does its own waiting for the page to settle."""
    wait_before: WaitFunction = _no_wait
    """The seconds to wait before each try. The wait is not part of the action's time limit."""
    function: ActionFunction | None = field(default=None, compare=False)
    """None for the answers, which the loop carries out itself."""

    def __call__(self, context: ActionContext, action: Action) -> ActionResult:
        assert self.function is not None, f"{self.name} is carried out by the loop"
        given = {name: value for name, value in action.params().items() if name in self.properties}
        return self.function(context, **given)

    def tool(self) -> Tool:
        parameters = {
            "type": "object",
            "properties": dict(self.properties),
            "required": list(self.required),
            "additionalProperties": False,
        }
        return Tool(self.name, self.description, parameters)


def action(
    description: str,
    *,
    name: str = "",
    changes_page: bool = True,
    changes_list: bool = False,
    settles: bool = True,
    wait_before: WaitFunction = _no_wait,
) -> Callable[[ActionFunction], ActionDeclaration]:
    """Declare the decorated function as an action; ``name`` is needed only if the action's name is
    already used by Python or by another function."""

    def declare(function: ActionFunction) -> ActionDeclaration:
        hints = get_type_hints(function, include_extras=True)
        keywords = [
            parameter
            for parameter in inspect.signature(function).parameters.values()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        ]
        return ActionDeclaration(
            name or function.__name__,
            description,
            {p.name: _schema(hints[p.name]) for p in keywords},
            tuple(p.name for p in keywords if p.default is inspect.Parameter.empty),
            changes_page,
            changes_list,
            settles,
            wait_before,
            function,
        )

    return declare


def _schema(hint: Any) -> dict[str, Any]:
    """The JSON Schema of ``Annotated[type, "description"]``. A parameter that may be left out is
    simply not sent, so the None of its type is not part of the schema."""
    if type(None) in get_args(hint):
        (hint,) = (part for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is not Annotated:
        return TypeAdapter(hint).json_schema()
    kind, description = get_args(hint)[:2]
    return {**TypeAdapter(kind).json_schema(), "description": description}
