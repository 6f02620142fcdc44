"""The model's reflection: how the last step went, what to remember, what is next.

It is asked for once, as lines of text before the tool calls, and never costs a decision: what is
missing is left out, and what is too long is cut. Parameters of these names are taken as well,
because some models write them there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from pytest_bwa.steps.text import one_line

Mode = Literal["light", "full"]
MAX_CHARACTERS = 160
FIELDS = ("evaluation_previous_step", "memory_update", "next_goal")
REFLECTION_RULES: Mapping[Mode, str] = {
    "light": 'What you must remember, write before the call in a line "memory_update: …".',
    "full": f"""\
Before the call write three lines of at most {MAX_CHARACTERS} characters: \
"evaluation_previous_step: …", "memory_update: …" (what you must remember), "next_goal: …".""",
}
_LABEL = re.compile(
    r"^[ \t*_`#>\-\"']*(" + "|".join(f.replace("_", "[_ ]") for f in FIELDS) + r")"
    r"[*_`\"']*[^\S\n]*[:：][*_`]*",
    re.I | re.M,
)
"""A field's name at the beginning of a line, marked up in whatever way."""


def read_reflection(text: str) -> dict[str, str]:
    """The fields that a reply's text has; each goes on until the next one begins."""
    _, *parts = _LABEL.split(text)
    found = dict(zip(parts[::2], parts[1::2], strict=True))
    return _cut({name.lower().replace(" ", "_"): value for name, value in found.items()})


def take_reflection(params: dict[str, Any]) -> dict[str, str]:
    """Remove the fields from a call's input, and return them."""
    return _cut({name: params.pop(name) for name in FIELDS if name in params})


def _cut(fields: Mapping[str, Any]) -> dict[str, str]:
    texts = {
        name: one_line(str(value or "").strip(), MAX_CHARACTERS) for name, value in fields.items()
    }
    return {name: text for name, text in texts.items() if text}
