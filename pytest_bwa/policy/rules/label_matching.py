"""Which labels of a page are a field's: its name and its aliases, and nothing similar."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.text import label_key

MAX_NAMED = 4
_SECTION_MARK = " > "


class FieldLabel(NamedTuple):
    """A label of a field, as keys; with ``section``, only under a heading of that name."""

    key: str
    section: str


def labels_of(task: TaskSpec, name: str) -> tuple[FieldLabel, ...]:
    """The field's name and its aliases. An alias may name the section: "Billing > City"."""
    return tuple(_label(text) for text in (name, *task.aliases.get(name, ())))


def _label(text: str) -> FieldLabel:
    section, _, label = text.rpartition(_SECTION_MARK)
    return FieldLabel(label_key(label), label_key(section))


def keys_of(task: TaskSpec, names: Iterable[str]) -> frozenset[str]:
    """The keys of all labels of these fields or columns."""
    return frozenset(label.key for name in names for label in labels_of(task, name))


def nearest(labels: Sequence[FieldLabel], on_page: Iterable[str]) -> list[str]:
    """The labels of the page that share a word with the field's, or nearly: candidates for an
    alias, which only the user can confirm."""
    by_key = {label_key(text): text for text in on_page}
    words = {word for label in labels for word in label.key.split("_") if len(word) > 2}
    near = [key for key in by_key if words & set(key.split("_"))]
    near += (key for label in labels for key in get_close_matches(label.key, by_key))
    return [by_key[key] for key in dict.fromkeys(near)][:MAX_NAMED]
