"""Which of a page's labelled values answer which fields: one certain value, or none and why."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pytest_bwa.policy.rules.addresses import is_part_of
from pytest_bwa.policy.rules.page_parts import other_sections, title_of
from pytest_bwa.policy.rules.refusals import currency_clash, refusal, stand_in
from pytest_bwa.policy.rules.subject import RECORD_KINDS, Subject, has_name
from pytest_bwa.policy.rules.subject_matching import names_its_subject, own_values, values_beside
from pytest_bwa.spec.coercion import Uncertain, coerce
from pytest_bwa.spec.field_labels import FieldLabel, keys_of, labels_of, nearest
from pytest_bwa.spec.notation.locales import date_mark, day_comes_first, number_marks
from pytest_bwa.spec.notation.numbers import decimal_marks_in
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import LabelledValue, Observation
from pytest_bwa.text import has_words, label_key

_READ_KINDS = frozenset({"definition", "table", "text", "input", "pair", "count", "heading"})
_RECORD = RECORD_KINDS - {"text"}
_LINES = ("text", "count")
_NOT_FOUND = "not found"
_NEAR = "not found; the page has"
_SUBJECT_WORDS = 3  # at least
_SECTIONS = 3  # of one label, that a reason names
_REST = re.compile(r"[(+]+\s?\d")  # "+2", "(+2)": how many more entries a list has
_NUMERIC_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})([/.-])\d{4}\b")
_MOMENT = re.compile(r".*\d\d:\d\d.*Z")  # whose day differs from place to place
# Many sites say so in whatever language they are written: templates come with it.
_TEMPLATE_LANGUAGES = frozenset({"en", "en-us"})
_CHOICES = frozenset({"enum", "const", "pattern"})
_UNSURE_MARK = re.compile(r"\D*\d{1,3}([.,])\d{3}\D*")


class NoAnswer(ValueError):
    """The page does not answer a field; the message says why."""


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
        self._own = [v for v in own_values(subject, page) if v.kind in _READ_KINDS]
        self._beside = values_beside(page)
        outside = [v for v in self._own if v.kind in RECORD_KINDS and not v.place.record]
        self._is_outside_rows = bool(outside)

    def values_of(
        self, name: str, values: Sequence[LabelledValue] | None = None
    ) -> list[LabelledValue]:
        """The values under one of the field's labels, in no section but the page's own and those
        that an alias names. A heading above a row does not say whose it is, but may give a
        number's unit; beside a record of its own, a row that names the sample may be about
        something else of it, such as a payment."""
        labels = labels_of(self._task, name)
        keys = {label.key for label in labels}
        is_number = bool(self._schema.kinds(name) & {"number", "integer"})

        def is_own(value: LabelledValue, label: FieldLabel) -> bool:
            if label.section:
                return label.section in map(label_key, value.place.headings)
            if value.place.record and not is_number and not self._is_outside_rows:
                return True
            others = other_sections(self._subject, value, self._title)
            return {label_key(h) for h in others if not self._is_subject_line(h)} <= keys

        return [
            v for v in (self._own if values is None else values)
            if any(label.key == label_key(v.label) and is_own(v, label) for label in labels)
        ]  # fmt: skip

    def _is_subject_line(self, heading: str) -> bool:
        """Whether the title of the window has a heading beside the sample's name, as it does for
        what a ticket is about ("Bug #7: Slow search"), and whether all of the record stands below
        it, which a tab does not, whatever the window says. A short one may be a part of every
        page."""
        record = [v.place.headings for v in self._own if v.kind in _RECORD]
        is_long = len(label_key(heading).split("_")) >= _SUBJECT_WORDS
        title = self._page.title
        is_named = any(has_name(title, name) for name in self._subject.names)
        is_above = all(heading in headings for headings in record)
        return is_long and has_words(title, heading) and is_named and is_above

    def answer(self, name: str, found: Sequence[LabelledValue]) -> Any:
        """The value that all places of the page agree on. Raises NoAnswer or Uncertain."""
        if not found:
            raise NoAnswer(self._absence(labels_of(self._task, name)))
        if all(v.kind in _LINES for v in found) and not self._is_panel():
            raise NoAnswer(f"only a line of the text says “{found[0].value[:60]}”")
        values: list[Any] = []
        for value in (*found, *self.values_of(name, self._beside)):
            if (one := self._value(name, value)) not in values:
                values.append(one)
        if len(values) > 1:
            raise NoAnswer("the page has different values: " + ", ".join(map(repr, values[:3])))
        return values[0]

    def _absence(self, labels: Sequence[FieldLabel]) -> str:
        keys = {label.key for label in labels}
        elsewhere = [
            v for v in self._page.labelled if v.kind in _READ_KINDS and label_key(v.label) in keys
        ]
        if sections := self._sections_of([v for v in elsewhere if v in self._own], keys):
            label = elsewhere[0].label
            places = " and under ".join(f"“{section}”" for section in sections)
            aliases = " or ".join(f'"{section} > {label}"' for section in sections)
            return f"{_NOT_FOUND}; “{label}” stands under {places} (alias {aliases})"
        if elsewhere and all(v.kind == "input" for v in elsewhere):
            label = elsewhere[0].label
            return f"{_NOT_FOUND}; “{label}” is a field to fill in, beside values of the page's own"
        if elsewhere:
            return f"{_NOT_FOUND}; “{elsewhere[0].label}” stands outside of this sample's record"
        near = ", ".join(f"“{label}”" for label in nearest(labels, [v.label for v in self._own]))
        return f"{_NEAR} {near}" if near else _NOT_FOUND

    def _sections_of(self, values: Sequence[LabelledValue], keys: Collection[str]) -> Sequence[str]:
        """The sections in which values of one label stand, apart from one that the label names."""
        named = [[h for h in v.place.headings if label_key(h) not in keys] for v in values]
        return list(dict.fromkeys(headings[-1] for headings in named if headings))[:_SECTIONS]

    def _is_panel(self) -> bool:
        """Whether the record is made of lines ("Label: value"), which else anybody may have
        written: no other place has labels, not as headings either."""
        kinds = [v.kind for v in self._own]
        keys = keys_of(self._task, self._task.output_schema)
        headings = (v.value for v in self._page.labelled if v.kind == "heading")
        if _RECORD & set(kinds) or keys & set(map(label_key, headings)):
            return False
        return sum(kind in _LINES for kind in kinds) > 1

    def _value(self, name: str, value: LabelledValue) -> Any:
        form, kinds = self._task.output_schema[name], self._schema.kinds(name)
        if why := refusal(value):
            raise NoAnswer(why)
        others = (field for field in self._task.output_schema if field != name)
        if label_key(value.value) in keys_of(self._task, others):
            raise NoAnswer(f"“{value.value[:60]}” is what another field is called")
        if isinstance(form, Mapping) and form.get("format") in ("uri", "url", "iri"):
            return _address(value)
        clash = currency_clash(value) if _is_countable(kinds) else ""
        if why := clash or self._stand_in(name, value):
            raise NoAnswer(why)
        if value.url and is_part_of(value.url, self._page.url):
            raise NoAnswer(f"“{value.value[:60]}” is a link of this page that may change it")
        if locale := self._task.locale:
            return _typed(value, kinds, locale)
        language = self._language_of(value, kinds)
        unsure = _UNSURE_MARK.fullmatch(value.value.strip())
        if unsure and "string" not in kinds:
            self._check_mark(value.value, unsure[1], language)
        return _typed(value, kinds, language)

    def _stand_in(self, name: str, value: LabelledValue) -> str:
        """Why a text may only say that the value is missing; empty for a field that is never null,
        or of which the schema says what texts it may have."""
        form, kinds = self._task.output_schema[name], self._schema.kinds(name)
        is_chosen = isinstance(form, Mapping) and not _CHOICES.isdisjoint(form)
        may_be_missing = not kinds or ("null" in kinds and kinds & {"string", "array"})
        if is_chosen or value.items or not may_be_missing:
            return ""
        if beside := self._wordings.get(label_key(value.value)):
            return f"the page says “{value.value[:60]}” under “{beside}”, too, which is no text"
        others = (v.value for v in self._page.labelled if v.value != value.value)
        return stand_in(value, others)

    @cached_property
    def _wordings(self) -> Mapping[str, str]:
        """What the page says in words where the schema wants a date or a number, with the label."""
        fields = (n for n in self._task.output_schema if _is_countable(self._schema.kinds(n)))
        keys = keys_of(self._task, fields)
        return {
            label_key(v.value): v.label for v in self._page.labelled
            if v.kind in _READ_KINDS and label_key(v.label) in keys
            and not (v.datetime or re.search(r"\d", v.value))
        }  # fmt: skip

    def _check_mark(self, text: str, mark: str, language: str | None) -> None:
        """Raises NoAnswer if the language of the page does not say what a mark before three digits
        is: a template's does not, nor one that the page's other numbers contradict."""
        doubt = f"“{text}” may be a fraction or a thousand"
        if mark == "." and _is_of_a_template(language):
            raise NoAnswer(doubt)
        if (marks := number_marks(language)) is None:
            return
        for other in self._page.labelled:
            if decimal_marks_in(other.value) - {marks.decimal}:
                raise NoAnswer(
                    f"{doubt}: the page writes “{other.value[:60]}”, which is not as its language "
                    "has it"
                )

    def _language_of(self, value: LabelledValue, kinds: frozenset[str]) -> str | None:
        """The language in which a value is written; None for a date if the page's other dates do
        not bear out that language's order of day and month."""
        language = value.language or self._page.language or None
        is_day_first = day_comes_first(language) if "date" in kinds else None
        if is_day_first is None:
            return language
        dates = [date for v in self._page.labelled if (date := _NUMERIC_DATE.match(v.value))]
        own, mark = _NUMERIC_DATE.match(value.value), date_mark(language)
        is_foreign = own and own[3] != mark and any(date[3] == mark for date in dates)
        if is_foreign or any(int(date[1 + is_day_first]) > 12 for date in dates):
            return None
        is_proven = any(int(date[2 - is_day_first]) > 12 for date in dates)
        return language if is_proven or not _is_of_a_template(language) else None


