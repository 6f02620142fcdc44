"""Whether the sample's own record has a value for a field that is reported as null. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_bwa.evidence.lookup.own_record import RECORD_KINDS, OwnRecord
from pytest_bwa.evidence.lookup.text_match import clean
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.evidence.record import Grounding
from pytest_bwa.evidence.sightings import Sightings, same_text
from pytest_bwa.spec.coercion import Uncertain, coerce
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import LabelledValue
from pytest_bwa.text import label_key

_ANY_TEXT = frozenset({"string", "array", "object"})
"""Kinds of which a text may say in any language that there is no value ("Not assigned")."""


class ContestedNulls:
    """Looks for values of null fields in one sample's sightings."""

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
        keys = {label_key(n) for n in (name.replace("_", " "), *self._task.aliases.get(name, ()))}
        stated = self._record.stated_on(self._record.certain_pages(), field, RECORD_KINDS)
        entries = [entry for entry, _ in stated if label_key(entry.label) in keys]
        if not all(self._is_value(entry, kinds, choices) for entry in entries):
            return ()
        return tuple(dict.fromkeys(f"{e.label} | {clean(e.value)}" for e in entries))

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
