"""Whether an answer can be accepted: fields, types, screenshots and judgment. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from pytest_bwa.evidence.record import Judgment
from pytest_bwa.spec.messages import quote_value
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import JUDGMENT_KEYS, TaskSpec
from pytest_bwa.steps.artifacts import is_file_name, is_picture
from pytest_bwa.steps.step import Artifact, has_label

_WORDS = {True: "yes", False: "no"}


@dataclass(frozen=True, slots=True)
class ReadJudgment:
    """A judgment, and what is wrong with it."""

    judgment: Judgment | None = None
    """Also if something is wrong with its pictures or its reasoning; None if it is no judgment."""
    problems: tuple[str, ...] = ()
    given: str = ""
    """What was given in place of a judgment, for a person to read."""


def read_judgment(task: TaskSpec, judgment: Any, artifacts: Sequence[Artifact]) -> ReadJudgment:
    """The judgment with all that is wrong with it. Where no question is asked, one that cannot be
    used is no problem."""
    if not judgment:
        missing = "the judgment is missing (answer, confidence, reasoning, evidence_refs)"
        return ReadJudgment(problems=(missing,) if task.judgment_required else ())
    is_asked = task.judgment_required or bool(task.judgment_question)
    if not isinstance(judgment, Mapping):
        problem = f"the judgment is invalid: it is not an object with {', '.join(JUDGMENT_KEYS)}"
        return _not_read((problem,), judgment, is_asked)
    keys = (*JUDGMENT_KEYS, *task.extra_judgment_keys)
    asked = {key: value for key, value in judgment.items() if key in keys}
    try:
        valid = Judgment.model_validate(_usual_form(asked))
    except ValidationError as error:
        parts = [f"{_key(e['loc'])}: {e['msg']}" for e in error.errors()]
        return _not_read((f"the judgment is invalid: {'; '.join(parts)}",), judgment, is_asked)
    names = _file_names(artifacts)
    problems = tuple(_problems(valid, names))
    known = list(dict.fromkeys(names[ref] for ref in valid.evidence_refs if ref in names))
    return ReadJudgment(
        valid.model_copy(update={"evidence_refs": known}), problems if is_asked else ()
    )


def _not_read(problems: tuple[str, ...], judgment: Any, is_asked: bool) -> ReadJudgment:
    return ReadJudgment(None, problems if is_asked else (), quote_value(judgment))


def _usual_form(judgment: Mapping[str, Any]) -> dict[str, Any]:
    """With what has one meaning in the form that it should have: an answer in other letters or as
    a boolean, and a picture that is named alone instead of in a list."""
    usual = dict(judgment)
    answer, pictures = usual.get("answer"), usual.get("evidence_refs")
    if isinstance(answer, bool):
        usual["answer"] = _WORDS[answer]
    elif isinstance(answer, str):
        usual["answer"] = answer.strip().casefold()
    if pictures is None:
        usual.pop("evidence_refs", None)
    elif isinstance(pictures, str):
        usual["evidence_refs"] = [pictures] if pictures else []
    return usual


def _key(location: Sequence[Any]) -> str:
    return ".".join(map(str, location)) or "judgment"


def _file_names(artifacts: Sequence[Artifact]) -> dict[str, str]:
    """The file name of each saved picture, by its file name and by its label: one that is taken
    together with the answer has no file name yet."""
    pictures = [artifact for artifact in artifacts if is_picture(artifact.filename)]
    own = {picture.filename: picture.filename for picture in pictures}
    return {**{label: p.filename for p in pictures for label in p.labels}, **own}


def _problems(judgment: Judgment, names: Mapping[str, str]) -> Iterator[str]:
    if unknown := [name for name in judgment.evidence_refs if name not in names]:
        yield f"the judgment names files that are not saved screenshots: {', '.join(unknown)}"
    if not judgment.evidence_refs:
        yield (
            "the judgment names no picture: put the file name of a saved screenshot that shows it "
            "into evidence_refs"
        )
    if not judgment.reasoning.strip():
        yield "the judgment gives no reason: say in reasoning what its pictures show"


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
    """``file invoice.pdf, downloaded (downloads/invoice.pdf does not count: it is empty)``."""
    if not is_file_name(label):
        return f"screenshot {label}"
    faults = [f"{a.filename} does not count: {a.fault}" for a in artifacts if a.fault]
    return f"file {label}, downloaded" + (f" ({'; '.join(faults)})" if faults else "")


def _twins(labels: Sequence[str], artifacts: Sequence[Artifact]) -> Iterator[str]:
    """The labels of which every picture is the same as the one of a label before."""
    used: dict[str, str] = {}
    for label in labels:
        own = [a for a in artifacts if has_label(a, label) and is_picture(a.filename)]
        new = next((a for a in own if a.sha256 not in used), None)
        if own and new is None:
            yield f"the picture {label} shows the same as {used[own[-1].sha256]}"
        for artifact in own:
            used.setdefault(artifact.sha256, label)


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
