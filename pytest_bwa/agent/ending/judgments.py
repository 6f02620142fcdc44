"""Reads the judgment that an answer brings, in whatever form a model gave it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from pytest_bwa.evidence.record import Judgment
from pytest_bwa.spec.messages import quote_value
from pytest_bwa.spec.task import JUDGMENT_KEYS, TaskSpec
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.step import Artifact

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
        problem = f"the judgment is invalid: it is no object with {', '.join(JUDGMENT_KEYS)}"
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
    return {**{picture.label: picture.filename for picture in pictures}, **own}


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
