"""Every action there is, collected from the files that declare them."""

from __future__ import annotations

from dataclasses import replace

from pytest_bwa.actions import (
    answers,
    capture,
    download,
    evaluate,
    interact,
    navigate,
    read,
    scroll,
    select,
    upload,
    wait,
    write,
)
from pytest_bwa.actions.answers import answers_for
from pytest_bwa.actions.declaration import ActionDeclaration
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.artifacts import picture_labels
from pytest_bwa.steps.step import Tool

_FILES = (
    navigate, read, scroll, interact, write, select, upload, capture, download, wait, answers,
    evaluate,
)  # fmt: skip
_ORDER = (
    *("goto", "click", "type", "scroll", "screenshot", "extract", "wait", "download"),
    *("select_option", "save_progress", "done", "fail", "press", "hover", "back", "upload"),
    *("switch_tab", "drag", "find", "look", "read", "evaluate"),
)
"""The order in which models are offered the tools is part of the cached prompt, so it is fixed. An
action that is not named here comes after these."""

_WITH_PICTURE = frozenset(
    {"goto", "click", "type", "scroll", "wait", "select_option", "press", "back"}
    | {"save_progress", "done"}
)
"""Tools that take a picture in the same call, if the task needs one with a label. After the others,
which are rarer, ``screenshot`` in the same reply does it; each tool that has the parameter makes
every prompt longer."""
EVALUATE = evaluate.evaluate.name
_LABEL = {"type": "string"}  # explained once, in the system prompt


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


def tools_for(task: TaskSpec, *, evaluates: bool = False) -> tuple[Tool, ...]:
    """All tools in their fixed order; the answers take the task's own fields and judgment.
    ``evaluates``: whether a model may evaluate scripts."""
    every = {**ACTIONS, **answers_for(task)}
    if not evaluates:
        del every[EVALUATE]
    # Only these ask for a label.
    if picture_labels(task.required_artifacts) or task.judgment_required:
        every = {name: _with_picture(declared) for name, declared in every.items()}
    return tuple(declared.tool() for declared in every.values())


def _with_picture(declared: ActionDeclaration) -> ActionDeclaration:
    if declared.name not in _WITH_PICTURE:
        return declared
    return replace(declared, properties={**declared.properties, "screenshot_label": _LABEL})


def changes_page(name: str) -> bool:
    """Whether the action may change the page, so that the page is compared with the one before."""
    return ACTIONS[name].changes_page


def is_read_again(name: str) -> bool:
    """Whether the page is read again after the action."""
    return ACTIONS[name].changes_page or ACTIONS[name].changes_list
