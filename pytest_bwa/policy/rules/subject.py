"""Whose page this is, and which of its values are the sample's own.

A sample with an address of its own is at home there and nowhere else. Any other must be named,
whole and letter for letter, by the page's heading or by the record itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.addresses import answers_to, is_part_of, is_same, segments
from pytest_bwa.policy.rules.label_matching import keys_of
from pytest_bwa.spec.samples import RESERVED_COLUMNS
from pytest_bwa.steps import LabelledValue, Observation, Place
from pytest_bwa.text import label_key, whole_words

_ASIDE = frozenset(
    {"navigation", "complementary", "banner", "contentinfo", "search", "dialog", "article"}
    | {"comment"}
)
# Headings of a record's own parts. An unknown heading keeps its values out, so a word that is
# missing here costs an answer and never a wrong one.
_NEUTRAL_WORDS = """
details detail overview summary general information info basic basics properties attributes fields
specification specifications meta metadata key facts about data of the
übersicht allgemein stammdaten eigenschaften angaben informationen details
détails données aperçu résumé général informations propriétés du de la
detalles resumen información datos propiedades dettagli riepilogo informazioni dati
詳細 概要 基本情報
"""
_NEUTRAL = frozenset(_NEUTRAL_WORDS.split())
# A word that is missing here costs the kind of a failure, and never makes a wrong value: without
# the sample's name a page is nobody's (names_its_subject).
GONE = re.compile(r"\b404\b|not found|does not exist|no longer|was (?:deleted|removed)", re.I)
RECORD_KINDS = frozenset({"definition", "table", "pair", "text"})
_TITLE_MARKS = re.compile(r"\s[-–—|·•:]\s|[|·•:(\[]\s*")
LONG_NUMBER = 5
"""Digits of a number that is hardly a year or a count."""
_EDGES = " #[](){}:,.;\"'“”„«»"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a page must be to be the sample's."""

    names: tuple[str, ...]
    address: str
    """The address of its own; empty if it has none."""
    name_labels: frozenset[str] = frozenset()
    """Keys of the labels under which a record says its name."""

    def is_named(self, text: str) -> bool:
        """Whether a heading, a link or a row is called what the sample is called."""
        return any(is_called(text, name) for name in self.names)

    def says_name(self, value: LabelledValue) -> bool:
        """Whether a record says its name here."""
        is_of_record = value.kind in RECORD_KINDS and not value.doubt
        return is_of_record and label_key(value.label) in self.name_labels


def subject_of(turn: Turn) -> Subject:
    """The sample is called what ``name`` says, else the first column of input_schema, else what
    the goal mentions, else the sample_id; a sample_id with digits always counts too."""
    task, sample = turn.task, turn.sample
    columns = {**sample.plain_columns, "sample_id": sample.sample_id}
    given = {c: v.strip() for c, v in columns.items() if c not in ("url", "xfail") and v.strip()}
    mentioned = [column for column, text in given.items() if _has(task.goal, text)]
    by = next(c for c in ("name", *task.input_schema, *mentioned, "sample_id") if c in given)
    ids = [text for text in (given["sample_id"],) if any(c.isdigit() for c in text)]
    names = tuple(dict.fromkeys(name for name in (given[by], *ids) if len(name) > 1))
    opened = str(turn.history[0].params.get("url", "")) if turn.history else ""
    is_own = bool(sample.url) or any(name in segments(opened) for name in names)
    return Subject(names, opened if is_own else "", keys_of(task, ("sample_id", "name", by)))


def _has(text: str, name: str) -> bool:
    return whole_words([name]).search(text) is not None


def is_called(text: str, name: str) -> bool:
    """Whether a text is this name, or begins with it and goes on after a mark: "Ada Quist ·
    Controller", "BUG-7 Slow search", "Ticket BUG-7"; never "Ada Quistgaard"."""
    text = " ".join(text.split())
    if name in (text, text.strip(_EDGES), _TITLE_MARKS.split(text)[0].strip(_EDGES)):
        return True
    words = [word.strip(_EDGES) for word in text.split(" ")]
    if " " in name or not any(c.isdigit() for c in name) or len(words) < 2:
        return False
    return words[0] == name or (len(words) == 2 and words[1] == name and words[0].isalpha())


# -- the page -----------------------------------------------------------------------------------


