"""The values of an answer, one by one, with how and where each was seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_bwa.evidence.grounding import Grounding, GroundingTree, How
from pytest_bwa.steps.text import one_line, text_or_json

MAX_LABEL = 80

IN_WORDS: dict[How, str] = {
    "verbatim": "seen word for word",
    "normalised": "seen in another form",
    "counted": "counted: as many lines as were cited",
    "state": "the state of a box, a choice or an icon",
    "joined": "put together from several lines",
    "vision": "read from a picture by a model",
    "ocr": "read from a picture by OCR",
    "derived": "follows from other values",
    "unseen": "not seen on any page",
}
_SURE = frozenset({"verbatim", "normalised", "counted", "state", "joined"})
_SAID = frozenset({"joined", "null"})
"""Rules that say no more than the rest of the sentence."""


@dataclass(frozen=True, slots=True)
class SeenValue:
    """One plain value; ``field`` is its place in the answer, such as ``checks[0].name``."""

    field: str
    value: Any
    grounding: Grounding | None

    @property
    def text(self) -> str:
        return value_text(self.value)

    @property
    def how(self) -> str:
        seen = self.grounding
        if self.value is None:
            return "none, as the page says" if seen and seen.cited else "no value"
        if seen is None:
            return "not recorded"
        words = IN_WORDS[seen.how]
        return f"{words} ({seen.rule})" if seen.rule and seen.rule not in _SAID else words

    @property
    def found_by(self) -> str:
        """Under which label it stands, and whether nobody had said where."""
        seen = self.grounding
        if seen is None or seen.url is None:
            return ""
        is_label = seen.name and seen.name != seen.text
        label = f"under “{one_line(seen.name or '', MAX_LABEL)}”" if is_label else ""
        return "; ".join(filter(None, (label, "" if seen.cited else "it was looked up")))

    @property
    def css_class(self) -> str:
        """How it is painted: quiet, done or unsure."""
        if self.value is None:
            return "quiet"
        is_sure = self.grounding is not None and self.grounding.how in _SURE
        return "done" if is_sure else "quiet" if self._is_derived else "unsure"

    @property
    def _is_derived(self) -> bool:
        return self.grounding is not None and self.grounding.how == "derived"


def value_text(value: Any) -> str:
    """A value for people: a dash for null, texts as they are, the rest as JSON."""
    return "–" if value is None else text_or_json(value)


def seen_values(
    extracted: Mapping[str, Any], grounding: Mapping[str, GroundingTree | None]
) -> Iterator[SeenValue]:
    """Every plain value of the answer; an empty array or object is one value."""
    for field, value in extracted.items():
        yield from _parts(field, value, grounding.get(field))


def _parts(field: str, value: Any, tree: GroundingTree | None) -> Iterator[SeenValue]:
    if isinstance(value, list) and value:
        trees = tree if isinstance(tree, list) else []
        for number, item in enumerate(value):
            inner = trees[number] if number < len(trees) else None
            yield from _parts(f"{field}[{number}]", item, inner)
    elif isinstance(value, dict) and value:
        known = tree if isinstance(tree, dict) else {}
        for key, item in value.items():
            yield from _parts(f"{field}.{key}", item, known.get(key))
    else:
        yield SeenValue(field, value, tree if isinstance(tree, Grounding) else None)
