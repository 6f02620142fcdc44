"""Which of a page's labelled values answer which fields. Pure, and never a guess."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_bwa.policy.rules.coercion import Uncertain, coerce, read_date
from pytest_bwa.policy.rules.label_matching import (
    SAME_STEM,
    URL_WORDS,
    closeness,
    names_of,
    types,
    words,
)
from pytest_bwa.policy.rules.subject_matching import row_name, rows_of
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import LabelledKind, LabelledValue, Observation

_MAX_RELIABLE: tuple[LabelledKind, ...] = (
    "definition", "table", "input", "pair", "text", "prose", "count", "heading", "link",
)  # fmt: skip
_OF_A_RECORD = frozenset({"definition", "table", "input", "pair"})
_EMPTY = "the page leaves it empty"
# A number that names something is no amount, no share and no line of several statements.
_NO_NUMBER = re.compile(r"[$€£¥%]| [·|•] |(?:\S+\s+){4}")


@dataclass(frozen=True, slots=True)
class Reading:
    """``values`` holds only what was seen; a null in it is a page that says "none".

    ``sources`` says for each of them what kind of label it stood under, ``left`` why a field that
    the page does label stays open.
    """

    values: dict[str, Any] = field(default_factory=dict)
    left: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, LabelledKind] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        """``left`` in words, each reason once."""
        fields: dict[str, list[str]] = {}
        for name, why in self.left.items():
            fields.setdefault(why, []).append(name)
        return tuple(f"{', '.join(names)}: {why}" for why, names in fields.items())

    @property
    def by_label(self) -> frozenset[str]:
        """Fields with a value that a label names; any page has a heading."""
        return frozenset(
            name
            for name, kind in self.sources.items()
            if kind != "heading" and self.values[name] is not None
        )


def read(task: TaskSpec, sample: Sample, observation: Observation) -> Reading:
    """Every field of output_schema that this page answers."""
    schema = OutputSchema(task.output_schema)
    values: dict[str, Any] = {}
    sources: dict[str, LabelledKind] = {}
    left: dict[str, str] = {}
    called = row_name(task, sample, observation)
    for name in task.output_schema:
        kinds = schema.kinds(name)
        names, link = names_of(task, name), _wants_link(task, name)
        found = _best(names, observation.labelled, link=link)
        own = _own_rows(found, sample, called, every="array" in kinds)
        candidates = _standing([v for v in own if v.value])
        if not candidates:
            if found:
                left[name] = _EMPTY if own else "no one row of the table is the sample's"
            continue
        try:
            values[name] = _value(candidates, kinds, names[0], link=link)
            sources[name] = candidates[0].kind
        except Uncertain as why:
            left[name] = str(why)
    if sum(kind in _OF_A_RECORD for kind in sources.values()) > 1:
        for name in [name for name, kind in sources.items() if kind == "prose"]:
            del sources[name]
            left[name] = f'only running text beside the record says "{str(values.pop(name))[:60]}"'
    return Reading(values, left, sources)


def _wants_link(task: TaskSpec, name: str) -> bool:
    form = task.output_schema[name]
    formatted = isinstance(form, Mapping) and form.get("format") in ("uri", "url", "iri")
    return formatted or words(name)[-1:] in [(w,) for w in URL_WORDS]


def _best(
    names: Sequence[tuple[str, ...]], labelled: Sequence[LabelledValue], *, link: bool
) -> list[LabelledValue]:
    """The values of the closest label; among equals, of the most reliable kind. What is empty under
    that label comes with them, so that no row is missed."""
    scored = [
        ((score, -_MAX_RELIABLE.index(v.kind)), v)
        for v in labelled
        if (_address(v) if link else v.kind != "link")
        and (score := closeness(v.label, names))
        and _bears_type(v, names[0], score)
    ]
    top = max((score for score, v in scored if v.value), default=None)
    top = top or max((score for score, _ in scored), default=None)
    return [v for score, v in scored if score == top]


def _bears_type(value: LabelledValue, name: tuple[str, ...], score: int) -> bool:
    """Where only the stem of the label is the field's, the value must show the type itself."""
    wanted = types(name)
    if score != SAME_STEM or not wanted or wanted & {"url", "name"}:
        return True
    if "date" in wanted:
        try:
            return bool(value.datetime or read_date(value.value))
        except Uncertain:
            return bool(re.match(r"^(?:[-–—]+$|no |none$|not |n/a$)", value.value, re.I))
    if "number" in wanted and _NO_NUMBER.search(value.value):
        return False
    return any(c.isdigit() for c in value.value)


def _address(value: LabelledValue) -> str | None:
    if value.url and value.url.startswith(("http:", "https:")):
        return value.url
    return value.value if re.fullmatch(r"https?://\S+", value.value) else None


def _value(
    candidates: list[LabelledValue], kinds: frozenset[str], name: tuple[str, ...], *, link: bool
) -> Any:
    if link:
        addresses = list(dict.fromkeys(_address(v) for v in candidates))
        return addresses if "array" in kinds else _only(addresses)
    texts = list(dict.fromkeys(" ".join(v.value.split()) for v in candidates))
    if "array" in kinds and len(texts) > 1:
        return texts
    is_date = "date" in types(name)
    return _only(
        [
            v.datetime
            if is_date and v.datetime and kinds <= {"string", "null"}
            else coerce(v.value, kinds, stamp=v.datetime, called=name)
            for v in candidates
        ]
    )


def _standing(candidates: list[LabelledValue]) -> list[LabelledValue]:
    """Without the changes that a history tells ("low → high"), where what holds now is told."""
    now = [v for v in candidates if not re.search(r"\S\s*(?:→|->|=>)\s*\S", v.value)]
    return now or candidates


def _only(values: list[Any]) -> Any:
    distinct = [v for n, v in enumerate(values) if v not in values[:n]]
    if len(distinct) > 1:
        shown = ", ".join(repr(v) for v in distinct[:3])
        raise Uncertain(f"the page gives different values: {shown}")
    return distinct[0]


def _own_rows(
    candidates: list[LabelledValue], sample: Sample, called: str, *, every: bool
) -> list[LabelledValue]:
    """Of a table with several rows, or a list of cards, only the sample's own. Where none is,
    nothing of a table, but of cards, or for an array (``every``), all of them: cards may be two
    sides of the same."""
    rows = list(dict.fromkeys(v.row for v in candidates if v.row is not None))
    if len(rows) <= 1:
        return candidates
    own = rows_of(sample, rows, called)
    if not own and (every or all(v.kind != "table" for v in candidates)):
        return candidates
    return [v for v in candidates if len(own) == 1 and v.row == own[0]]
