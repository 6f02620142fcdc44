"""Whose page this is, and which of its values are the sample's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.addresses import answers_to, is_part_of, is_same, segments
from pytest_bwa.policy.rules.page_parts import (
    below_title,
    is_in_own_region,
    other_sections,
    out_of_own_cards,
    part_in_section,
    title_of,
)
from pytest_bwa.policy.rules.subject import RECORD_KINDS, Subject, has_name
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.spec.notation.record_names import (
    found_instead,
    goes_on,
    has_number_of,
    is_called,
    is_part_of_longer,
    names_alike,
    tells_its_kind,
)
from pytest_bwa.spec.samples import RESERVED_COLUMNS
from pytest_bwa.steps import Element, LabelledValue, Observation
from pytest_bwa.text import cells_of, label_key

# A word that is missing here costs the kind of a failure, and never makes a wrong value: without
# the sample's name a page is nobody's (names_its_subject).
GONE = re.compile(r"\b404\b|not found|does not exist|no longer|was (?:deleted|removed)", re.I)
NAMING_WORDS = 4
"""A text with more words says something of what it names."""


def is_own_page(subject: Subject, page: Observation) -> bool:
    """Whether everything on the page that is nobody else's is the sample's. A page that asks for a
    password, or says in its heading that there is nothing, is nobody's."""
    title, here = title_of(page), page.url
    is_gone = GONE.search(title) and not subject.is_named(title)
    if subject.is_redirected or is_gone or wants_password(page) or other_name(subject, page):
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
        stated == {name} or (is_called(title, name, subject.is_kind) and not _is_echo(page, name))
        for name in subject.names
    )


def _is_echo(page: Observation, name: str) -> bool:
    """Whether the page repeats what was searched for: in its address, or in a field."""
    typed = ((e.value or "").strip().casefold() for e in _fields(page))
    return answers_to(page.url, name) or name.casefold() in typed


def _fields(page: Observation) -> list[Element]:
    """The fields in which somebody may have typed what was searched for."""
    return [e for e in page.elements if e.role in ("textbox", "searchbox", "combobox")]


def wants_password(page: Observation) -> bool:
    return any(state.startswith("password") for e in page.elements for state in e.states)


def names_its_subject(subject: Subject, page: Observation, *, by_title: bool = True) -> bool:
    """Whether the heading has the sample's name in it, or the page is called by its number, or a
    line of the content is called what the sample is called, or what its address ends with. A wall,
    a notice or a soft 404 at the sample's own address has no such line, in whatever language; the
    title of its window may have the number all the same."""
    if not (subject.address and (subject.names or subject.name_labels)):
        return True  # it has a name of its own, or its page was led to
    title, names = title_of(page), {*subject.names, *segments(subject.address)[-1:]}
    if _is_number_beside_title(subject, page) or any(
        _has_number(v, name) for v in page.labelled for name in subject.names
    ):
        return True
    called = f"{title} {page.title}" if by_title else title
    painted = page.picture_text.text.splitlines() if page.picture_text else []
    if any(has_number_of(called, n) for n in names) or any(
        has_name(line, name) and not is_part_of_longer(line, name, subject.is_kind)
        for line in (title, *painted)
        for name in names
        if not name.isdecimal()
    ):
        return True
    keys = {label_key(name) for name in names} - {""}
    return any(
        label_key(line) in keys or any(is_called(line, n, subject.is_kind) for n in names)
        for line in _naming_lines(subject, page)
    )


def _naming_lines(subject: Subject, page: Observation) -> Iterator[str]:
    """The texts of the content that may say what the page is of: its lines, and the values that
    are its name or number, or whose label says what it is. What stands under another label, as the
    name of somebody's manager does, or leads to another page, says it of something else."""
    record = [v for v in page.labelled if v.kind in RECORD_KINDS and is_in_own_region(v.place)]
    naming = [v for v in record if subject.says_name(v) or subject.is_kind(v.label)]
    naming += [v for v in record if tells_its_kind(v.value) or v.kind == "heading"]
    others = {v.value for v in record} - {v.value for v in naming}
    links = {e.name for e in page.all_elements if e.role == "link"}
    own = [e.name for e in page.all_elements if is_in_own_region(e.place)]
    kinds = [names_alike(name) for name in subject.names]
    alike = {text for text in own if any(kind.fullmatch(text) for kind in kinds)}
    listed = alike if len(alike) > 1 else set()  # one of several, of which another may be chosen
    unsaid = others | links | listed
    yield title_of(page)
    yield from (name for name in own if name not in unsaid)
    yield from (v.value for v in naming)


