"""Actions that bring the answer. The loop carries them out itself: they concern the sample, and
not its page. ``answers_for`` gives them the fields and the judgment of a task.

What sources are, the system prompt says once for all of them. None is required: a value without one
is looked up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from pytest_bwa.actions.declaration import ActionDeclaration
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import FailKind
from pytest_bwa.steps.text import label_key

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
    "Keep fields; arrays grow, unless replace is true; note: a doubt.",
    {
        "extracted": {"type": "object"},
        "sources": {"type": "object"},
        "replace": {"type": "boolean"},
        "note": {"type": "string"},
    },
    ("extracted",),
    changes_page=False,
)
DONE = ActionDeclaration(
    "done",
    "Finish and report the fields; kept ones are included.",
    {"extracted": {"type": "object"}, "sources": {"type": "object"}},
    ("extracted",),
    changes_page=False,
)
FAIL = ActionDeclaration(
    "fail",
    "Stop without an answer; note: why.",
    {
        "kind": {
            "type": "string",
            "enum": list(get_args(FailKind)),
        },
        "note": {"type": "string"},
        "source": {"type": "integer"},
    },
    ("kind", "note"),
    changes_page=False,
)


def answers_for(task: TaskSpec) -> dict[str, ActionDeclaration]:
    """``done`` and ``save_progress`` with the task's own fields, and ``done`` with its judgment."""
    fields = OutputSchema(task.output_schema).json_schema["properties"]
    described = {
        name: _described(field, _other_words(name, task.aliases.get(name, ())))
        for name, field in fields.items()
    }
    done = _with_fields(DONE, described)
    if task.judgment_required:
        properties = {**done.properties, "judgment": _judgment(task)}
        done = replace(done, properties=properties, required=(*done.required, "judgment"))
    # The same fields, but what they mean is said once.
    bare = {name: _without_description(field) for name, field in fields.items()}
    return {"save_progress": _with_fields(SAVE_PROGRESS, bare), "done": done}


def _with_fields(answer: ActionDeclaration, fields: Mapping[str, Any]) -> ActionDeclaration:
    if not fields:
        return answer
    extracted = {**answer.properties["extracted"], "properties": dict(fields)}
    return replace(answer, properties={**answer.properties, "extracted": extracted})


def _other_words(field: str, aliases: Sequence[str]) -> list[str]:
    """The labels that say more than the field's own name."""
    return [alias for alias in aliases if label_key(alias) != label_key(field)]


def _described(field: Mapping[str, Any], aliases: list[str]) -> dict[str, Any]:
    """A field's schema; the page's other words for it belong to its description."""
    if not aliases:
        return dict(field)
    own = field.get("description")
    words = f"On pages also: {', '.join(aliases)}"
    return {**field, "description": f"{own} {words}" if own else words}


def _without_description(field: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in field.items() if key != "description"}


def _judgment(task: TaskSpec) -> dict[str, Any]:
    """The judgment with the forms that the task gives: of the keys that every judgment has, what it
    says in words; of extra keys the form only, because a value of another form is kept too."""
    schema = task.judgment_output_schema or {}
    own = {key: {**form, "description": schema[key]} if isinstance(schema.get(key), str) else form
           for key, form in JUDGMENT["properties"].items()}  # fmt: skip
    extra = {key: _described_only(form) for key, form in task.extra_judgment_keys.items()}
    return {**JUDGMENT, "properties": {**own, **extra}}


def _described_only(form: Any) -> dict[str, Any]:
    return {"description": form if isinstance(form, str) else json.dumps(form)}
