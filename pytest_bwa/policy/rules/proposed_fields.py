"""The fields that a record's pages label: each with a name, a type and the label that finds it. A
field is proposed only if ``read`` answers it on every given page, and nothing but a sentence that
stands beside it speaks against it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_bwa.facts.page import title_of
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.fields import Answer, Reading, read
from pytest_bwa.policy.rules.own_record import OwnRecord
from pytest_bwa.policy.rules.subject import Subject, subject_of
from pytest_bwa.spec.field_labels import field_label
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt, said_once
from pytest_bwa.steps.step import LabelledValue
from pytest_bwa.steps.text import label_key

KINDS = ("integer", "number", "date", "boolean", "array", "string")
"""The types that are tried, the most telling first."""
MAX_NAME = 40  # characters
_NOT_FIELDS = frozenset({"judgment", "outcome"})
"""What ``expected.<field>`` means something else by."""
NOTE = Doubt.NOTE_BESIDE
_SECTION = " > "
_LATIN = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})
# A date would lose the time of the day; a number the sign of "#418" and "+49301234567", and what
# has so many digits in a row is a number only in name.
_CLOCK = re.compile(r"\d:\d\d|\d ?[ap]\.?m\b|\b(?:noon|midnight)\b", re.I)
_CODE = re.compile(r"[#+]|.*\d{9}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ProposedField:
    """A field as a spec has it. ``texts`` are what the pages show, each text once."""

    name: str
    form: str
    alias: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotProposed:
    """A label that makes no field, and why not."""

    label: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class _Labelled:
    """What the pages show under one label: a value of each page, None where it is missing."""

    label: str
    section: str
    values: tuple[LabelledValue | None, ...]

    @property
    def first(self) -> LabelledValue:
        return next(filter(None, self.values))

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value.value for value in self.values if value))


class Proposal:
    """What the pages of one to three records propose; each turn is one page, as it was opened."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._pages = [(turn, subject_of(turn)) for turn in turns]
        self.fields: list[ProposedField] = []
        self.others: list[NotProposed] = []
        taken: set[str] = set()
        for labelled in self._labelled():
            found = self._field(labelled, taken)
            if isinstance(found, ProposedField):
                self.fields.append(found)
            else:
                self.others.append(found)
        self._keep_what_reads_together()

    # -- labels ----------------------------------------------------------------------------------

    def _labelled(self) -> Iterator[_Labelled]:
        """Each label, in the order of the pages; one that stands twice, by its sections."""
        own = [_own_values(turn, subject) for turn, subject in self._pages]
        labels = list(dict.fromkeys(value.label for page in own for value in page))
        done: list[str] = []
        for label in labels:
            if any(_is_same_label(label, other) for other in done):
                continue
            done.append(label)
            found = [[v for v in page if _is_same_label(v.label, label)] for page in own]
            if all(map(_is_one, found)):
                yield _Labelled(label, "", tuple(map(_first, found)))
            else:
                yield from self._by_section(label, found)

    def _by_section(
        self, label: str, found: Sequence[Sequence[LabelledValue]]
    ) -> Iterator[_Labelled]:
        parts: dict[str, list[list[LabelledValue]]] = {}
        for n, page in enumerate(found):
            for value in page:
                section = next(iter(self._sections(value, n)), "")
                parts.setdefault(section, [[] for _ in found])[n].append(value)
        for section, part in parts.items():
            if all(map(_is_one, part)):
                yield _Labelled(label, section, tuple(map(_first, part)))
                continue
            text = next(value.value for page in part for value in page)
            where = f" under “{section}”" if section else ""
            why = f"the label stands there several times{where}"
            self.others.append(NotProposed(label, text, why))

    def _sections(self, value: LabelledValue, page: int) -> list[str]:
        """The headings above a value that are the same for all records, the nearest first."""
        turn, subject = self._pages[page]
        title = title_of(turn.observation)
        own = [h for h in value.place.headings if h not in (title, value.label)]
        return [h for h in reversed(own) if not subject.is_named(h)]

    # -- fields ----------------------------------------------------------------------------------

    def _field(self, labelled: _Labelled, taken: set[str]) -> ProposedField | NotProposed:
        """The first type and the first alias under which every page is read without a doubt."""
        page = next(n for n, value in enumerate(labelled.values) if value)
        sections = self._sections(labelled.first, page)
        aliases = [f"{section}{_SECTION}{labelled.label}" for section in sections]
        if not labelled.section:
            aliases.insert(0, labelled.label)
        name = _name(f"{labelled.section} {labelled.label}".strip(), taken)
        why = ""
        for alias in aliases:
            for form in _forms(labelled):
                problem = self._problem(labelled, ProposedField(name, form, alias, ()))
                why = why or problem
                if not problem:
                    taken.add(name)
                    return ProposedField(name, form, alias, labelled.texts)
            why = problem
        return NotProposed(labelled.label, labelled.first.value, why)

    def _problem(self, labelled: _Labelled, field: ProposedField) -> str:
        """Why the field cannot be read in this form; empty if it can."""
        answers = list[Answer | None]()
        for (turn, subject), value in zip(self._pages, labelled.values, strict=True):
            reading = _read([field], turn, subject)
            answer = reading.answers.get(field.name)
            if problem := _against(field.name, reading, value):
                return problem
            answers.append(answer)
        values = [answer.value for answer in answers if answer]
        is_lost = field.form.startswith(("integer", "number", "date", "boolean"))
        if is_lost and all(value is None for value in values):
            return "no page has a value"
        return ""

    def _keep_what_reads_together(self) -> None:
        """Leave out fields that are read otherwise beside the others."""
        while True:
            problems = dict[str, str]()
            for turn, subject in self._pages:
                reading = _read(self.fields, turn, subject)
                for field in self.fields:
                    answer = reading.answers.get(field.name)
                    if problem := answer and _in_words(field.name, answer):
                        problems[field.name] = problem
            if not problems:
                return
            for field in [field for field in self.fields if field.name in problems]:
                self.fields.remove(field)
                self.others.append(NotProposed(field.alias, field.texts[0], problems[field.name]))

    def notes(self) -> list[str]:
        """What the pages say beside the fields, each sentence once."""
        readings = [_read(self.fields, turn, subject) for turn, subject in self._pages]
        found = {
            (name, NOTE, answer.doubts[NOTE])
            for reading in readings
            for name, answer in reading.answers.items() if NOTE in answer.doubts
        }  # fmt: skip
        return said_once(sorted(found, key=str))


