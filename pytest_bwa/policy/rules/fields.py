"""Which of a page's labelled values answer which fields: one certain value, or none and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from pytest_bwa.policy.rules.page_parts import other_sections, title_of, values_beside
from pytest_bwa.policy.rules.refusals import refusal, stands_outside, stands_under
from pytest_bwa.policy.rules.subject import RECORD_KINDS, Subject, has_name
from pytest_bwa.policy.rules.subject_matching import (
    names_its_subject,
    own_values,
    values_in_sections,
)
from pytest_bwa.policy.rules.typed_values import READ_KINDS, NoAnswer, TypedValues
from pytest_bwa.policy.rules.unread import Unread
from pytest_bwa.spec.coercion import Uncertain
from pytest_bwa.spec.field_labels import FieldLabel, keys_of, labels_of, nearest
from pytest_bwa.spec.notation.record_names import tells_its_kind
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import LabelledValue, Observation
from pytest_bwa.text import has_words, label_key

_RECORD = RECORD_KINDS - {"text"}
_LINES = ("text", "count")
_NOT_FOUND = "not found"
_NEAR = "not found; the page has"
_SUBJECT_WORDS = 3  # at least
_SECTIONS = 3  # of one label, that a reason names


@dataclass(frozen=True, slots=True)
class Reading:
    """``values`` has only what was seen; a null in it is a page that says that there is nothing.
    ``open`` says of every other field why it has no value."""

    values: dict[str, Any] = field(default_factory=dict)
    open: Mapping[str, str] = field(default_factory=dict)
    links: Sequence[LabelledValue] = ()
    """Values with an address, which a field's own page may stand behind."""


def read(task: TaskSpec, subject: Subject, page: Observation) -> Reading:
    """Every field of output_schema that this page answers."""
    record = _Record(task, subject, page)
    values: dict[str, Any] = {}
    open_fields: dict[str, str] = {}
    links: list[LabelledValue] = []
    for name in task.output_schema:
        found = record.values_of(name)
        links += [v for v in found if v.url and not refusal(v)]
        try:
            values[name] = record.answer(name, found)
        except NoAnswer as why:
            open_fields[name] = str(why)
        except Uncertain as why:
            open_fields[name] = why.of_page
    if values and not names_its_subject(subject, page, by_title=len(values) > 1):
        open_fields |= dict.fromkeys(values, "nothing on the page names the sample")
        values = {}
    return Reading(values, open_fields, links)


