"""Actions that bring the answer. The loop carries them out itself: they concern the sample, and
not its page."""

from __future__ import annotations

from typing import Any, get_args

from pytest_bwa.actions.declaration import ActionDeclaration
from pytest_bwa.steps import FailKind

_VALUES = "Values by the field names of the output schema"
JUDGMENT: dict[str, Any] = {
    "type": "object",
    "description": "Your answer to the judgment question.",
    "properties": {
        "answer": {"type": "string", "enum": ["yes", "no", "inconclusive"]},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "reasoning": {"type": "string"},
        "evidence_refs": {
            "type": "array",
            "items": {"type": "string"},
            "description": "File names or labels of saved screenshots that show it.",
        },
    },
    "required": ["answer", "confidence", "reasoning", "evidence_refs"],
}

SAVE_PROGRESS = ActionDeclaration(
    "save_progress",
    "Keep what you have found so far and go on; it is merged with what was kept before.",
    {
        "extracted": {
            "type": "object",
            "description": f"{_VALUES}; leave out what is not known: null takes a value back.",
        },
        "replace": {
            "type": "boolean",
            "description": "true: these fields replace what was kept of them, arrays too.",
        },
        "note": {"type": "string", "description": "What is done, in a few words."},
    },
    ("extracted",),
    changes_page=False,
)
DONE = ActionDeclaration(
    "done",
    "Finish and report the fields. Values saved with save_progress are included if you leave them "
    "out.",
    {"extracted": {"type": "object", "description": f"{_VALUES}; null for what cannot be seen."}},
    ("extracted",),
    changes_page=False,
)
FAIL = ActionDeclaration(
    "fail",
    "Stop: the sample does not exist, or cannot be completed.",
    {
        "kind": {
            "type": "string",
            "enum": list(get_args(FailKind)),
            "default": "other",
            "description": "not_found: the page says that it does not exist. blocked: a captcha or "
            "rate limit.",
        },
        "note": {"type": "string", "description": "Why, in one sentence a person can act on."},
    },
    ("kind", "note"),
    changes_page=False,
)
