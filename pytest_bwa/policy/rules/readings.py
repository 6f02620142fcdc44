"""What a text under a label may be as the value of a field, and what about the text speaks against
it. A text that has no reading of the wanted type is no value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_bwa.policy.rules.addresses import is_part_of
from pytest_bwa.policy.rules.own_record import READ_KINDS
from pytest_bwa.spec.coercion import Uncertain, coerce
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.spec.notation.locales import date_mark, day_comes_first, number_marks
from pytest_bwa.spec.notation.numbers import currencies_in, decimal_marks_in
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import RECORD_KINDS, LabelledValue, Observation
from pytest_bwa.text import has_words, label_key

Doubts = dict[str, str]
"""Why a value may not be true, by the codes of the shared list."""
_QUOTED = 60  # characters
# The second reading of a date or a number is that of another country.
_COUNTRIES = ("en-US", "en-GB", "de-DE")
_TEMPLATE_LANGUAGES = frozenset({"en", "en-us"})
"""Many sites say so in whatever language they are written: templates come with it."""
_NUMERIC_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})([/.-])\d{4}\b")
_UNSURE_MARK = re.compile(r"\D*\d{1,3}([.,])\d{3}\D*")
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
_REST = re.compile(r"[(+]+\s?\d|.*\bet al\.$")
_SIGN = "[\u2190-\u23ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
# A sign beside words ("Ann Lee ✓", "⊘ Available"), or that of a footnote ("Ann Lee*").
_WITH_SIGN = re.compile(rf"^{_SIGN}\ufe0f?\s+\S|\S\s+{_SIGN}\ufe0f?$|[^\W\d][*†‡]+$")
_WORDS = re.compile(r"[^\W\d_]+(?:[ '’/-][^\W\d_]+)+")
_WORDS_AT_MOST = 6  # a longer text may be somebody's description
# "n/a", "k. A.", "dto.", or a word for "not" in one of a few languages.
_NOTHING = re.compile(
    r"[^\W\d_](?:[./ ]+[^\W\d_])+\.?$|[^\W\d_]+\.$|"
    r"(?:no|not|never|non|nicht|niet|não|inte|ikke|nie|не|нет)\s|未|"
    r"(?:none|nothing|kein|keine|keiner|nichts|geen|aucun|aucune|ninguno|ninguna|nenhum|nenhuma|"
    r"nessun|nessuno|nessuna|ingen|brak)\b(?![-.’'])",
    re.I,
)
_INITIALS = re.compile(r"[A-Z]{2,4}")  # "TBD"
_PARTICLE = 3  # letters
_IS_HIDDEN = re.compile(r"seen|hidden|over it|cover", re.I)
_IS_ASIDE = re.compile(r"beside|below|say|more|button|next line|column|was changed|first of", re.I)


class NoAnswer(ValueError):
    """The page does not answer a field; the message says why."""


class Readings:
    """The values of one page."""

    def __init__(self, task: TaskSpec, page: Observation) -> None:
        self._task, self._page = task, page
        self._schema = OutputSchema(task.output_schema)

    def of(self, name: str, value: LabelledValue) -> tuple[Any, Doubts]:
        """The value of a field, and what the text itself says against it. Raises NoAnswer."""
        form, kinds = self._task.output_schema[name], self._schema.kinds(name)
        if isinstance(form, Mapping) and form.get("format") in ("uri", "url", "iri"):
            return _address(value), {}
        if not value.value:
            raise NoAnswer(value.doubt or "the page has no text there")
        read, doubts = self._typed(value, kinds)
        if read is None:
            return None, {}
        for code, why in self._doubts(name, value):
            doubts.setdefault(code, why)
        return read, doubts

    # -- types -----------------------------------------------------------------------------------

    def _typed(self, value: LabelledValue, kinds: frozenset[str]) -> tuple[Any, Doubts]:
        locale = self._task.locale or self._language_of(value, kinds)
        try:
            return _coerced(value, kinds, locale), self._mark_doubt(value, kinds)
        except Uncertain as why:
            others = list[Any]()
            for country in () if self._task.locale else _COUNTRIES:
                try:
                    other = _coerced(value, kinds, country)
                except Uncertain:
                    continue
                if other not in others:
                    others.append(other)
            if not others:
                raise NoAnswer(why.of_page) from None
            second = f", or {others[1]}" if len(others) > 1 else ""
            return others[0], {
                "two_readings": f"“{_quoted(value)}” may be read as {others[0]}{second}"
            }

    def _mark_doubt(self, value: LabelledValue, kinds: frozenset[str]) -> Doubts:
        """Whether nothing says what a mark before three digits is: the language of a template does
        not, nor one that the page's other numbers contradict."""
        unsure = _UNSURE_MARK.fullmatch(value.value.strip())
        if not unsure or self._task.locale or not kinds & {"number", "integer"}:
            return {}
        language = value.language or self._page.language
        marks, written = number_marks(language), (v.value for v in self._page.labelled)
        is_unlike = marks and any(decimal_marks_in(text) - {marks.decimal} for text in written)
        if is_unlike or (unsure[1] == "." and _is_of_a_template(language)):
            return {"two_readings": f"“{_quoted(value)}” may be a fraction or a thousand"}
        return {}

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

    # -- what speaks against a text --------------------------------------------------------------

    def _doubts(self, name: str, value: LabelledValue) -> Iterator[tuple[str, str]]:
        if value.doubt:
            yield _code_of(value.doubt), value.doubt
        if value.cut:
            yield "unread", "the page shows only the beginning of it"
        if why := self._two_readings(name, value):
            yield "two_readings", why

    def _two_readings(self, name: str, value: LabelledValue) -> str:
        text, label = value.value.strip(), value.label
        kinds = self._schema.kinds(name)
        words = [word.rpartition(".")[2] for word in text.split() if "." in word]
        others = keys_of(self._task, (field for field in self._task.output_schema if field != name))
        if _SEVERAL.search(text) or _says_how_many_more(value.items or text.split("\n")):
            return "it is not one value"
        if _WITH_SIGN.search(text):
            return "it has a sign whose meaning nothing tells"
        if label_key(text) in {label_key(label), *others}:
            return "it may be only a label"
        if value.url and (has_words(text, label) or is_part_of(value.url, self._page.url)):
            return "it is a link that may change it"
        if label_key(label) in map(label_key, words):
            return "it is the key of a text that is missing"
        if meaning := self._explained(text):
            return f"the page says that it stands for “{meaning[:_QUOTED]}”"
        if kinds and kinds <= {"date", "number", "integer", "null"}:
            return _of_number(name, value)
        return self._reference(value) or self._stand_in(name, value)

    def _explained(self, text: str) -> str:
        """What a legend of the page says that a text means, as in "31.12.9999 = no date"."""
        meaning = re.compile(rf"(?<![\w.]){re.escape(text)}\s*=\s*(\S.*)")
        return next((m[1] for e in self._page.all_elements if (m := meaning.search(e.name))), "")

    def _reference(self, value: LabelledValue) -> str:
        """Why a text may only say where the value stands, as "Same as billing address" does beside
        a "Billing address"."""
        if len(value.value.split()) > _WORDS_AT_MOST:
            return ""
        labels = (v.label for v in self._page.labelled if v.kind in RECORD_KINDS)
        longer = (label for label in labels if " " in label.strip() and label != value.label)
        named = next((label for label in longer if has_words(value.value, label)), "")
        return f"it speaks of “{named}”" if named else ""

    def _stand_in(self, name: str, value: LabelledValue) -> str:
        """Why a text may only say that a value is missing, by how it is written; empty for a field
        that is never null, or of which the schema says what texts it may have."""
        form, kinds = self._task.output_schema[name], self._schema.kinds(name)
        is_chosen = isinstance(form, Mapping) and not _CHOICES.isdisjoint(form)
        may_be_missing = not kinds or ("null" in kinds and kinds & {"string", "array"})
        if is_chosen or value.items or not may_be_missing:
            return ""
        others = [v.value for v in self._page.labelled if v.value != value.value]
        is_said = label_key(value.value) in self._wordings()
        is_nothing = is_said or _may_say_nothing(value.value.strip(), value.label, others)
        return "it may say that there is nothing" if is_nothing else ""

    def _wordings(self) -> set[str]:
        """What the page says in words where the schema wants a date or a number."""
        schema = self._task.output_schema
        fields = (n for n in schema if not {"string", "array"} & self._schema.kinds(n))
        keys = keys_of(self._task, fields)
        return {
            label_key(v.value) for v in self._page.labelled
            if v.kind in READ_KINDS and label_key(v.label) in keys
            and not (v.datetime or re.search(r"\d", v.value))
        }  # fmt: skip