def _has_number(value: LabelledValue, name: str) -> bool:
    """Whether a value of the content is the sample's number with what it is called, such as
    "Company number 09988123", and no sentence about it, nor an address."""
    is_short = len(value.value.split()) <= NAMING_WORDS and value.kind in RECORD_KINDS - {"text"}
    is_here = is_short and is_in_own_region(value.place) and not value.place.record
    is_address = f"/{name}" in value.value  # which a page of errors repeats
    return is_here and tells_its_kind(name) and has_name(value.value, name) and not is_address


def _is_number_beside_title(subject: Subject, page: Observation) -> bool:
    """Whether a few words around the content say the sample's number, where the title stands there,
    too, and nobody has searched for it."""
    title = title_of(page)
    heads = [v.place.regions for v in page.labelled if v.kind == "heading" and v.value == title]
    beside = [
        e.name for e in page.all_elements
        if e.role == "text" and "banner" in e.place.regions and e.place.regions in heads
        and len(e.name.split()) <= NAMING_WORDS
    ]  # fmt: skip
    return any(
        any(has_name(text, name) for text in beside) and not _is_echo(page, name)
        for name in filter(tells_its_kind, subject.names)
    )


def other_name(subject: Subject, page: Observation) -> str:
    """The name of another record of the sample's kind in the page's heading or title, its open tab
    or its record, such as OPS-20 where OPS-7 was asked for, or what was found in place of the
    sample; empty if there is none, or the sample's own name, too."""
    title = title_of(page)
    text = f"{title} {page.title}"
    tabs = [e.name for e in page.elements if e.role == "tab" and "selected=true" in e.states]
    stated = [(label_key(v.label), v.value) for v in page.labelled if v.kind in RECORD_KINDS]
    typed = [(label_key(e.name), e.value or "") for e in _fields(page)]
    if other := next(filter(None, (found_instead(n, typed, stated) for n in subject.names)), ""):
        return other
    for name in filter(tells_its_kind, (*subject.names, *segments(subject.address)[-1:])):
        for heading in (title, *tabs):
            alike = names_alike(name).findall(heading)
            if alike and not has_name(heading, name) and is_called(heading, alike[0]):
                return str(alike[0])  # whatever the window is called
        found = names_alike(name).findall(text)
        if name.casefold() in map(str.casefold, found):
            return _other_value(subject, page) if _is_echo(page, name) else ""
        if found:
            return str(found[0])
    return _other_value(subject, page)


def _other_value(subject: Subject, page: Observation) -> str:
    """A value of the record that is such a name, where no value has the sample's, and nothing is
    called by it; a notice that only mentions it does not say whose the record is."""
    record = [
        v for v in page.labelled
        if v.kind in RECORD_KINDS and is_in_own_region(v.place) and not v.place.record
    ]  # fmt: skip
    own = [v.value for v in record if not other_sections(subject, v, title_of(page))]
    for name in filter(tells_its_kind, subject.names):
        other = next(filter(names_alike(name).fullmatch, own), "")
        is_said = any(_has_number(v, name) for v in page.labelled)
        if other and not is_said and not any(map(subject.is_named, _texts(page))):
            return other
    return ""


def _texts(page: Observation) -> Iterator[str]:
    yield from (e.name for e in page.all_elements)
    yield from (v.value for v in page.labelled)


