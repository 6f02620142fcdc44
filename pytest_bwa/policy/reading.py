"""Which of a page's labelled values answer which fields. Pure, and never a guess."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_bwa.policy.coercion import Uncertain, coerce
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import LabelledValue, Observation

_RANKS = {
    "definition": 8, "table": 7, "input": 6, "pair": 5,
    "text": 4, "count": 3, "heading": 2, "link": 1,
}  # fmt: skip
EXACT, SAME_WORDS, MORE_WORDS = 100, 90, 60
_URL_FIELD = re.compile(r"(?:^|_)(?:url|link|href)$")


@dataclass(frozen=True, slots=True)
class Reading:
    """``values`` holds only what was seen; a null in it is a page that says "none"."""

    values: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def words(text: str) -> tuple[str, ...]:
    """Lower-case words, camelCase and snake_case split, plural s dropped."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    found = re.findall(r"[^\W_]+", spaced.casefold())
    return tuple(
        w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in found
    )


def names_of(task: TaskSpec, name: str) -> list[tuple[str, ...]]:
    """The field's name and its aliases, as words."""
    return [words(n) for n in (name, *task.aliases.get(name, ()))]


def closeness(label: str, names: Iterable[tuple[str, ...]]) -> int:
    """How well a label fits a field: EXACT, the same words in another order, or the field's words
    among a few others; 0 where it does not."""
    given, best = words(label), 0
    for name in names:
        if given == name:
            return EXACT
        if not name or not given:
            continue
        if set(given) == set(name):
            best = max(best, SAME_WORDS)
        elif set(name) < set(given) and len(given) - len(name) <= 1:
            best = max(best, MORE_WORDS)
    return best


def read(task: TaskSpec, sample: Sample, observation: Observation) -> Reading:
    """Every field of output_schema that this page answers."""
    schema = OutputSchema(task.output_schema)
    values: dict[str, Any] = {}
    notes: list[str] = []
    labelled = _own_rows(observation.labelled, sample)
    for name in task.output_schema:
        candidates = _best(name, names_of(task, name), labelled)
        if not candidates:
            continue
        try:
            values[name] = _value(name, candidates, schema.kinds(name))
        except Uncertain as why:
            notes.append(f"{name}: {why}")
    return Reading(values, tuple(notes))


def _best(
    name: str, names: list[tuple[str, ...]], labelled: Sequence[LabelledValue]
) -> list[LabelledValue]:
    """The values of the closest label; among equals, of the most reliable kind."""
    wants_url = bool(_URL_FIELD.search(name))
    scored = [
        ((closeness(v.label, names), _RANKS[v.kind]), v)
        for v in labelled
        if (v.url if wants_url else v.kind != "link")
    ]
    top = max((score for score, _ in scored if score[0]), default=None)
    return [v for score, v in scored if score == top] if top else []


def _value(name: str, candidates: list[LabelledValue], kinds: frozenset[str]) -> Any:
    if _URL_FIELD.search(name):
        return _only({v.url for v in candidates})
    if "array" in kinds:
        texts = list(dict.fromkeys(v.value for v in candidates))
        if len(texts) > 1:
            return texts
    return _only({_hashable(coerce(v.value, kinds, stamp=v.datetime)) for v in candidates})


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _only(values: set[Any]) -> Any:
    if len(values) > 1:
        shown = ", ".join(sorted(repr(v) for v in values)[:3])
        raise Uncertain(f"the page gives different values: {shown}")
    value = values.pop()
    return list(value) if isinstance(value, tuple) else value


def _own_rows(labelled: Sequence[LabelledValue], sample: Sample) -> list[LabelledValue]:
    """Of tables with several rows only the sample's own: the row that holds one of its values."""
    rows = {v.row for v in labelled if v.row is not None}
    if len(rows) <= 1:
        return list(labelled)
    marks = [v for k, v in sample.columns.items() if k not in ("url", "xfail") and len(v) > 2]
    own = {row for row in rows if any(_holds(row, mark) for mark in marks)}
    return [v for v in labelled if v.row is None or (len(own) == 1 and v.row in own)]


def _holds(text: str | None, mark: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(mark)}(?!\w)", text or "", re.I))