def is_vague(why: str) -> bool:
    """Whether the reason of a field only says that no place of a page has its label."""
    return why == _NOT_FOUND or why.startswith(_NEAR)


def _is_countable(kinds: frozenset[str]) -> bool:
    return bool(kinds) and kinds <= {"date", "number", "integer", "null"}


def _is_of_a_template(language: str | None) -> bool:
    return (language or "").replace("_", "-").casefold() in _TEMPLATE_LANGUAGES


def _address(value: LabelledValue) -> str:
    if value.url and value.url.startswith(("http:", "https:")):
        return value.url
    if re.fullmatch(r"https?://\S+", value.value):
        return value.value
    raise NoAnswer(f"“{value.value[:60]}” is no one link")


def _typed(value: LabelledValue, kinds: frozenset[str], locale: str | None) -> Any:
    lines = value.items or value.value.split("\n")
    if "array" in kinds and len(lines) > 1 and _says_how_many_more(lines):
        raise NoAnswer(f"the page lists more than it shows: “{value.value[-40:]}”")
    if value.items and "array" in kinds:
        return [coerce(item, frozenset({"string"})) for item in value.items]
    if len(value.items) > 1 and "\n" in value.value:
        raise NoAnswer(f"the page lists {len(value.items)} values")
    if "date" in kinds and _MOMENT.fullmatch(value.datetime or ""):
        coerce(value.value, kinds, locale=locale)  # the text alone must say which day it is
    return coerce(value.value, kinds, locale=locale, machine_time=value.datetime)


def _says_how_many_more(lines: Sequence[str]) -> bool:
    """Whether an entry may be the rest of a list: "+2", or the only one with a number, the last."""
    numbered = [bool(re.search(r"\d", line)) for line in lines]
    return any(map(_REST.match, lines)) or (numbered[-1] and not any(numbered[:-1]))