def _code_of(doubt: str) -> str:
    """The code for what the reading of a page says against a text."""
    if _IS_HIDDEN.search(doubt):
        return "hidden"
    return "unread" if _IS_ASIDE.search(doubt) else "painted"


def _of_number(name: str, value: LabelledValue) -> str:
    of_name = currencies_in(name.upper().replace("_", " "))
    of_label, own = currencies_in(value.label) or of_name, currencies_in(value.value)
    if of_label and own and not of_label & own:
        return f"“{_quoted(value)}” is in another currency than its name says"
    read = value.datetime or value.value
    return "systems write that day where there is none" if _NO_DAY.match(read) else ""


def _may_say_nothing(text: str, label: str, others: Sequence[str]) -> bool:
    """In any language with capitals: an abbreviation; capitals where no other value is; a few words
    that begin with a small letter, where most texts of the page do not, or end with the label."""
    if _INITIALS.fullmatch(text):
        return not any(map(_INITIALS.fullmatch, others))
    if len(text.split()) > _WORDS_AT_MOST:
        return False
    if _NOTHING.match(text):
        return True
    if not label[:1].isupper() or not _WORDS.fullmatch(text.rstrip(".!")):
        return False
    first = text.split()[0]
    is_particle = len(first) <= _PARTICLE and text != text.lower()  # "van Dijk"
    is_small = first == first.lower() != first.upper() and not is_particle
    return text.endswith(label.lower()) or (is_small and not _begin_small(others))


