"""Checks whether ``done`` can be accepted: fields, types, screenshots and judgment. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_bwa.agent.ending.judgments import read_judgment
from pytest_bwa.evidence.record import Judgment
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.artifacts import is_file_name, is_picture
from pytest_bwa.steps.step import Artifact, has_label

JUDGMENT = "judgment"
"""What the judgment is called among the values of an answer."""
KEPT = "All other values are kept."


@dataclass(frozen=True, slots=True)
class Completion:
    """The result of the check. If nothing is missing and there are no problems, ``done`` is
    accepted."""

    missing: tuple[str, ...] = ()
    """Required fields without a value, and required screenshots and files that were not saved."""
    problems: tuple[str, ...] = ()
    """Values of the wrong type, or an invalid judgment."""
    short: tuple[str, ...] = ()
    """Arrays with fewer items than expected."""
    twins: tuple[str, ...] = ()
    """Required screenshots that show, byte for byte, what another required one shows."""
    judgment: Judgment | None = field(default=None, compare=False)
    """Also one whose pictures or reasoning are not as they should be."""
    unread_judgment: str = ""
    """What was given in place of a judgment, for a person to read."""
    wrong: frozenset[str] = frozenset()
    """The names of the fields with a problem, and ``judgment`` if it has one."""

    @property
    def accepted(self) -> bool:
        return not self.missing and not self.problems

    @property
    def faults(self) -> frozenset[str]:
        """What is missing or wrong, by name."""
        return self.wrong | {f"missing {name}" for name in self.missing}

    def reason(self) -> str:
        """Why ``done`` was refused."""
        parts = []
        if self.missing:
            parts.append("these are missing: " + ", ".join(self.missing))
        return "; ".join([*parts, *self.problems])

    def notice(self) -> str:
        """The notice for the model: why ``done`` was refused, and what to do."""
        return f"done was refused because {self.reason()}. Supply it, or call fail. {KEPT}"


def check(
    task: TaskSpec,
    extracted: Mapping[str, Any],
    judgment: Any,
    artifacts: Sequence[Artifact],
) -> Completion:
    """Check what ``done`` brings. 0, false and empty text are values; only an absent field or a
    null is missing."""
    missing_fields = [name for name in task.required_fields if extracted.get(name) is None]
    missing_artifacts = [
        _missing(label, artifacts)
        for label in task.required_artifacts
        if not any(has_label(artifact, label) for artifact in artifacts)
    ]
    read = read_judgment(task, judgment, artifacts)
    problems = OutputSchema(task.output_schema).problems_by_field(extracted)
    return Completion(
        missing=(*missing_fields, *missing_artifacts),
        problems=(*problems.values(), *read.problems),
        short=tuple(_short_arrays(task, extracted)),
        twins=tuple(_twins(task.required_artifacts, artifacts)),
        judgment=read.judgment,
        unread_judgment=read.given,
        wrong=frozenset([*problems, *([JUDGMENT] if read.problems else [])]),
    )


def _missing(label: str, artifacts: Sequence[Artifact]) -> str:
    """``file invoice.pdf, downloaded (downloads/invoice.pdf is none: it is empty)``."""
    if not is_file_name(label):
        return f"screenshot {label}"
    faults = [f"{a.filename} is none: {a.fault}" for a in artifacts if a.fault]
    return f"file {label}, downloaded" + (f" ({'; '.join(faults)})" if faults else "")


def _twins(labels: Sequence[str], artifacts: Sequence[Artifact]) -> Iterator[str]:
    """The labels of which every picture is the same as the one of a label before."""
    used: dict[str, str] = {}
    for label in labels:
        own = [a for a in artifacts if has_label(a, label) and is_picture(a.filename)]
        new = next((a for a in own if a.sha256 not in used), None)
        if own and new is None:
            yield f"{own[-1].filename} shows the same as {used[own[-1].sha256]}"
        for artifact in own:
            used.setdefault(artifact.sha256, artifact.filename)


def is_premature(task: TaskSpec, extracted: Mapping[str, Any]) -> bool:
    """Whether ``done`` is refused whatever pictures are taken for it now. A judgment may still be
    waiting for these pictures."""
    without_pictures = {"judgment_required": False, "required_artifacts": []}
    return not check(task.model_copy(update=without_pictures), extracted, None, []).accepted


def _short_arrays(task: TaskSpec, extracted: Mapping[str, Any]) -> list[str]:
    """A null and an absent array have no items, and an entry without a value is none."""
    counts = {name: count_items(extracted.get(name)) for name in task.expected_by_field}
    return [
        f"{name} has {counts[name]} of {expected} items"
        for name, expected in task.expected_by_field.items()
        if counts[name] < expected
    ]


def count_items(value: Any) -> int:
    return sum(map(_has_value, value)) if isinstance(value, list) else 0


def _has_value(item: Any) -> bool:
    if isinstance(item, Mapping):
        return any(map(_has_value, item.values()))
    if isinstance(item, list):
        return any(map(_has_value, item))
    return item is not None and item != ""


def split_judgment(
    extracted: Mapping[str, Any], fields: Container[str]
) -> tuple[dict[str, Any], Any]:
    """The values, and the judgment that a model gave among them, under its own name. Where the
    task has a field of that name, it is a value, and the judgment comes as a parameter alone."""
    if JUDGMENT in fields or JUDGMENT not in extracted:
        return dict(extracted), None
    return {k: v for k, v in extracted.items() if k != JUDGMENT}, extracted[JUDGMENT]