def is_own_page(subject: Subject, page: Observation) -> bool:
    """Whether everything on the page that is nobody else's is the sample's. A page that asks for a
    password, or says in its heading that there is nothing, is nobody's."""
    title, here = title_of(page), page.url
    is_gone = GONE.search(title) and not subject.is_named(title)
    if is_gone or wants_password(page) or other_name(subject, page):
        return False
    is_below = is_part_of(here, subject.address) and segments(here) != segments(subject.address)
    if subject.address and (is_below or is_same(here, subject.address)):
        return True
    stated = {
        v.value
        for v in page.labelled
        if subject.says_name(v) and is_in_own_region(v.place) and not v.place.record
        and not other_sections(subject, v, title)
    }  # fmt: skip
    return any(
        stated == {name} or (is_called(title, name) and not _is_echo(page, name))
        for name in subject.names
    )


def _is_echo(page: Observation, name: str) -> bool:
    """Whether the page repeats what was searched for: in its address, or in a field."""
    fields = (e.value for e in page.elements if e.role in ("textbox", "searchbox", "combobox"))
    typed = ((value or "").strip().casefold() for value in fields)
    return answers_to(page.url, name) or name.casefold() in typed


def wants_password(page: Observation) -> bool:
    return any(state.startswith("password") for e in page.elements for state in e.states)


def names_its_subject(subject: Subject, page: Observation) -> bool:
    """Whether the heading has the sample's name in it, or the page is called by its number, or a
    line of the content is called what the sample is called, or what its address ends with. A wall,
    a notice or a soft 404 at the sample's own address has no such line, in whatever language."""
    if not (subject.address and (subject.names or subject.name_labels)):
        return True  # it has a name of its own, or its page was led to
    title, names = title_of(page), {*subject.names, *segments(subject.address)[-1:]}
    seen = [(e.place, e.name) for e in (*page.elements, *page.unlisted)]
    seen += [(v.place, v.value) for v in page.labelled if v.kind in RECORD_KINDS]
    lines = [title, *(text for place, text in seen if is_in_own_region(place))]
    keys = {label_key(name) for name in names}
    if _numbers(f"{title} {page.title}") & {number for n in names for number in _numbers(n)}:
        return True
    return any(_has(title, name) for name in subject.names) or any(
        label_key(line) in keys or any(is_called(line, n) for n in names) for line in lines
    )


def _numbers(text: str) -> set[int]:
    return {int(digits) for digits in re.findall(r"\d+", text)}


def other_name(subject: Subject, page: Observation) -> str:
    """The name of another record of the sample's kind in the page's heading or title, or in its
    record, such as OPS-20 where OPS-7 was asked for; empty if there is none, or the sample's own
    name, too."""
    text = f"{title_of(page)} {page.title}"
    for name in filter(_tells_its_kind, (*subject.names, *segments(subject.address)[-1:])):
        found = _alike(name).findall(text)
        if name.casefold() in map(str.casefold, found):
            return ""
        if found:
            return str(found[0])
    return _other_value(subject, page)


def _other_value(subject: Subject, page: Observation) -> str:
    """A value of the record that is such a name, where nothing on the page is called what the
    sample is called; a notice that only mentions it does not say whose the record is."""
    record = [
        v.value for v in page.labelled
        if v.kind in RECORD_KINDS and is_in_own_region(v.place) and not v.place.record
    ]  # fmt: skip
    for name in filter(_tells_its_kind, subject.names):
        other = next(filter(_alike(name).fullmatch, record), "")
        if other and not any(map(subject.is_named, _texts(page))):
            return other
    return ""


def _texts(page: Observation) -> Iterator[str]:
    yield from (e.name for e in (*page.elements, *page.unlisted))
    yield from (v.value for v in page.labelled)


def _alike(name: str) -> re.Pattern[str]:
    """Finds names with other numbers in the same places."""
    digits = rf"\\d{{{len(name)}}}" if name.isdecimal() else r"\\d+"
    pattern = re.sub(r"\d+", digits, re.escape(name))
    return re.compile(rf"(?<![\w-]){pattern}(?![\w-])", re.I)


def _tells_its_kind(name: str) -> bool:
    """Whether other names are recognised by this one: letters and a number, or a long number."""
    is_lettered = any(c.isalpha() for c in name) and any(c.isdigit() for c in name)
    return is_lettered or (name.isdecimal() and len(name) >= LONG_NUMBER)


def is_in_own_region(place: Place) -> bool:
    """In main, or, on a page without one, outside of everything around the content."""
    regions = place.regions
    if "main" in regions:
        return not (_ASIDE - {"complementary"}) & set(regions[regions.index("main") + 1 :])
    return not _ASIDE & set(regions)


def title_of(page: Observation) -> str:
    """The page's main heading: its one h1, else the first heading; empty if there are several. If
    the content has none, the heading above it counts."""
    every = [v for v in page.labelled if v.kind == "heading" and not v.place.frame]
    headings = [v for v in every if is_in_own_region(v.place)] or [
        v for v in every if v.label == "h1"
    ]
    first = list(dict.fromkeys(v.value for v in headings if v.label == "h1"))
    if len(first) > 1:
        return ""
    return first[0] if first else headings[0].value if headings else ""


