"""What the sample's own record has where an answer says that there is nothing. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_bwa.evidence.doubts.own_record import RECORD_KINDS, OwnRecord, line_of
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.evidence.record import Grounding
from pytest_bwa.evidence.sightings import Sightings, same_text
from pytest_bwa.spec.coercion import Uncertain, coerce
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import LabelledValue
from pytest_bwa.text import label_key

OK, ERROR = 200, 400
"""HTTP: a page that was found, and the first status of one that was not."""
_ANY_TEXT = frozenset({"string", "array", "object"})
"""Kinds of which a text may say in any language that there is no value ("Not assigned")."""


class Absence:
    """Looks in one sample's sightings for what is reported as null, or as not found."""

    def __init__(self, task: TaskSpec, sightings: Sightings) -> None:
        self._task, self._sightings = task, sightings
        self._schema, self._record = OutputSchema(task.output_schema), OwnRecord(sightings)

    def record(self, field: Field) -> Grounding | None:
        """The record of a null: one only if it is contested."""
        others = () if field.path[0] in self._task.derived else self._others(field)
        return Grounding(how="derived", rule="null", contested=others) if others else None

    def _others(self, field: Field) -> tuple[str, ...]:
        """What the record has under the field's name or an alias, if it is certainly a value of the
        field's type: a date, a number, yes or no, or one of the choices that the spec lists."""
        (name,) = field.path
        kinds = self._schema.kinds(name) - {"null"}
        choices = _choices(self._task.output_schema.get(name))
        if self._sightings.labels_prove or not (choices or (kinds and not kinds & _ANY_TEXT)):
            return ()
        keys = self._keys(name)
        stated = self._record.stated_on(self._record.certain_pages(), field, RECORD_KINDS)
        entries = [entry for entry, _ in stated if label_key(entry.label) in keys]
        if not all(self._is_value(entry, kinds, choices) for entry in entries):
            return ()
        return tuple(dict.fromkeys(map(line_of, entries)))

    def existing(self) -> str:
        """What a found page has under a field's name or an alias, below a heading or
        in a row that names the sample; empty if nothing does, so that it may not exist."""
        if self._sightings.labels_prove:
            return ""
        keys = frozenset[str]().union(*map(self._keys, self._task.output_schema))
        for page in self._sightings.pages.values():
            for entry in page.labelled if (page.http_status or OK) < ERROR else ():
                is_of_field = entry.kind in RECORD_KINDS and label_key(entry.label) in keys
                if is_of_field and self._record.is_own(entry) and self._record.names(entry):
                    return line_of(entry)
        return ""

    def _keys(self, name: str) -> frozenset[str]:
        """The names of a field, in the form in which labels are compared."""
        return frozenset(map(label_key, (name, *self._task.aliases.get(name, ()))))

    def _is_value(
        self, entry: LabelledValue, kinds: frozenset[str], choices: frozenset[str]
    ) -> bool:
        if choices:
            return same_text(entry.value) in choices
        locale = self._task.locale or entry.language or None
        try:
            value = coerce(entry.value, kinds, locale=locale, machine_time=entry.datetime)
        except Uncertain:
            return False
        return value is not None


def _choices(form: Any) -> frozenset[str]:
    listed = form.get("enum") or () if isinstance(form, Mapping) else ()
    return frozenset(same_text(choice) for choice in listed if isinstance(choice, str))