def _own_values(turn: Turn, subject: Subject) -> list[LabelledValue]:
    """What is labelled as the record's own."""
    record = OwnRecord(subject, turn.observation, frozenset())
    return [v for v in record.values if v.kind != "heading"]


def _is_one(values: Sequence[LabelledValue]) -> bool:
    """Whether they are no more than one value, however often the page says it."""
    return len({value.value for value in values}) < 2


def _first(values: Sequence[LabelledValue]) -> LabelledValue | None:
    return next(iter(values), None)


def _is_same_label(label: str, other: str) -> bool:
    return field_label(label).fits(other) and field_label(other).fits(label)


def _forms(labelled: _Labelled) -> Iterator[str]:
    """The types that may be tried, with null where a page lacks the value or says that there is
    none."""
    found = [value for value in labelled.values if value]
    is_missing = len(found) < len(labelled.values)
    for kind in KINDS:
        if kind == "array" and not any(value.items for value in found):
            continue
        if kind == "date" and any(_CLOCK.search(value.value) for value in found):
            continue
        if kind in ("integer", "number") and any(_CODE.match(value.value) for value in found):
            continue
        if not is_missing:
            yield kind
        yield f"{kind} | null"


def _read(fields: Sequence[ProposedField], turn: Turn, subject: Subject) -> Reading:
    return read(task_of(fields, turn.task), subject, turn.observation)


def task_of(fields: Sequence[ProposedField], task: TaskSpec) -> TaskSpec:
    schema: dict[str, Any] = {field.name: field.form for field in fields}
    aliases = {field.name: [field.alias] for field in fields}
    return task.model_copy(update={"output_schema": schema, "aliases": aliases})


def _against(name: str, reading: Reading, value: LabelledValue | None) -> str:
    """Why a page's answer is not certainly what stands under the label there."""
    answer = reading.answers.get(name)
    if answer is None:
        is_as_missing = value is None and name in reading.vague
        return "" if is_as_missing else reading.open[name]
    if value is None or answer.labelled is None or answer.labelled.value != value.value:
        return "another value of the page is read for it"
    return _in_words(name, answer)


def _in_words(name: str, answer: Answer) -> str:
    """What speaks against an answer, but for a sentence beside it."""
    doubts = [(name, doubt, detail) for doubt, detail in answer.doubts.items() if doubt != NOTE]
    return "; ".join(said_once(doubts))


def _name(label: str, taken: set[str]) -> str:
    """The label in snake_case; unique."""
    key = _without_accents(label_key(label))
    if len(key) > MAX_NAME:
        key = key[:MAX_NAME].rpartition("_")[0] or key[:MAX_NAME]
    if not key or key[0].isdigit() or key in _NOT_FIELDS:
        key = f"value_{key}".rstrip("_")
    number, name = 2, key
    while name in taken:
        number, name = number + 1, f"{key}_{number}"
    return name


def _without_accents(key: str) -> str:
    """In ASCII, if all its letters are Latin; no other script is put into another."""
    parts = unicodedata.normalize("NFKD", key).translate(_LATIN)
    plain = "".join(c for c in parts if not unicodedata.combining(c))
    return plain if plain.isascii() else key