def own_values(subject: Subject, page: Observation) -> list[LabelledValue]:
    """The values of the sample's own record, in whatever section of it they stand: of the page, if
    it is the sample's, and of the one table row or card that is called what the sample is called.
    What a frame shows is another page's."""
    values = _content(subject, page)
    rows = {
        v.place.record for v in values
        if subject.is_named(v.place.record_name)
        or (subject.says_name(v) and v.value in subject.names)
    } - {""}  # fmt: skip
    bearers = {v.place.record for v in values if _bears_name(subject, v.place.record_name)}
    if max(len(bearers), len(_rows_with_name(subject, page))) > len(rows):
        rows = set()  # of two that have the name, neither is it, also if only one could be read
    is_own = is_own_page(subject, page) and not _is_list(subject, page, values)
    own = [v for v in values if ({v.place.record} == rows if v.place.record else is_own)]
    own = _below_own_heading(own, subject, page)
    if RECORD_KINDS & {v.kind for v in own}:  # beside a record, forms ask for something new
        own = [v for v in own if v.kind != "input"]
    return own


def _bears_name(subject: Subject, text: str) -> bool:
    """Whether a name without a number is in a text, such as "Ada Quist" in "Ada Quist, Ph.D."."""
    return any(has_name(text, name) for name in subject.names if not tells_its_kind(name))


def _rows_with_name(subject: Subject, page: Observation) -> set[str]:
    """The rows of the content of which a cell is what the sample is called."""
    rows = {e.name for e in page.all_elements if e.role == "row" and is_in_own_region(e.place)}
    return {row for row in rows if any(map(subject.is_named, cells_of(row)))}


def values_in_sections(
    subject: Subject, page: Observation, sections: Set[str]
) -> list[LabelledValue]:
    """What stands below one of the headings that aliases name by their keys, on the sample's own
    page: the user says that it is the sample's, also where it would be nobody's otherwise. Where
    the sample is one of several, only what is in its own card."""
    if not is_own_page(subject, page):
        return []
    content = _content(subject, page)
    values = [v for v in below_title(page) if not v.place.frame]
    if _is_list(subject, page, content):
        cards = {v.place.record for v in content if _names(subject, v)}
        values = [v for v in values if v.place.record in cards]
    found = filter(None, (part_in_section(v, sections) for v in values))
    return _below_own_heading(list(found), subject, page)


def _content(subject: Subject, page: Observation) -> list[LabelledValue]:
    values = [v for v in below_title(page) if is_in_own_region(v.place) and not v.place.frame]
    return out_of_own_cards(values, subject, title_of(page))


def _below_own_heading(
    values: list[LabelledValue], subject: Subject, page: Observation
) -> list[LabelledValue]:
    """Where only a heading below the page's title names the sample, what stands below that: the
    rest is of what the sample is a part of. Of several, or beside a record without a heading, each
    is the head of a part of the sample, and says in its other words of which."""
    below = (v for v in below_title(page) if v.kind == "heading" and is_in_own_region(v.place))
    own = set(filter(subject.is_named, {v.value for v in below}))
    title = title_of(page)
    if not own or subject.is_named(title):
        return values
    record = [v for v in values if v.kind in RECORD_KINDS and not v.place.record]
    if len(own) > 1 or any(set(v.place.headings) <= {title} for v in record):
        own = {heading for heading in own if not goes_on(heading)}
    return [v for v in values if own & set(v.place.headings)]


def _is_list(subject: Subject, page: Observation, values: Sequence[LabelledValue]) -> bool:
    """Whether the sample is one row or card of several on a page that is called otherwise: what
    stands in none of them may be another's, such as the one that is open beside a list."""
    in_records = [v for v in values if v.place.record and v.kind in RECORD_KINDS]
    records = {v.place.record for v in in_records}
    own = {v.place.record for v in in_records if _names(subject, v)}
    is_named = any(has_name(title_of(page), name) for name in subject.names)
    return bool(own) and not is_named and records > own


def _names(subject: Subject, value: LabelledValue) -> bool:
    return any(map(subject.is_named, (value.place.record_name, value.value)))


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
        given = turn.sample.plain_columns.get(column, "").strip()
        keys = keys_of(turn.task, [column])
        stated = [v.value for v in record if label_key(v.label) in keys and v.value]
        if given and stated and given.casefold() not in map(str.casefold, stated):
            return f'the page says {column} "{stated[0]}", and the list says "{given}"'
    return ""
