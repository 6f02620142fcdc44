"""The actions as tools: what a model is told of each (F-32, F-33, DESIGN 4.9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_bwa.steps import ACTION_NAMES, ActionName, Tool

_SELECTOR = {
    "type": "string",
    "description": 'The element: its number in brackets ("7"), or its visible text; CSS only if '
    "nothing else names it.",
}
_JUDGMENT = {
    "type": "object",
    "description": "Your answer to the judgment question.",
    "properties": {
        "answer": {"type": "string", "enum": ["yes", "no", "inconclusive"]},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "reasoning": {"type": "string"},
        "evidence_refs": {
            "type": "array",
            "items": {"type": "string"},
            "description": "File names of screenshots you saved that show it.",
        },
    },
    "required": ["answer", "confidence", "reasoning", "evidence_refs"],
}


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


_EXTRACTED = {
    "type": "object",
    "description": "Values by the field names of the output schema; null for what is not to be "
    "seen.",
}

_ACTIONS: dict[ActionName, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "goto": (
        "Open a web address.",
        {"url": _text("Absolute, or relative to this page.")},
        ("url",),
    ),
    "click": ("Click an element.", {"selector": _SELECTOR}, ("selector",)),
    "type": (
        "Fill a text field; what was in it is replaced.",
        {"selector": _SELECTOR, "text": _text("What the field shall hold.")},
        ("selector", "text"),
    ),
    "scroll": (
        "Scroll the page by about two thirds of a screen.",
        {"direction": {"type": "string", "enum": ["up", "down"]}},
        ("direction",),
    ),
    "screenshot": (
        "Save a picture of the whole page as evidence.",
        {"label": _text("Short name of what it shows, such as profile or checks.")},
        ("label",),
    ),
    "extract": ("Read the whole text of an element.", {"selector": _SELECTOR}, ("selector",)),
    "wait": (
        "Wait until a text or an element appears; without selector, until the page is at rest.",
        {"selector": _text("Text that shall appear, or CSS.")},
        (),
    ),
    "download": (
        "Click what starts a download and keep the file as evidence.",
        {"selector": _SELECTOR},
        ("selector",),
    ),
    "select_option": (
        "Choose an option of a list.",
        {"selector": _SELECTOR, "value": _text("The option's visible text or its value.")},
        ("selector", "value"),
    ),
    "save_progress": (
        "Keep what you have found so far and go on; it is merged with what was kept before.",
        {"extracted": _EXTRACTED, "note": _text("What is done, in a few words.")},
        ("extracted",),
    ),
    "done": (
        "Finish: everything that is required was seen and saved.",
        {"extracted": _EXTRACTED},
        ("extracted",),
    ),
    "fail": (
        "Give up: the answer cannot be had here.",
        {"note": _text("Why, in one sentence a person can act on.")},
        ("note",),
    ),
    "press": (
        "Press a key or a combination, in an element or on the page.",
        {
            "key": _text('Such as "Enter", "Escape", "ArrowDown", "Control+a".'),
            "selector": _SELECTOR,
        },
        ("key",),
    ),
    "hover": ("Move the pointer over an element.", {"selector": _SELECTOR}, ("selector",)),
    "back": ("Go back to the page before this one.", {}, ()),
    "upload": (
        "Put a file of the sample into a file field.",
        {
            "selector": _SELECTOR,
            "file": _text("The file's name as the sample gives it."),
        },
        ("selector", "file"),
    ),
    "switch_tab": (
        "Go on in another open tab.",
        {"tab": {"type": "integer", "description": "The tab's number as listed."}},
        ("tab",),
    ),
    "drag": (
        "Drag one element onto another.",
        {"selector": _SELECTOR, "target": {**_SELECTOR, "description": "Where to drop it."}},
        ("selector", "target"),
    ),
    "find": (
        "Search the whole page for a text, also what is not listed or not in view.",
        {"text": _text("The text, or a part of it.")},
        ("text",),
    ),
}


def tools_for(judgment: bool) -> tuple[Tool, ...]:
    """All tools in their fixed order; ``done`` takes a judgment where the task asks for one."""
    return tuple(_tool(name, judgment and name == "done") for name in ACTION_NAMES)


def _tool(name: ActionName, judgment: bool) -> Tool:
    description, properties, required = _ACTIONS[name]
    if judgment:
        properties, required = {**properties, "judgment": _JUDGMENT}, (*required, "judgment")
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return Tool(name, description, parameters)


TOOLS: tuple[Tool, ...] = tools_for(judgment=False)
