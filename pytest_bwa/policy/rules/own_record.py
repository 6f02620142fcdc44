"""Which values of a page may be the sample's own, and what speaks against it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

from pytest_bwa.facts.page import (
    NEVER_OWN,
    is_in_own_region,
    title_of,
    values_above_title,
)
from pytest_bwa.policy.rules.identity import is_own_page
from pytest_bwa.policy.rules.readings import Doubts
from pytest_bwa.policy.rules.subject import Subject, has_name
from pytest_bwa.spec.field_labels import FieldLabel
from pytest_bwa.spec.notation.record_names import tells_its_kind
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import RECORD_KINDS, LabelledValue, Observation
from pytest_bwa.steps.text import cells_of, label_key

READ_KINDS = frozenset({"definition", "table", "text", "input", "pair", "count", "heading"})
"""Of the labelled values from which fields are read."""
_LINES = ("text", "count")


@dataclass(frozen=True, slots=True)
class Found:
    """A value under a field's label, and what speaks against its being the sample's."""

    value: LabelledValue
    against: Doubts = field(default_factory=dict)


class OwnRecord:
    """What a page says of the sample: in its content, if the page is the sample's, and in the one
    table row or card that is called what the sample is called. What a frame, a menu, a comment or
    another row shows is somebody else's."""

    def __init__(self, subject: Subject, page: Observation, sections: Set[str]) -> None:
        """``sections`` are the keys of the headings that aliases name."""
        self._subject, self._page, self._title = subject, page, title_of(page)
        self._sections = sections
        self._all = [
            v for v in page.labelled
            if v.kind in READ_KINDS and not v.place.frame and not NEVER_OWN & set(v.place.regions)
        ]  # fmt: skip
        self._content = [v for v in self._all if is_in_own_region(v.place)]
        self.is_own_page = is_own_page(subject, page)
        self._rows = self._own_rows()

    @cached_property
    def values(self) -> list[LabelledValue]:
        """Those that stand in no record of others; beside a record, forms ask for something new,
        unless they are most of it: in a form of a record, some fields may not be changed."""
        own = [
            v for v in self._content
            if (v.place.record in self._rows if v.place.record else self.is_own_page)
        ]  # fmt: skip
        stated = [v for v in own if v.kind in RECORD_KINDS]
        filled = [v for v in own if v.kind == "input" and v.value and "form" in v.place.regions]
        is_form = len(filled) > len(stated) and all("form" in v.place.regions for v in stated)
        return [v for v in own if v.kind != "input" or is_form or not stated]

    def find(self, labels: Sequence[FieldLabel]) -> list[Found]:
        """The values under one of a field's labels: those that nothing speaks against, else the
        first of the others."""
        found = list(self._under(labels))
        certain = [one for one in found if not one.against]
        return certain or found[:1]

    def elsewhere(self, labels: Sequence[FieldLabel]) -> list[LabelledValue]:
        """What stands under one of the labels, wherever it is."""
        keys = {label.key for label in labels}
        return [v for v in self._all if label_key(v.label) in keys]

    def is_mentioned(self, labels: Sequence[FieldLabel]) -> bool:
        """Whether a text of the content is one of the labels, or begins with it and goes on after a
        mark or with a count: its value may stand where nothing is read."""
        texts = (e.name for e in self._page.all_elements if is_in_own_region(e.place))
        heads = {label_key(re.split(r"[:：(\d]", text)[0]) for text in texts}
        return any(label.key in heads for label in labels if label.key)

    def _under(self, labels: Sequence[FieldLabel]) -> Iterator[Found]:
        plain = [label for label in labels if not label.section]
        named = [label for label in labels if label.section]
        keys = {label.key for label in labels} - {""}
        seen = self.values
        for value in seen:
            if _is_labelled(value, named):
                yield Found(value)
            elif _is_labelled(value, plain):
                yield Found(value, self._against(value, keys))
        for value in self._all if self.is_own_page else ():
            if _is_labelled(value, named) and value not in seen and self._is_in_section(value):
                yield Found(value)
            elif _is_beside(value) and _is_labelled(value, plain):
                yield Found(value, {Doubt.BESIDE_CONTENT: ""})

    def _is_in_section(self, value: LabelledValue) -> bool:
        """Whether a value below a heading that an alias names is the sample's because the user says
        so: no entry that is called otherwise."""
        place = value.place
        is_card = value.kind != "table" and label_key(place.record_name) in self._sections
        return place.record in self._rows or is_card or not place.record

    # -- what speaks against a value -------------------------------------------------------------

    def _against(self, value: LabelledValue, keys: Set[str]) -> Doubts:
        place = value.place
        if place.record:
            name = place.record_name
            at = place.headings.index(name) + 1 if name in place.headings else len(place.headings)
            value = replace(value, place=replace(place, headings=place.headings[at:]))
        elif value in self._above:
            return {Doubt.ABOVE_HEADING: ""}
        elif value.kind in _LINES and self._has_labels:
            return {Doubt.LINE_OF_TEXT: ""}
        others = self._subject.other_sections(value, self._title)
        others = [h for h in others if label_key(h) not in keys]
        return {Doubt.UNDER_HEADING: others[-1]} if others else {}

    @cached_property
    def _above(self) -> list[LabelledValue]:
        """What stands above the page's heading, if the record states something elsewhere."""
        above = values_above_title(self._page)
        return above if any(v not in above for v in self._stated) else []

    @cached_property
    def _has_labels(self) -> bool:
        """Whether the record states something otherwise than in a line of text."""
        return any(v.kind not in _LINES for v in self._stated)

    @cached_property
    def _stated(self) -> list[LabelledValue]:
        """What is said as a label and its value, outside of rows and cards."""
        return [v for v in self.values if v.kind in RECORD_KINDS and not v.place.record]

    # -- rows and cards --------------------------------------------------------------------------

    def _own_rows(self) -> frozenset[str]:
        """The row or card that is called what the sample is called; of two, neither is it, also if
        only one could be read."""
        subject, names = self._subject, self._subject.names
        rows = {
            v.place.record for v in self._content
            if subject.is_named(v.place.record_name) or (subject.says_name(v) and v.value in names)
        } - {""}  # fmt: skip
        plain = [name for name in names if not tells_its_kind(name)]
        bearers = {
            v.place.record for v in self._content
            if any(has_name(v.place.record_name, name) for name in plain)
        }  # fmt: skip
        lines = {e.name for e in self._page.all_elements if e.role == "row"}
        named = {row for row in lines if any(map(subject.is_named, cells_of(row)))}
        is_one = len(rows) == 1 and max(len(bearers), len(named)) < 2
        return frozenset(rows) if is_one else self._card_of_title()

    def _card_of_title(self) -> frozenset[str]:
        """The card that has the heading of the sample's own page."""
        headings = [v for v in self._content if (v.kind, v.label) == ("heading", "h1")]
        is_title = self.is_own_page and [v.value for v in headings] == [self._title]
        return frozenset(v.place.record for v in headings if is_title) - {""}


def _is_labelled(value: LabelledValue, labels: Sequence[FieldLabel]) -> bool:
    headings = {"", *map(label_key, value.place.headings)}
    return any(label.section in headings and label.fits(value.label) for label in labels)


def _is_beside(value: LabelledValue) -> bool:
    place = value.place
    return set(place.regions) == {"complementary"} and not place.record
