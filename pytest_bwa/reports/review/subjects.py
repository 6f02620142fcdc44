"""What there is to review in a result, and what a person types instead of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import STATUSES, Judgment, SampleResult
from pytest_bwa.evidence.reviews import Key, Review, Subject, Verdict
from pytest_bwa.reports.handover.values import seen_values, value_text
from pytest_bwa.spec.coercion import Uncertain, coerce
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import utc_now

_EXAMPLES = {"date": "2026-11-29", "integer": "1325", "number": "1325.5"}
ANSWERS: tuple[str, ...] = get_args(Judgment.model_fields["answer"].annotation)


@dataclass(frozen=True, slots=True)
class ReviewSubject:
    """One thing that a person accepts, corrects or rejects."""

    kind: Subject
    field: str
    value: Any
    how: str = ""
    """How the value was seen, or why the judgment was made, in words."""
    grounding: Grounding | None = None

    @property
    def name(self) -> str:
        """The subject for people."""
        return self.field if self.kind == "value" else f"{self.kind} ({self.field})"

    @property
    def text(self) -> str:
        return value_text(self.value)

    @property
    def key(self) -> Key:
        return self.kind, self.field

    def decided(
        self,
        sample_id: str,
        digest: str,
        reviewer: str,
        decision: Verdict,
        corrected: Any = None,
        comment: str = "",
    ) -> Review:
        """What somebody decides now of the result that has this digest."""
        return Review(
            reviewer=reviewer,
            time=utc_now(),
            sample_id=sample_id,
            subject=self.kind,
            field=self.field,
            decision=decision,
            value=self.value,
            corrected=corrected,
            comment=comment,
            result_sha256=digest,
        )


def subjects_of(result: SampleResult) -> Iterator[ReviewSubject]:
    """All of a result: how it ended, every plain value of its answer, and its judgment."""
    yield ReviewSubject("sample", "status", result.status, result.reason)
    for value in seen_values(result.extracted, result.grounding):
        how = " ".join(filter(None, (value.how, value.found_by)))
        yield ReviewSubject("value", value.field, value.value, how, value.grounding)
    if result.judgment is not None:
        judgment = result.judgment
        yield ReviewSubject("judgment", "answer", judgment.answer, judgment.reasoning)


def corrected_value(text: str, subject: ReviewSubject, result: SampleResult, task: TaskSpec) -> Any:
    """The value that was typed; None for an empty text. Raises InputError if the spec does not
    allow it there, or if it is the value that is there already."""
    if subject.kind != "value":
        return _one_of(text, ANSWERS if subject.kind == "judgment" else STATUSES, subject)
    problem = ""
    for value in _readings(text, subject, task):
        if value == subject.value and type(value) is type(subject.value):
            raise InputError("this is the value it has: accept it instead")
        problem = _problem(value, subject, result, task)
        if not problem:
            return value
    raise InputError(problem)


def _one_of(text: str, words: tuple[str, ...], subject: ReviewSubject) -> str:
    if text not in words or text == subject.value:
        others = ", ".join(word for word in words if word != subject.value)
        raise InputError(f"{subject.name} can be corrected to: {others}")
    return text


def _readings(text: str, subject: ReviewSubject, task: TaskSpec) -> list[Any]:
    """What a text may mean, the likelier one first: what it is as the page would write a number or
    a date, itself, or what it is as JSON. Raises InputError for a number or a date that could be
    two."""
    before = subject.value
    if not text:
        return [None]
    kinds = OutputSchema(task.output_schema).kinds(subject.field)
    if kinds & {"date", "integer", "number"}:
        try:
            return [coerce(text, kinds, locale=task.locale)]
        except Uncertain as problem:
            example = _EXAMPLES[min(kinds & _EXAMPLES.keys())]
            raise InputError(f"{problem}: write it as {example}") from None
    try:
        parsed = json.loads(text, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        return [text]
    return [text, parsed] if before is None or isinstance(before, str) else [parsed, text]


def _problem(value: Any, subject: ReviewSubject, result: SampleResult, task: TaskSpec) -> str:
    """Why the spec does not allow a value there; empty if it does."""
    for name, before in result.extracted.items():
        after = replaced(name, before, subject.field, value)
        if name in task.output_schema and after != before:
            schema = OutputSchema({name: task.output_schema[name]})
            return "; ".join(schema.problems({name: after}))
    return ""


def replaced(place: str, tree: Any, field: str, value: Any) -> Any:
    """A copy of the tree with the value at one place, which is called as in ``seen_values``."""
    if place == field:
        return value
    if isinstance(tree, list):
        return [replaced(f"{place}[{n}]", item, field, value) for n, item in enumerate(tree)]
    if isinstance(tree, dict):
        return {k: replaced(f"{place}.{k}", item, field, value) for k, item in tree.items()}
    return tree