def _begin_small(texts: Sequence[str]) -> bool:
    """Whether most of the texts that begin with a letter begin with a small one: some sites write
    everything so. Several small words do not count: they may stand in for values, too."""
    counts = Counter(
        text[0].islower() for text in texts
        if text[:1].upper() != text[:1].lower()
        and not (text[0].islower() and _WORDS.fullmatch(text.strip()))
    )  # fmt: skip
    return counts[True] > counts[False]


def _coerced(value: LabelledValue, kinds: frozenset[str], locale: str | None) -> Any:
    if value.items and "array" in kinds:
        return [coerce(item, frozenset({"string"})) for item in value.items]
    if len(value.items) > 1 and "\n" in value.value:
        raise Uncertain(value.value, f"has {len(value.items)} lines")
    if "date" in kinds and _MOMENT.fullmatch(value.datetime or ""):
        coerce(value.value, kinds, locale=locale)  # the text alone must say which day it is
    return coerce(value.value, kinds, locale=locale, machine_time=value.datetime)


def _says_how_many_more(entries: Sequence[str]) -> bool:
    """Whether an entry of a list may be its rest: "+2", "et al.", or the last one, if it is the
    only one with a number."""
    numbered = [bool(re.search(r"\d", line)) for line in entries]
    is_count = len(entries) > 1 and numbered[-1] and not any(numbered[:-1])
    return len(entries) > 1 and (any(map(_REST.match, entries)) or is_count)


def _is_of_a_template(language: str | None) -> bool:
    return (language or "").replace("_", "-").casefold() in _TEMPLATE_LANGUAGES


def _address(value: LabelledValue) -> str:
    if value.url and value.url.startswith(("http:", "https:")):
        return value.url
    if re.fullmatch(r"https?://\S+", value.value):
        return value.value
    raise NoAnswer(f"“{_quoted(value)}” is no one link")


def _quoted(value: LabelledValue) -> str:
    return value.value[:_QUOTED]
