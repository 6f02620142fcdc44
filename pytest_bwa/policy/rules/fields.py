"""Which of a page's labelled values answer which fields, and what speaks against each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from pytest_bwa.policy.rules.own_record import Found, OwnRecord
from pytest_bwa.policy.rules.readings import Doubts, NoAnswer, Readings
from pytest_bwa.policy.rules.subject import Subject
from pytest_bwa.policy.rules.unread import Unread
from pytest_bwa.spec.field_labels import labels_of, nearest
from pytest_bwa.spec.messages import quote_value
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt, said_once
from pytest_bwa.steps.step import LabelledValue, Observation, source_of

_VAGUE = frozenset({Doubt.NOT_FOUND, Doubt.OTHER_LABELS})
_SECTIONS = 3  # of one label, that a reason names
_QUOTED = 60  # characters


@dataclass(slots=True)
class Answer:
    """The value of one field, where it stands, and what speaks against it."""

    value: Any
    labelled: LabelledValue | None = None
    """What it was read from, on this page."""
    source: Any = None
    doubts: Doubts = field(default_factory=dict)

    @property
    def label(self) -> str:
        return self.labelled.label if self.labelled else ""


@dataclass(frozen=True, slots=True)
class Reading:
    """``answers`` has only what was seen; a null in it is a page that says that there is nothing.
    ``open`` says of every other field why it has no value."""

    answers: Mapping[str, Answer] = field(default_factory=dict)
    open: Mapping[str, str] = field(default_factory=dict)
    vague: Set[str] = frozenset()
    """Those of which it only says that no place of the page has the label."""
    links: Sequence[LabelledValue] = ()
    """Values with an address, which a field's own page may stand behind."""

    @property
    def values(self) -> dict[str, Any]:
        return {name: answer.value for name, answer in self.answers.items()}

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing or doubted."""
        return not self.open and not any(a.doubts for a in self.answers.values())


def read(task: TaskSpec, subject: Subject, page: Observation) -> Reading:
    """Every field of output_schema that this page answers."""
    sections = {label.section for name in task.output_schema for label in labels_of(task, name)}
    record, readings = OwnRecord(subject, page, sections), Readings(task, page)
    unread = Unread(page, subject.names, task.confirmation or "")
    answers: dict[str, Answer] = {}
    absences: dict[str, NoAnswer] = {}
    links: list[LabelledValue] = []
    for name in task.output_schema:
        found = record.find(labels_of(task, name))
        links += [one.value for one in found if one.value.url]
        try:
            answers[name] = _answer(name, found, readings, unread)
        except NoAnswer as why:
            absences[name] = why if found else _absence(task, name, record)
    vague = {name for name, absence in absences.items() if absence.why in _VAGUE}
    return Reading(answers, {n: str(absence) for n, absence in absences.items()}, vague, links)


def _answer(name: str, found: Sequence[Found], readings: Readings, unread: Unread) -> Answer:
    """The first value that nothing speaks against, or the first at all; another one is named.
    Raises NoAnswer."""
    answers, why_not = list[Answer](), NoAnswer(Doubt.NOT_FOUND)
    for one in found:
        try:
            value, doubts = readings.of(name, one.value)
        except NoAnswer as why:
            why_not = why
            continue
        doubts |= one.against
        if value is not None and not any(doubt.sort is Doubt.UNREAD for doubt in doubts):
            doubts |= unread.beside(one.value)
        answers.append(Answer(value, one.value, _source(value, one.value), doubts))
    if not answers:
        raise why_not
    chosen = min(answers, key=lambda a: (a.value is None, bool(a.doubts)))
    others = (a for a in answers if a.value != chosen.value)
    if other := next(others, None):
        text = "—" if other.value is None else other.value
        chosen.doubts[Doubt.OTHER_VALUE] = f"{other.label} | {text}"
    return chosen


def _source(value: Any, labelled: LabelledValue) -> Any:
    """Where the value stands; for a list, where each of its entries does."""
    source = source_of(labelled)
    return [source] * len(value) if isinstance(value, list) and source is not None else source


# -- what is missing -----------------------------------------------------------------------------


def _absence(task: TaskSpec, name: str, record: OwnRecord) -> NoAnswer:
    """What the page has instead of a label: the label elsewhere, or labels that are alike."""
    labels = labels_of(task, name)
    if elsewhere := record.elsewhere(labels):
        is_asked = all(v.kind == "input" for v in elsewhere)
        paths = "” and “".join(_paths(elsewhere))
        return NoAnswer(Doubt.ONLY_ASKED if is_asked else Doubt.ELSEWHERE, paths)
    if record.is_mentioned(labels):
        return NoAnswer(Doubt.WITHOUT_VALUE)
    near = ", ".join(f"“{text}”" for text in nearest(labels, [v.label for v in record.values]))
    return NoAnswer(Doubt.OTHER_LABELS, near) if near else NoAnswer(Doubt.NOT_FOUND)


def _paths(elsewhere: Sequence[LabelledValue]) -> list[str]:
    """The labels as aliases name them, below their headings."""
    label = elsewhere[0].label
    named = [[h for h in v.place.headings if h != label] for v in elsewhere]
    sections = dict.fromkeys(headings[-1] for headings in named if headings)
    return [f"{section} > {label}" for section in sections][:_SECTIONS] or [label]


def against(kept: Mapping[str, Answer]) -> list[str]:
    """What speaks against values, for a person."""
    return said_once(
        (f"{name} ({quote_value(answer.value)})", doubt, detail)
        for name, answer in kept.items()
        for doubt, detail in answer.doubts.items()
    )
