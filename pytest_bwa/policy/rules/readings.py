"""What a text under a label may be as the value of a field, and what about the text speaks against
it. A text that has no reading of the wanted type is no value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any

from pytest_bwa.facts.address import is_part_of
from pytest_bwa.spec.coercion import Uncertain, coerce
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.spec.notation.locales import day_comes_first
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import LabelledValue, Observation
from pytest_bwa.steps.text import label_key

Doubts = dict[Doubt, str]
"""Why a value may not be true, each with its detail."""
_QUOTED = 60  # characters
# The second reading of a date or a number is that of another country.
_COUNTRIES = ("en-US", "en-GB", "de-DE")
_TEMPLATE_LANGUAGES = frozenset({"en", "en-us"})
"""Many sites say so in whatever language they are written: templates come with it."""
_NUMERIC_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](?:\d{4}|\d\d)\b")
_FAR = 20  # years, as where a window slides with the time for years of two digits
_MOMENT = re.compile(r".*\d\d:\d\d.*Z")  # whose day differs from place to place
# The days from which spreadsheets, databases and Unix count, and the last ones that are written.
_NO_DAY = re.compile(r"(?:1900|1970)-01-01|1899-12-3[01]|2[0-2]99-12-31|9999-\d\d-\d\d")
_CHOICES = frozenset({"enum", "const", "pattern"})
# A change ("low → high"), boxes of which one is ticked, words of which all but one are to be struck
# out, a template that was not filled in, or the rest of a list ("Ann +2").
_SEVERAL = re.compile(
    r"☐.*[☑☒]|[☑☒].*☐|→|->|=>|\S\s/\s.*\S\s/\s\S|"
    r"\{\{|\}\}|[$#]\{|\{\w+\}|\[\[|\]\]|<%|\s\+\s?\d{1,2}$",
    re.DOTALL,
)
_REST = re.compile(r"[(+]+\s?\d|.*\b(?:et al|u\. ?a|etc)\.$")
_WORDS_AT_MOST = 6  # a longer text may be somebody's description
# "n/a", "k. A.", "dto.", or a word for "not" in one of a few languages.
_NOTHING = re.compile(
    r"[a-zа-я](?:[./ ]+[a-zа-я])+\.?$|[a-zа-я]+\.$|"
    r"(?:no|not|never|non|nicht|niet|não|inte|ikke|nie|не|нет)\s|未|"
    r"(?:none|nothing|kein|keine|keiner|nichts|geen|aucun|aucune|ninguno|ninguna|nenhum|nenhuma|"
    r"nessun|nessuno|nessuna|ingen|brak)\b(?![-.’'])",
    re.I,
)
_INITIALS = re.compile(r"[A-Z]{2,4}")


class NoAnswer(ValueError):
    """The page does not answer a field; the message says why."""

    def __init__(self, why: Doubt, detail: str = "") -> None:
        super().__init__(why.in_words(detail))
        self.why = why


class Readings:
    """The values of one page."""

    def __init__(self, task: TaskSpec, page: Observation) -> None:
        self._task, self._page = task, page
        self._schema = OutputSchema(task.output_schema)

    def of(self, name: str, value: LabelledValue) -> tuple[Any, Doubts]:
        """The value of a field, and what the text itself says against it. Raises NoAnswer."""
        form = self._task.output_schema[name]
        if isinstance(form, Mapping) and form.get("format") in ("uri", "url", "iri"):
            return _address(value), {}
        if not value.value:
            if value.doubt is None and "null" in self._schema.kinds(name):
                return None, {}  # nothing at all is painted there
            raise NoAnswer(value.doubt or Doubt.NO_TEXT)
        read, doubts = self._typed(name, value)
        if read is None:
            return None, {}
        return read, {**dict.fromkeys(self._doubts(name, value, read), ""), **doubts}

    # -- types -----------------------------------------------------------------------------------

    def _typed(self, name: str, value: LabelledValue) -> tuple[Any, Doubts]:
        kinds, allows = self._schema.kinds(name), partial(self._schema.allows, (name,))
        locale = self._task.locale or self._language_of(value, kinds)
        try:
            return _coerced(value, kinds, locale, allows), {}
        except Uncertain as why:
            others = list(why.readings) if "date" in kinds else self._of_countries(value, kinds)
            if not others and ("string" in kinds or not kinds):
                return value.value, {Doubt.UNCLEAR: why.why}
            if not others and "null" in kinds and _says_none_of(value):
                return None, {}
            if not others:
                raise NoAnswer(Doubt.UNREADABLE, f"“{_quoted(value)}”, which {why.why}") from None
            first, *rest = sorted(others, key=_is_less_likely)
            return first, {Doubt.TWO_READINGS: " or ".join(map(str, rest))}

    def _of_countries(self, value: LabelledValue, kinds: frozenset[str]) -> list[Any]:
        """What a text is in some countries that write numbers differently."""
        found = list[Any]()
        for country in () if self._task.locale else _COUNTRIES:
            with suppress(Uncertain):
                if (other := _coerced(value, kinds, country)) not in found:
                    found.append(other)
        return found

    def _language_of(self, value: LabelledValue, kinds: frozenset[str]) -> str | None:
        """The language in which a value is written; None for a date if the page's other dates do
        not bear out that language's order of day and month."""
        language = value.language or self._page.language or None
        is_day_first = day_comes_first(language) if "date" in kinds else None
        if is_day_first is None:
            return language
        dates = [*filter(None, (_NUMERIC_DATE.match(v.value) for v in self._page.labelled))]
        if any(int(found[1 + is_day_first]) > 12 for found in dates):
            return None
        is_proven = any(int(found[2 - is_day_first]) > 12 for found in dates)
        return language if is_proven or not _is_of_a_template(language) else None

    # -- what speaks against a text --------------------------------------------------------------

    def _doubts(self, name: str, value: LabelledValue, read: Any) -> Iterator[Doubt]:
        if value.doubt:
            yield value.doubt
        if value.cut:
            yield Doubt.CUT
        entries = read if isinstance(read, list) else value.items or value.value.split("\n")
        if len(entries) > 1 and any(map(_REST.match, entries)):
            yield Doubt.GOES_ON
        if "date" in self._schema.kinds(name) and _NO_DAY.fullmatch(str(read)):
            yield Doubt.EMPTY_DATE
        if doubt := self._other_meaning(name, value):
            yield doubt

    def _other_meaning(self, name: str, value: LabelledValue) -> Doubt | None:
        text = value.value.strip()
        others = keys_of(self._task, (field for field in self._task.output_schema if field != name))
        if _SEVERAL.search(text):
            return Doubt.SEVERAL_VALUES
        if label_key(text) in {label_key(value.label), *others}:
            return Doubt.ONLY_LABEL
        if value.url and is_part_of(value.url, self._page.url):
            return Doubt.CHANGING_LINK
        return Doubt.SAYS_NOTHING if self._is_stand_in(name, value) else None

    def _is_stand_in(self, name: str, value: LabelledValue) -> bool:
        """Whether a text may only say that a value is missing, by how it is written; never for a
        field that is never null, or of which the schema says what texts it may have."""
        form, kinds = self._task.output_schema[name], self._schema.kinds(name)
        is_chosen = isinstance(form, Mapping) and not _CHOICES.isdisjoint(form)
        may_be_missing = not kinds or ("null" in kinds and kinds & {"string", "array"})
        if is_chosen or value.items or not may_be_missing:
            return False
        others = [v.value for v in self._page.labelled if v.value != value.value]
        return _may_say_nothing(value.value.strip(), value.label, others)


