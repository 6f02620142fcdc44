"""What the sample's own record has where an answer says that there is nothing. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pytest_bwa.evidence.doubts.other_entry import row_called_like
from pytest_bwa.evidence.doubts.own_record import OwnRecord, line_of, may_be_of_record
from pytest_bwa.evidence.labels.labelled_at import ANSWERED_KINDS
from pytest_bwa.evidence.lookup.text_match import clean, same_text
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.evidence.objections import NOT_OPENED
from pytest_bwa.evidence.record import NOT_CERTAIN, Grounding
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.http_response import is_error
from pytest_bwa.spec.coercion import Uncertain, coerce, is_null
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import APART, RECORD_KINDS, Element, LabelledValue, Observation
from pytest_bwa.text import CELLS, cells_of, label_key

_PARTS = frozenset({"tab", "button", "clickable", "treeitem"})
_CLOSED = frozenset({"selected=false", "expanded=false"})
_READ_KINDS = ANSWERED_KINDS | {"count", "heading"}
MAX_LINE = 80
"""Characters of a line that may be a label with its value; a longer one is a sentence."""
_ANY_TEXT = frozenset({"string", "array", "object"})
"""Kinds of which a text may say in any language that there is no value ("Not assigned")."""


class Absence:
    """Looks in one sample's sightings for what is reported as null, or as not found."""

    def __init__(self, task: TaskSpec, sightings: Sightings) -> None:
        self._task, self._sightings = task, sightings
        self._schema, self._record = OutputSchema(task.output_schema), OwnRecord(sightings)

    def record(self, field: Field) -> Grounding | None:
        """The record of a null, or an empty list: one only if it is contested. The part of the page
        that is called like the field contests it, too, if it was never opened."""
        (name,) = field.path
        if name in self._task.derived:
            return None
        is_unsure = self._sightings.labels_prove
        others = tuple(dict.fromkeys(self._not_taken(field))) if is_unsure else self._others(field)
        others = others or self._closed_part(field)
        rule = NOT_CERTAIN if is_unsure else "null"
        return Grounding(how="derived", rule=rule, contested=others) if others else None

    def _others(self, field: Field) -> tuple[str, ...]:
        """What the record has under the field's name or an alias, if it is certainly a value of the
        field's type: a date, a number or what begins with one, yes or no, or one of the choices
        that the spec lists."""
        (name,) = field.path
        kinds = self._schema.kinds(name) - {"null"}
        choices = _choices(self._task.output_schema.get(name))
        if not (choices or (kinds and not kinds & _ANY_TEXT)):
            return ()
        pages = self._record.certain_pages()
        stated = self._record.stated_on(pages, field, RECORD_KINDS)
        entries = [entry for entry, _ in stated if _is_called_like(field, entry)]
        row = [] if entries else row_called_like(pages, field)
        if row and all(entry.value.strip() for entry in row):
            # Behind the name and what else is said of it.
            entries = [replace(row[-1], label=row[-1].place.record_name)]
        if not all(self._is_value(entry, kinds, choices) for entry in entries):
            return ()
        return tuple(dict.fromkeys(map(line_of, entries)))

    def _closed_part(self, field: Field) -> tuple[str, ...]:
        """The tab, or what unfolds, that is called like a field, if it was closed on each page that
        had it."""
        parts = [
            (element, page)
            for page in self._sightings.pages.values()
            for element in page.all_elements
            if element.role in _PARTS and field.words.are_literally(element.name)
        ]
        are_closed = bool(parts) and all(
            not _CLOSED.isdisjoint(part.states) or _is_other_open(part, page)
            for part, page in parts
        )
        return (f"{clean(parts[0][0].name)}{NOT_OPENED}",) if are_closed else ()

    def _not_taken(self, field: Field) -> Iterator[str]:
        """What a page of the sample had in any state under the field's name, such as behind a tab,
        and a policy that reads labelled values was not certain of: whose it is, or what it says;
        and the links that are called so, to what nobody has opened."""
        kinds = self._schema.kinds(field.path[0])
        pages = list(self._sightings.pages.values())
        opened = {page.url for page in pages}
        own = {page.url for page in (*self._record.certain_pages(), *pages[-1:])}
        for page in (page for page in pages if page.url in own):
            entries = [entry for entry in page.labelled if _is_called_like(field, entry)]
            for entry in entries:
                is_answer = entry.kind in _READ_KINDS and not _is_nothing(entry, kinds)
                if is_answer and self._record.may_be_own(entry):
                    yield line_of(entry)
                # In a list of links, each of them is a record.
                is_link = entry.kind == "link" and entry.url not in opened
                if is_link and self._record.may_be_own(replace(entry, value="")):
                    yield f"{clean(entry.label)}{NOT_OPENED}"
            if not entries:
                yield from _unread(page, field)

    def existing(self) -> str:
        """What a found page has under a field's name or an alias, below a heading or
        in a row that names the sample; empty if nothing does, so that it may not exist."""
        if self._sightings.labels_prove:
            return ""
        keys = keys_of(self._task, self._task.output_schema)
        for page in self._sightings.pages.values():
            for entry in () if is_error(page.http_status) else page.labelled:
                is_of_field = entry.kind in RECORD_KINDS and label_key(entry.label) in keys
                if is_of_field and self._record.is_own(entry) and self._record.names(entry):
                    return line_of(entry)
        return ""

    def _is_value(
        self, entry: LabelledValue, kinds: frozenset[str], choices: frozenset[str]
    ) -> bool:
        if choices:
            return same_text(entry.value) in choices
        locale = self._task.locale or entry.language or None
        try:
            value = coerce(entry.value, kinds, locale=locale, machine_time=entry.datetime)
        except Uncertain:  # such as "0:05:00" where minutes are asked for
            return "boolean" not in kinds and entry.value.strip()[:1].isdigit()
        return value is not None


