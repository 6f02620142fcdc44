"""One value of a page as the type that the schema wants, if it can mean only one thing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from pytest_bwa.policy.rules.addresses import is_part_of
from pytest_bwa.policy.rules.refusals import currency_clash, reference, refusal, stand_in
from pytest_bwa.spec.coercion import coerce, is_null
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.spec.notation.locales import date_mark, day_comes_first, number_marks
from pytest_bwa.spec.notation.numbers import decimal_marks_in
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import RECORD_KINDS, LabelledValue, Observation
from pytest_bwa.text import label_key

READ_KINDS = frozenset({"definition", "table", "text", "input", "pair", "count", "heading"})
"""Of the labelled values from which fields are read."""
_REST = re.compile(r"[(+]+\s?\d")  # "+2", "(+2)": how many more entries a list has
_NUMERIC_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})([/.-])\d{4}\b")
_MOMENT = re.compile(r".*\d\d:\d\d.*Z")  # whose day differs from place to place
# Many sites say so in whatever language they are written: templates come with it.
_TEMPLATE_LANGUAGES = frozenset({"en", "en-us"})
# The days from which spreadsheets, databases and Unix count, and the last ones that are written.
_NO_DAY = re.compile(r"(?:1900|1970)-01-01|1899-12-3[01]|2[0-2]99-12-31|9999-\d\d-\d\d")
_CHOICES = frozenset({"enum", "const", "pattern"})
_UNSURE_MARK = re.compile(r"\D*\d{1,3}([.,])\d{3}\D*")


class NoAnswer(ValueError):
    """The page does not answer a field; the message says why."""


class TypedValues:
    """The values of one page."""

    def __init__(self, task: TaskSpec, page: Observation) -> None:
        self._task, self._page = task, page
        self._schema = OutputSchema(task.output_schema)

    def of(self, name: str, value: LabelledValue) -> Any:
        """The value of a field. Raises NoAnswer or Uncertain."""
        form, kinds = self._task.output_schema[name], self._schema.kinds(name)
        if why := refusal(value):
            raise NoAnswer(why)
        others = (field for field in self._task.output_schema if field != name)
        if label_key(value.value) in keys_of(self._task, others):
            raise NoAnswer(f"“{value.value[:60]}” is what another field is called")
        if isinstance(form, Mapping) and form.get("format") in ("uri", "url", "iri"):
            return _address(value)
        clash = currency_clash(name, value) if _is_countable(kinds) else self._reference(value)
        if why := clash or self._stand_in(name, value) or self._explained(value.value):
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

    def _reference(self, value: LabelledValue) -> str:
        return reference(value, (v for v in self._page.labelled if v.kind in RECORD_KINDS))

    def _stand_in(self, name: str, value: LabelledValue) -> str:
        """Why a text may only say that the value is missing; empty for a field that is never null,
        or of which the schema says what texts it may have."""
        form, kinds = self._task.output_schema[name], self._schema.kinds(name)
        is_chosen = isinstance(form, Mapping) and not _CHOICES.isdisjoint(form)
        may_be_missing = not kinds or ("null" in kinds and kinds & {"string", "array"})
        if is_chosen or value.items or not may_be_missing or is_null(value.value, kinds):
            return ""
        if beside := self._wordings.get(label_key(value.value)):
            return f"the page says “{value.value[:60]}” under “{beside}”, too, which is no text"
        others = (v.value for v in self._page.labelled if v.value != value.value)
        return stand_in(value, others)

    def _explained(self, text: str) -> str:
        """Where the page has a legend for a value, as in "31.12.9999 = no date": it stands for
        something else, and may be no value."""
        meaning = re.compile(rf"(?<![\w.]){re.escape(text)}\s*=\s*(\S.*)")
        found = filter(None, (meaning.search(e.name) for e in self._page.all_elements))
        return next(
            (f"the page says that “{text[:60]}” stands for “{m[1][:60]}”" for m in found), ""
        )

    @cached_property
    def _wordings(self) -> Mapping[str, str]:
        """What the page says in words where the schema wants a date or a number, with the label."""
        fields = (n for n in self._task.output_schema if _is_countable(self._schema.kinds(n)))
        keys = keys_of(self._task, fields)
        return {
            label_key(v.value): v.label for v in self._page.labelled
            if v.kind in READ_KINDS and label_key(v.label) in keys
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
    if "array" in kinds:
        _check_whole(lines, value)
    if value.items and "array" in kinds:
        return [coerce(item, frozenset({"string"})) for item in value.items]
    if len(value.items) > 1 and "\n" in value.value:
        raise NoAnswer(f"the page lists {len(value.items)} values")
    if "date" in kinds and _MOMENT.fullmatch(value.datetime or ""):
        coerce(value.value, kinds, locale=locale)  # the text alone must say which day it is
    read = coerce(value.value, kinds, locale=locale, machine_time=value.datetime)
    if "date" in kinds and isinstance(read, str) and _NO_DAY.fullmatch(read):
        raise NoAnswer(f"“{value.value[:60]}” is a day that systems write where there is none")
    if isinstance(read, list):
        _check_whole(read, value)
    return read


def _check_whole(entries: Sequence[str], value: LabelledValue) -> None:
    """Raises NoAnswer if a list may have more entries than it shows."""
    if len(entries) > 1 and _says_how_many_more(entries):
        raise NoAnswer(f"the page lists more than it shows: “{value.value[-40:]}”")


def _says_how_many_more(lines: Sequence[str]) -> bool:
    """Whether an entry may be the rest of a list: "+2", or the last one, if it is the only one with
    a number, or begins with a small letter and alone ends as an abbreviation does ("et al.")."""
    *others, last = lines
    numbered = [bool(re.search(r"\d", line)) for line in lines]
    is_short = (
        last.endswith(".") and last[:1].islower() and not any(o.endswith(".") for o in others)
    )
    return any(map(_REST.match, lines)) or (numbered[-1] and not any(numbered[:-1])) or is_short
