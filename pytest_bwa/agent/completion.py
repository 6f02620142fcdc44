"""Whether ``done`` may stand: fields, types, screenshots, judgment (F-50, F-51, F-60). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from pytest_bwa.evidence.record import Judgment
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Artifact

_NUMBERED = re.compile(r"^\d+_|\.png$")


@dataclass(frozen=True, slots=True)
class Completion:
    """What stands between a sample and its end; all empty means that it may end ``done``."""

    missing: tuple[str, ...] = ()
    """Required fields without a value, required screenshots that were not saved."""
    problems: tuple[str, ...] = ()
    """Values of the wrong type, a judgment that does not hold."""
    short: tuple[str, ...] = ()
    """Arrays with fewer items than expected."""
    judgment: Judgment | None = field(default=None, compare=False)

    @property
    def accepted(self) -> bool:
        return not self.missing and not self.problems

    def notice(self) -> str:
        """One sentence to the model: why done was refused and what to do."""
        parts = []
        if self.missing:
            parts.append("these are missing: " + ", ".join(self.missing))
        parts += self.problems
        return "done was refused because " + "; ".join(parts) + ". Supply them, or call fail."


def check(
    task: TaskSpec,
    extracted: Mapping[str, Any],
    judgment: Mapping[str, Any] | None,
    artifacts: Sequence[Artifact],
) -> Completion:
    """0, false and empty text are values; only an absent field or null is missing."""
    fields = [name for name in task.required_fields if extracted.get(name) is None]
    shots = [
        f"screenshot {label}" for label in task.required_artifacts if not _saved(label, artifacts)
    ]
    verdict, problem = _judgment(task, judgment, artifacts)
    problems = OutputSchema(task.output_schema).problems(extracted)
    return Completion(
        missing=(*fields, *shots),
        problems=(*problems, *([problem] if problem else [])),
        short=tuple(_short(task, extracted)),
        judgment=verdict,
    )


def _saved(label: str, artifacts: Sequence[Artifact]) -> bool:
    """A label is met by a file whose label or name is it, or contains it as a word."""
    wanted = _plain(label)
    if wanted == "screenshot":
        return any(a.filename.endswith(".png") for a in artifacts)
    return any(
        wanted in (f"_{_plain(a.label)}_", _plain(a.label)) or _within(wanted, a) for a in artifacts
    )


def _within(wanted: str, artifact: Artifact) -> bool:
    names = (_plain(artifact.label), _plain(_NUMBERED.sub("", artifact.filename)))
    return any(f"_{wanted}_" in f"_{name}_" for name in names)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.casefold()).strip("_")


def _short(task: TaskSpec, extracted: Mapping[str, Any]) -> list[str]:
    if task.expected_items is None:
        return []
    arrays = {k: v for k, v in extracted.items() if isinstance(v, list)}
    return [
        f"{name} has {len(items)} of {task.expected_items} items"
        for name, items in arrays.items()
        if len(items) < task.expected_items
    ]


def _judgment(
    task: TaskSpec, given: Mapping[str, Any] | None, artifacts: Sequence[Artifact]
) -> tuple[Judgment | None, str]:
    if not task.judgment_required and not given:
        return None, ""
    if not given:
        return None, "the judgment is missing (answer, confidence, reasoning, evidence_refs)"
    try:
        judgment = Judgment.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "judgment"
        return None, f"the judgment does not hold: {where}: {first['msg']}"
    saved = {a.filename for a in artifacts if a.filename.endswith(".png")}
    unknown = [name for name in judgment.evidence_refs if name not in saved]
    if unknown:
        return None, f"the judgment names no saved screenshot: {', '.join(unknown)}"
    return judgment, ""
