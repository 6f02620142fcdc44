"""Which of a page's labelled values answer which fields. Pure, and never a guess."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_bwa.policy.coercion import Uncertain, coerce, read_date
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import LabelledKind, LabelledValue, Observation

_MOST_RELIABLE: tuple[LabelledKind, ...] = (
    "definition", "table", "input", "pair", "text", "count", "heading", "link",
)  # fmt: skip
EXACT, ALIAS, SAME_WORDS, SAME_STEM, MORE_WORDS = 100, 95, 90, 70, 60
RESERVED = frozenset({"sample_id", "url", "xfail"})
_URL_WORDS = frozenset({"url", "link", "href", "uri"})
# Words that only say what type a value has: "due_date" may be labelled Due, but never Due amount.
_TYPE_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("date", "at", "on", "time", "day"), "date"),
    **dict.fromkeys(("number", "no", "id", "key"), "number"),
    **dict.fromkeys(("count", "total"), "count"),
    **dict.fromkeys(_URL_WORDS, "url"),
    "name": "name",
}
# One more word that does not make another thing of it, and some that do.
_HARMLESS = frozenset({"current", "full", "primary", "main", "your", "the", "this", "official"})
_CONTRARY = frozenset(
    ["previous", "former", "past", "old", "last", "next", "parent", "other", "secondary",
     "original", "estimated", "no", "not", "alternate", "emergency", "linked", "related", "child"]
)  # fmt: skip

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


def words(text: str) -> tuple[str, ...]:
    """Lower-case words, camelCase and snake_case split, plural s dropped."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    found = re.findall(r"[^\W_]+", spaced.casefold())
    return tuple(
        w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in found
    )


def names_of(task: TaskSpec, name: str) -> list[tuple[str, ...]]:
    """The field's name and its aliases, as words; the name comes first."""
    return [words(n) for n in (name, *task.aliases.get(name, ()))]


def closeness(label: str, names: Sequence[tuple[str, ...]]) -> int:
    """How well a label fits a field, 0 where it does not: its name, an alias, the same words in
    another order, the same but for a word of type (Due for due_date), or with one more word."""
    given = words(label)
    return max((_close(given, name, n == 0) for n, name in enumerate(names)), default=0)


def _close(given: tuple[str, ...], name: tuple[str, ...], own: bool) -> int:
    if not given or not name:
        return 0
    if given == name:
        return EXACT if own else ALIAS
    if set(given) == set(name):
        return SAME_WORDS
    if _same_stem(given, name):
        return SAME_STEM
    return MORE_WORDS if _one_more(set(given), set(name)) else 0


def _same_stem(given: tuple[str, ...], name: tuple[str, ...]) -> bool:
    types, own_types = _types(given), _types(name)
    stem = [w for w in given if w not in _TYPE_WORDS]
    own = [w for w in name if w not in _TYPE_WORDS and w not in _HARMLESS]
    return bool(stem) and stem == own and (not types or types == own_types)


def _types(given: Iterable[str]) -> set[str]:
    return {_TYPE_WORDS[w] for w in given if w in _TYPE_WORDS}


def _one_more(given: set[str], name: set[str]) -> bool:
    extra = given - name
    if not name < given or len(extra) != 1:
        return False
    return extra <= _HARMLESS if len(name) == 1 else not extra & _CONTRARY


def read(task: TaskSpec, sample: Sample, observation: Observation) -> Reading:
    """Every field of output_schema that this page answers."""
    schema = OutputSchema(task.output_schema)
    values: dict[str, Any] = {}
    sources: dict[str, LabelledKind] = {}
    left: dict[str, str] = {}
    for name in task.output_schema:
        kinds = schema.kinds(name)
        names, link = names_of(task, name), _wants_link(task, name)
        found = _best(names, observation.labelled, link=link)
        candidates = _own_rows(found, sample, every="array" in kinds)
        if not candidates:
            if found:
                left[name] = "no one row of the table is the sample's"
            continue
        try:
            values[name] = _value(candidates, kinds, names[0], link=link)
            sources[name] = candidates[0].kind
        except Uncertain as why:
            left[name] = str(why)
    return Reading(values, left, sources)


def _wants_link(task: TaskSpec, name: str) -> bool:
    form = task.output_schema[name]
    formatted = isinstance(form, Mapping) and form.get("format") in ("uri", "url", "iri")
    return formatted or words(name)[-1:] in [(w,) for w in _URL_WORDS]


def _best(
    names: Sequence[tuple[str, ...]], labelled: Sequence[LabelledValue], *, link: bool
) -> list[LabelledValue]:
    """The values of the closest label; among equals, of the most reliable kind."""
    scored = [
        ((score, -_MOST_RELIABLE.index(v.kind)), v)
        for v in labelled
        if (_address(v) if link else v.kind != "link")
        and (score := closeness(v.label, names))
        and _bears_type(v, names[0], score)
    ]
    top = max((score for score, _ in scored), default=None)
    return [v for score, v in scored if score == top]


def _bears_type(value: LabelledValue, name: tuple[str, ...], score: int) -> bool:
    """Where only the stem of the label is the field's, the value must show the type itself."""
    types = _types(name)
    if score != SAME_STEM or not types or types & {"url", "name"}:
        return True
    if "date" in types:
        try:
            return bool(value.datetime or read_date(value.value))
        except Uncertain:
            return bool(re.match(r"^(?:[-–—]+$|no |none$|not |n/a$)", value.value, re.I))
    if "number" in types and _NO_NUMBER.search(value.value):
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
    is_date = "date" in _types(name)
    return _only(
        [
            v.datetime
            if is_date and v.datetime and kinds <= {"string", "null"}
            else coerce(v.value, kinds, stamp=v.datetime, called=name)
            for v in candidates
        ]
    )


def _only(values: list[Any]) -> Any:
    distinct = [v for n, v in enumerate(values) if v not in values[:n]]
    if len(distinct) > 1:
        shown = ", ".join(repr(v) for v in distinct[:3])
        raise Uncertain(f"the page gives different values: {shown}")
    return distinct[0]


def _own_rows(
    candidates: list[LabelledValue], sample: Sample, *, every: bool
) -> list[LabelledValue]:
    """Of a table with several rows, or a list of cards, only the sample's own. Where none is,
    nothing of a table, but of cards, or for an array (``every``), all of them: cards may be two
    sides of the same."""
    rows = list(dict.fromkeys(v.row for v in candidates if v.row is not None))
    if len(rows) <= 1:
        return candidates
    own = rows_of(sample, rows)
    if not own and (every or all(v.kind != "table" for v in candidates)):
        return candidates
    return [v for v in candidates if len(own) == 1 and v.row == own[0]]


def rows_of(sample: Sample, rows: Sequence[str]) -> list[str]:
    """Those that hold most of the sample's values; none where no row holds any."""
    marks = [v for k, v in sample.columns.items() if k not in ("url", "xfail") and len(v) > 2]
    held = {row: sum(holds(row, mark) for mark in marks) for row in rows}
    most = max(held.values(), default=0)
    return [row for row in rows if held[row] == most] if most else []


def rows_by_address(observation: Observation) -> dict[str | None, str]:
    """The rows of tables and the cards of lists, by what they link to."""
    return {v.url: v.row for v in observation.labelled if v.row and v.url}


def holds(text: str, mark: str) -> bool:
    """Whether ``mark`` stands in the text, not only as a part of a word."""
    return bool(re.search(rf"(?<!\w){re.escape(mark)}(?!\w)", text, re.I))