class _Record:
    """What a page says of the sample."""

    def __init__(self, task: TaskSpec, subject: Subject, page: Observation) -> None:
        self._task, self._subject, self._page = task, subject, page
        self._schema, self._title = OutputSchema(task.output_schema), title_of(page)
        self._own = [v for v in own_values(subject, page) if v.kind in READ_KINDS]
        self._in_sections = self._below(self._named_sections())
        self._beside = values_beside(page)
        self._typed = TypedValues(task, page)
        self._unread = Unread(page, subject.names, task.confirmation or "")
        outside = [v for v in self._own if v.kind in RECORD_KINDS and not v.place.record]
        self._is_outside_rows = bool(outside)
        self._numbers = list(filter(tells_its_kind, subject.names))
        first = [v for v in self._own if v.kind in _RECORD][:1]
        begins = [v.place for v in first if v.value in self._numbers and not v.place.record]
        self._named_above = frozenset(h for place in begins for h in place.headings)
        """The headings of the first value, if that is the sample's number: it is their record's."""

    def _named_sections(self) -> frozenset[str]:
        """The keys of the headings that the task's aliases name."""
        fields = self._task.output_schema
        labels = (label for name in fields for label in labels_of(self._task, name))
        return frozenset(label.section for label in labels) - {""}

    def _below(self, sections: Set[str]) -> list[LabelledValue]:
        found = values_in_sections(self._subject, self._page, sections) if sections else []
        return [v for v in found if v.kind in READ_KINDS]

    def values_of(self, name: str) -> list[LabelledValue]:
        """The values under one of the field's labels, in no section but the page's own and those
        that an alias names."""
        labels = labels_of(self._task, name)
        named = [label for label in labels if label.section]
        inside = [
            v for v in self._in_sections if self._is_labelled(v, named) and v not in self._own
        ]
        return [*self._answering(name, self._own), *inside]

    def _answering(self, name: str, values: Iterable[LabelledValue]) -> list[LabelledValue]:
        """A heading above a row or card does not say whose it is, but may give a number's unit, and
        one inside of it does; beside a record of its own, a row that names the sample may be about
        something else of it, such as a payment."""
        labels = labels_of(self._task, name)
        keys = {label.key for label in labels} - {""}
        is_number = bool(self._schema.kinds(name) & {"number", "integer"})

        def is_own(value: LabelledValue) -> bool:
            if value.place.record and not is_number and not self._is_outside_rows:
                value = self._inside_record(value)
            others = other_sections(self._subject, value, self._title)
            return {label_key(h) for h in others if not self._is_subject_line(h)} <= keys

        plain = [label for label in labels if not label.section]
        named = [label for label in labels if label.section]
        return [
            v for v in values
            if (self._is_labelled(v, plain) and is_own(v)) or self._is_labelled(v, named)
        ]  # fmt: skip

    def _inside_record(self, value: LabelledValue) -> LabelledValue:
        """The value with those of its headings that stand inside of its row or card: below the one
        that it is called by, or below those that all of it has."""
        place = value.place
        beside = [v.place.headings for v in self._page.labelled if v.place.record == place.record]
        levels = takewhile(lambda level: len(set(level)) == 1, zip(*beside, strict=False))
        above = len(list(levels))
        if place.record_name in place.headings:
            above = place.headings.index(place.record_name) + 1
        return replace(value, place=replace(place, headings=place.headings[above:]))

    def _is_labelled(self, value: LabelledValue, labels: Sequence[FieldLabel]) -> bool:
        headings = {"", *map(label_key, value.place.headings)}
        return any(label.section in headings and label.fits(value.label) for label in labels)

    def _is_subject_line(self, heading: str) -> bool:
        """Whether the title of the window has a heading beside the sample's name, as it does for
        what a ticket is about ("Bug #7: Slow search"), and whether all of the record stands below
        it, which a tab does not, whatever the window says. A short one may be a part of every
        page, unless the sample's name is in it ("Bug #7"). On a page without a title, the line
        above all of it may name the sample itself: "Booking reference QX7LMD"."""
        if heading in self._named_above:
            return True
        record = [v.place.headings for v in self._own if v.kind in _RECORD]
        title, names = self._page.title, self._subject.names
        is_long = len(label_key(heading).split("_")) >= _SUBJECT_WORDS
        is_long |= any(has_name(heading, name) for name in names)
        is_named = any(has_name(title, name) for name in names)
        is_above = all(heading in headings for headings in record)
        if is_above and not self._title and any(has_name(heading, n) for n in self._numbers):
            return True
        return is_long and has_words(title, heading) and is_named and is_above

    def answer(self, name: str, found: Sequence[LabelledValue]) -> Any:
        """The value that all places of the page agree on. Raises NoAnswer or Uncertain."""
        if not found:
            raise NoAnswer(self._absence(labels_of(self._task, name)))
        if all(v.kind in _LINES for v in found) and not self._is_panel():
            raise NoAnswer(f"only a line of the text says “{found[0].value[:60]}”")
        values: list[Any] = []
        for value in (*found, *self._answering(name, self._beside)):
            if (one := self._typed.of(name, value)) not in values:
                values.append(one)
            if why := self._unread.beside(value):
                raise NoAnswer(why)
        if len(values) > 1:
            raise NoAnswer("the page has different values: " + ", ".join(map(repr, values[:3])))
        return values[0]

    def _absence(self, labels: Sequence[FieldLabel]) -> str:
        keys = {label.key for label in labels}
        is_labelled = (v for v in self._page.labelled if label_key(v.label) in keys)
        elsewhere = [v for v in is_labelled if v.kind in READ_KINDS]
        own = [v for v in elsewhere if v in self._own]
        if own and (sections := self._sections_of(own, keys)):
            return f"{_NOT_FOUND}; {stands_under(elsewhere[0].label, sections)}"
        if elsewhere:
            sections = self._sections_of(elsewhere, keys)
            opened = self._below({label_key(section) for section in sections})
            found = [v for v in opened if label_key(v.label) in keys]
            is_form = all(v.kind == "input" for v in elsewhere)
            why = stands_outside(elsewhere[0].label, self._sections_of(found, keys), is_form)
            return f"{_NOT_FOUND}; {why}"
        near = ", ".join(f"“{label}”" for label in nearest(labels, [v.label for v in self._own]))
        return f"{_NEAR} {near}" if near else _NOT_FOUND

    def _sections_of(self, values: Sequence[LabelledValue], keys: Collection[str]) -> Sequence[str]:
        """The sections in which values of one label stand, apart from one that the label names."""
        named = [[h for h in v.place.headings if label_key(h) not in keys] for v in values]
        last = dict.fromkeys(headings[-1] for headings in named if headings)
        return [heading for heading in last if heading != self._title][:_SECTIONS]

    def _is_panel(self) -> bool:
        """Whether the record is made of lines ("Label: value"), which else anybody may have
        written: no other place has labels, not as headings either."""
        kinds = [v.kind for v in self._own]
        keys = keys_of(self._task, self._task.output_schema)
        headings = (v.value for v in self._page.labelled if v.kind == "heading")
        if _RECORD & set(kinds) or keys & set(map(label_key, headings)):
            return False
        return sum(kind in _LINES for kind in kinds) > 1


def is_vague(why: str) -> bool:
    """Whether the reason of a field only says that no place of a page has its label."""
    return why == _NOT_FOUND or why.startswith(_NEAR)
