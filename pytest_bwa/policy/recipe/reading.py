"""What a text of a page means as the value of a field, and whether that is certain. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_bwa.facts.fact import Fact
from pytest_bwa.facts.identity import PlaceNotFound
from pytest_bwa.facts.place import PageFacts
from pytest_bwa.facts.text_match import words
from pytest_bwa.facts.value import ReadAs, ValueReader, parts_of
from pytest_bwa.policy.recipe.parameters import filled, generalised
from pytest_bwa.policy.recipe.places import (
    controls_of,
    find_value,
    is_repeated,
    labels_beside,
)
from pytest_bwa.policy.recipe.recipe import (
    FieldRecipe,
    ValueSource,
)
from pytest_bwa.policy.recipe.shape import TextKind
from pytest_bwa.spec.coercion import Uncertain
from pytest_bwa.spec.field_labels import labels_of
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Observation


@dataclass(frozen=True, slots=True)
class Read:
    """A value, and what it was read from; None if the page has no such label."""

    value: Any
    fact: Fact | None = None


class NotCertain(Exception):
    """A value cannot be read for certain; the message says why."""


class FieldReader:
    """Reads the fields of one task."""

    def __init__(self, task: TaskSpec) -> None:
        self.task, self._texts = task, ValueReader(task)

    def kind_of(self, name: str, read_as: ReadAs) -> TextKind:
        """What sort of text the field is read from."""
        kinds = self._texts.kinds((name,))
        if read_as == "date" or "date" in kinds:
            return "date"
        return "number" if kinds & {"number", "integer"} else "text"

    def ways_to_read(
        self, name: str, value: Any, found: Fact, page: Observation
    ) -> Iterator[tuple[ReadAs, str]]:
        """How the text must be read to give just this value, and as written in which locale."""
        return self._texts.ways(value, found, (name,), page)

    def read(
        self, name: str, field: FieldRecipe, page: PageFacts, columns: Mapping[str, str]
    ) -> Read:
        """The field's value on this page; null, or a list without items, only in a form that was
        seen. Raises NotCertain."""
        found = [
            self._read(name, field, number, page, columns) for number in range(len(field.sources))
        ]
        if any(read.value != found[0].value for read in found[1:]):
            raise NotCertain(f"{name}: two places that said the same before differ now")
        is_empty_list = found[0].value is None and field.empty_is_list
        return Read([], found[0].fact) if is_empty_list else found[0]

    def _read(
        self,
        name: str,
        field: FieldRecipe,
        number: int,
        page: PageFacts,
        columns: Mapping[str, str],
    ) -> Read:
        source = field.sources[number]
        if is_repeated(source, page, columns):
            label = filled(source.place.name, columns)
            raise NotCertain(f"{name}: the page has “{label}” more often than any page before it")
        try:
            fact = find_value(source, page, columns)
        except PlaceNotFound as why:
            self._check_absent(name, field, source, str(why), page, columns)
            return Read(None)
        if number == 0:
            self._check_labels(name, field, labels_beside(source, fact, page, columns))
        if generalised(fact.text, columns) in field.empty:
            return Read(None, fact)
        if not fact.text:
            raise NotCertain(f"{name}: the page has no text there, as every page before had")
        language = fact.language or page.page.language
        if language not in field.languages:
            raise NotCertain(f"{name}: its language ({language or 'none'}) is another one")
        kind = self.kind_of(name, field.read_as)
        for part in parts_of(fact.text, field.read_as):
            if why_not := field.shape.refusal(part, kind):
                raise NotCertain(f"{name}: {why_not}")
        return Read(self._certain_value(name, field, fact, page.page), fact)

    def _check_labels(self, name: str, field: FieldRecipe, labels: set[str]) -> None:
        if new := labels - set(field.labels):
            raise NotCertain(f"{name}: beside it stands “{min(new)}”, which is new")

    def _check_absent(
        self,
        name: str,
        field: FieldRecipe,
        source: ValueSource,
        why: str,
        page: PageFacts,
        columns: Mapping[str, str],
    ) -> None:
        """Raises NotCertain unless the page lacks the label, as others did, among the labels that
        it always has: another one may be its new name."""
        labels = labels_beside(source, None, page, columns)
        is_gone = not self._has_label(name, source.place.name, page)
        if not (field.may_be_absent and is_gone and labels):
            raise NotCertain(f"{name}: {why}")
        self._check_labels(name, field, labels)
        if new := controls_of(page.page, columns) - set(field.controls):
            raise NotCertain(f"{name}: {why}, and “{min(new)}” may show it")

    def _has_label(self, name: str, label: str, page: PageFacts) -> bool:
        """Whether a label of the page may be this one: it has all of its words, or is a name of the
        field. Of a place without a label nobody can tell."""
        own, known = set(words(label)), labels_of(self.task, name)
        return not own or any(
            own <= set(words(r.label)) or any(one.fits(r.label) for one in known)
            for r in page.placed
            if r.label
        )

    def _certain_value(self, name: str, field: FieldRecipe, fact: Fact, page: Observation) -> Any:
        try:
            value = self._texts.value(fact, field.read_as, (name,), page, field.locale)
        except Uncertain as why:
            raise NotCertain(f"{name}: {why}") from None
        if value is None:
            raise NotCertain(f"{name}: the page says in a new form that there is no value")
        return value