def _may_say_nothing(text: str, label: str, others: Sequence[str]) -> bool:
    """An abbreviation; capitals where no other value is ("TBD"); a few words that begin with one
    for "not", or that end with the label ("Could not load owner")."""
    if _INITIALS.fullmatch(text):
        return not any(map(_INITIALS.fullmatch, others))
    words = text.rstrip(".!").split()
    if len(words) > _WORDS_AT_MOST:
        return False
    ends_with_label = label[:1].isupper() and " ".join(words).endswith(f" {label.lower()}")
    return ends_with_label or _NOTHING.match(text) is not None


def _says_none_of(value: LabelledValue) -> bool:
    """Whether a text is one word and its own label: “No due date” under “Due date”."""
    before, label, after = f"_{label_key(value.value)}".rpartition(f"_{label_key(value.label)}")
    return bool(label) and not after and before.count("_") <= 1


def _coerced(
    value: LabelledValue,
    kinds: frozenset[str],
    locale: str | None,
    allows: Callable[[Any], bool] | None = None,
) -> Any:
    if value.items and "array" in kinds:
        return [coerce(item, frozenset({"string"})) for item in value.items]
    if len(value.items) > 1 and "\n" in value.value:
        raise Uncertain(value.value, f"has {len(value.items)} lines")
    if "date" in kinds and _MOMENT.fullmatch(value.datetime or ""):
        # The text alone must say which day it is.
        coerce(value.value, kinds, locale=locale, allows=allows)
    return coerce(value.value, kinds, locale=locale, machine_time=value.datetime, allows=allows)


def _is_less_likely(reading: Any) -> tuple[bool, int]:
    """Of the years that a day may have, the newest goes first that is not far in the future."""
    year = int(reading[:4]) if isinstance(reading, str) else 0
    return year > date.today().year + _FAR, -year


def _is_of_a_template(language: str | None) -> bool:
    return (language or "").replace("_", "-").casefold() in _TEMPLATE_LANGUAGES


def _address(value: LabelledValue) -> str:
    if value.url and value.url.startswith(("http:", "https:")):
        return value.url
    if re.fullmatch(r"https?://\S+", value.value):
        return value.value
    raise NoAnswer(Doubt.NO_LINK, _quoted(value))


def _quoted(value: LabelledValue) -> str:
    return value.value[:_QUOTED]