# -- its values ----------------------------------------------------------------------------------


def own_values(subject: Subject, page: Observation) -> list[LabelledValue]:
    """The values of the sample's own record, in whatever section of it they stand: of the page, if
    it is the sample's, and of the one table row or card that is called what the sample is called.
    What a frame shows is another page's."""
    values = [v for v in below_title(page) if is_in_own_region(v.place) and not v.place.frame]
    rows = {
        v.place.record for v in values
        if subject.is_named(v.place.record_name)
        or (subject.says_name(v) and v.value in subject.names)
    } - {""}  # fmt: skip
    is_own = is_own_page(subject, page) and not _is_list(subject, page, values)
    own = [v for v in values if ({v.place.record} == rows if v.place.record else is_own)]
    if RECORD_KINDS & {v.kind for v in own}:  # beside a record, forms ask for something new
        own = [v for v in own if v.kind != "input"]
    return own


def values_beside(page: Observation) -> list[LabelledValue]:
    """What the page's own aside says. It may be the record's, or another's: it answers nothing,
    and speaks against what differs."""
    return [
        v for v in page.labelled
        if set(v.place.regions) == {"complementary"}
        and v.kind in RECORD_KINDS and not (v.place.record or v.place.frame)
    ]  # fmt: skip


def _is_list(subject: Subject, page: Observation, values: Sequence[LabelledValue]) -> bool:
    """Whether the sample is one row or card of several on a page that is called otherwise: what
    stands in none of them may be another's, such as the one that is open beside a list."""
    in_records = [v for v in values if v.place.record and v.kind in RECORD_KINDS]
    records = {v.place.record for v in in_records}
    own = {v.place.record for v in in_records if _names(subject, v)}
    is_named = any(_has(title_of(page), name) for name in subject.names)
    return bool(own) and not is_named and records > own


def _names(subject: Subject, value: LabelledValue) -> bool:
    return any(map(subject.is_named, (value.place.record_name, value.value)))


def below_title(page: Observation) -> Sequence[LabelledValue]:
    """Of a page that does not mark its content, without what stands above the main heading: the
    site's own, and the user's."""
    if any("main" in v.place.regions for v in page.labelled):
        return page.labelled
    title = title_of(page)
    places = [n for n, v in enumerate(page.labelled) if v.kind == "heading" and v.value == title]
    return page.labelled[places[0] if places else 0 :]


def other_sections(subject: Subject, value: LabelledValue, title: str) -> list[str]:
    """The headings above a value that name something else: not the page or the sample, and not
    with such words as "Details", or "Order details" of "Order 7", a part of it."""
    kinds = _kinds_of(subject, title)

    def is_neutral(heading: str) -> bool:
        words = set(label_key(heading).split("_"))
        return bool(_NEUTRAL & words) and (words - _NEUTRAL) in kinds

    return [
        heading for heading in value.place.headings
        if heading != title and not subject.is_named(heading) and not is_neutral(heading)
    ]  # fmt: skip


def _kinds_of(subject: Subject, title: str) -> list[set[str]]:
    """The words that say what the sample is: none, or all words of the title, of its name, or of
    what stands before its name in the title; numbers aside. "Customer details" of "Customer
    order 7" are the customer's."""
    before = (title.partition(name)[0] for name in subject.names if name in title)
    texts = ("", title, *subject.names, *before)
    keys = (label_key(re.sub(r"\d", " ", text)) for text in texts)
    return [set(key.split("_")) - _NEUTRAL - {""} for key in keys]


def contradiction(turn: Turn, subject: Subject) -> str:
    """What the page's heading or its own record says against being the sample's; empty if
    nothing does."""
    page = turn.observation
    is_asked_for = bool(subject.address) and is_same(page.url, subject.address)
    if is_asked_for and (other := other_name(subject, page)):
        return f"the page “{title_of(page) or page.title}” is that of {other}"
    columns = {"name", *turn.task.input_schema} - {*RESERVED_COLUMNS, *turn.task.output_schema}
    record = [v for v in own_values(subject, page) if v.kind in RECORD_KINDS]
    for column in sorted(columns):
        given, keys = (
            turn.sample.plain_columns.get(column, "").strip(),
            keys_of(turn.task, [column]),
        )
        stated = [v.value for v in record if label_key(v.label) in keys and v.value]
        if given and stated and given.casefold() not in map(str.casefold, stated):
            return f'the page says {column} "{stated[0]}", and the list says "{given}"'
    return ""
