"""Every action there is, collected from the files that declare them."""

from __future__ import annotations

from pytest_bwa.actions import answers, capture, interact, navigate, wait
from pytest_bwa.actions.answers import answers_for
from pytest_bwa.actions.declaration import ActionDeclaration
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Tool

_FILES = (navigate, interact, capture, wait, answers)
_ORDER = (
    *("goto", "click", "type", "scroll", "screenshot", "extract", "wait", "download"),
    *("select_option", "save_progress", "done", "fail", "press", "hover", "back", "upload"),
    *("switch_tab", "drag", "find", "look"),
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


def tools_for(task: TaskSpec) -> tuple[Tool, ...]:
    """All tools in their fixed order; the answers take the task's own fields and judgment."""
    return tuple(declared.tool() for declared in {**ACTIONS, **answers_for(task)}.values())


def changes_page(name: str) -> bool:
    """Whether the action may change the page, so that the page is read again after it."""
    return ACTIONS[name].changes_page
