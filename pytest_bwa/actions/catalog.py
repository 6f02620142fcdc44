"""Every action there is, collected from the files that declare them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pytest_bwa.actions import answers, capture, interact, navigate, wait
from pytest_bwa.actions.answers import JUDGMENT
from pytest_bwa.actions.declaration import ActionDeclaration
from pytest_bwa.steps import Tool

_FILES = (navigate, interact, capture, wait, answers)
_ORDER = (
    *("goto", "click", "type", "scroll", "screenshot", "extract", "wait", "download"),
    *("select_option", "save_progress", "done", "fail", "press", "hover", "back", "upload"),
    *("switch_tab", "drag", "find"),
)
"""The order in which models are offered the tools is part of the cached prompt, so it is fixed. An
action that is not named here comes after these."""


def _declared() -> dict[str, ActionDeclaration]:
    found = {
        thing.name: thing
        for file in _FILES
        for thing in vars(file).values()
        if isinstance(thing, ActionDeclaration)
    }
    return {name: found[name] for name in dict.fromkeys([*_ORDER, *found])}


ACTIONS = _declared()
"""By name, in the order in which a model is offered them."""


def tools_for(
    judgment: bool, extra_judgment_keys: Mapping[str, Any] | None = None
) -> tuple[Tool, ...]:
    """All tools in their fixed order; ``done`` takes a judgment if the task asks for one, with the
    extra keys that the task names, each with its form in words or as a JSON Schema."""
    done = ACTIONS["done"]
    if judgment:
        extra = {key: _as_property(form) for key, form in (extra_judgment_keys or {}).items()}
        asked = {**JUDGMENT, "properties": {**JUDGMENT["properties"], **extra}}
        properties = {**done.properties, "judgment": asked}
        done = replace(done, properties=properties, required=(*done.required, "judgment"))
    return tuple(declared.tool() for declared in {**ACTIONS, "done": done}.values())


def _as_property(form: Any) -> dict[str, Any]:
    """Only the form is described: a value of another form is kept, and a person reads it."""
    return {"description": form if isinstance(form, str) else json.dumps(form)}


def changes_page(name: str) -> bool:
    """Whether the action may change the page, so that the page is compared with the one before."""
    return ACTIONS[name].changes_page


def is_read_again(name: str) -> bool:
    """Whether the page is read again after the action."""
    return ACTIONS[name].changes_page or ACTIONS[name].changes_list