def _is_other_open(part: Element, page: Observation) -> bool:
    """Whether a tab is one of several that say the same of themselves, but for one of the others,
    which has a class or looks of its own: where nothing else says which one is open."""
    if part.role != "tab":
        return False
    tabs = [e for e in page.all_elements if e.role == "tab" and e.place == part.place]
    others = [set(tab.states) - set(part.states) for tab in tabs if tab.ref != part.ref]
    marked = [own for own in others if own]
    are_marks = all(state.startswith(APART) for own in marked for state in own)
    return len(marked) == 1 and are_marks and len(others) > 1


def _is_called_like(field: Field, entry: LabelledValue) -> bool:
    """Whether a label is the field's name or an alias, letter for letter, in its section."""
    words, label = field.words, entry.label
    return words.are_literally(label) and words.may_stand(label, entry.place.headings)


def _unread(page: Observation, field: Field) -> Iterator[str]:
    """The texts called like a field, of which nobody could read what they label: a text or a cell
    of its own, and what a short line begins with, unless that line is another label."""
    labels = {entry.label for entry in page.labelled}
    for element in filter(may_be_of_record, page.all_elements):
        cells = cells_of(element.name) if element.role == "row" else [element.name]
        is_label = element.role in ("text", "heading", "row") or element.value
        is_called = any(map(field.words.are_literally, cells))
        is_line = element.role in ("text", "heading") and element.name not in labels
        if (is_label and is_called) or (is_line and _begins_with(field, element.name)):
            yield CELLS.join(filter(None, (element.name, element.value)))


def _begins_with(field: Field, text: str) -> bool:
    """Whether a short line goes on behind the field's name: "Due 5 May 2026"."""
    words = text.split()
    if len(text) > MAX_LINE:
        return False
    return any(field.words.are_literally(" ".join(words[:n])) for n in range(1, len(words)))


def _is_nothing(entry: LabelledValue, kinds: frozenset[str]) -> bool:
    """Whether a place is certainly empty, or has a sign that says so, or one word and its label
    ("No due date")."""
    if not entry.value.strip():
        return not entry.doubt  # a style sheet may paint something there
    before, label, after = f"_{label_key(entry.value)}".rpartition(f"_{label_key(entry.label)}")
    if label and not after and before.count("_") <= 1:
        return True
    return is_null(entry.value, kinds | {"null"})


def _choices(form: Any) -> frozenset[str]:
    listed = form.get("enum") or () if isinstance(form, Mapping) else ()
    return frozenset(same_text(choice) for choice in listed if isinstance(choice, str))
