"""Whether the pictures of a page may tell what its text does not. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_bwa.spec.field_labels import field_label
from pytest_bwa.steps.step import Observation
from pytest_bwa.steps.text import label_key

MIN_QUESTION_WORD = 5  # letters; shorter words do not tell what a question is about
_WORD = re.compile(r"[^\W_]+")
_SAYING = frozenset({"text", "row", "status", "alert", "img"})
"""The roles of what may say a value; a heading or a link only says where one may be."""


@dataclass(frozen=True, slots=True)
class VisionGoal:
    """What a picture should help to find."""

    goal: str
    fields: Sequence[str]
    """Names of the output fields that have no saved value yet."""
    judgment: str = ""
    """The judgment question, if there is one."""
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What pages also call the fields."""


def is_empty(observation: Observation) -> bool:
    return observation.is_bare or all(e.is_wordless for e in observation.elements)


def shows_pictures(observation: Observation) -> bool:
    pictures = observation.canvases + observation.small_pictures
    return pictures > 0 or any(e.is_wordless for e in observation.elements)


def is_unanswered(observation: Observation, wanted: VisionGoal) -> bool:
    """Whether no text of the page may answer an open field, or the judgment: none has its label or
    says more than its words."""
    texts = [set(_words(e.name)) for e in observation.all_elements if e.role in _SAYING]
    stems = [_stems(w for w in _words(name) if len(w) > 2) for name in wanted.fields]
    for name, own in zip(wanted.fields, stems, strict=True):
        is_said = any(_has_all(text, own) and len(text) > len(own) for text in texts if own)
        if not is_said and not _has_text(observation, (name, *wanted.aliases.get(name, ()))):
            return True
    asked = _stems(w for w in _words(wanted.judgment) if len(w) >= MIN_QUESTION_WORD)
    return bool(asked) and not any(w.startswith(asked) for text in texts for w in text)


def _has_all(words: Iterable[str], stems: Sequence[str]) -> bool:
    return all(any(word.startswith(stem) for word in words) for stem in stems)


def may_tell(observation: Observation, wanted: VisionGoal) -> bool:
    """Whether the pictures stand near an open field, or near what the judgment asks for."""
    if any(mentions_field(observation, f, wanted.aliases.get(f, ())) for f in wanted.fields):
        return True
    stems = _stems(w for w in _words(wanted.judgment) if len(w) >= MIN_QUESTION_WORD)
    return _is_below_heading(observation, stems) or _is_beside_picture(observation, stems)


def mentions_field(observation: Observation, name: str, aliases: Sequence[str]) -> bool:
    """Whether a picture without a name may show a field: the text next to a picture has a word of
    the field's name (of three letters or more; a plural "s" is ignored) and says nothing more, or
    the page's headings or tabs have one and the page labels no text as the field. A picture beside
    "Status: Open" only repeats its text."""
    stems = _stems(word for word in _words(name) if len(word) > 2)
    if _is_beside_picture(observation, stems):
        return True
    return _is_below_heading(observation, stems) and not _has_text(observation, (name, *aliases))


def _has_text(observation: Observation, names: Sequence[str]) -> bool:
    """Whether the page has a text that it calls exactly so."""
    keys = {field_label(name).key for name in names}
    return any(
        entry.value and not entry.doubt and label_key(entry.label) in keys
        for entry in observation.labelled
    )


def _stems(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word.removesuffix("s") for word in words)


def _is_below_heading(observation: Observation, stems: tuple[str, ...]) -> bool:
    headings = [e.name for e in observation.elements if e.role in ("heading", "tab")]
    return any(word.startswith(stems) for word in _words(" ".join(headings)))


def _is_beside_picture(observation: Observation, stems: tuple[str, ...]) -> bool:
    besides = filter(None, map(_words, observation.unnamed_pictures))
    return any(all(word.startswith(stems) for word in words) for words in besides)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
