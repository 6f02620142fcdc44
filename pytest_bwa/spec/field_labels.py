"""What pages call the fields of a task: their names and aliases."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.text import label_key

MAX_NAMED = 4
"""Labels that are named as candidates for an alias."""
_SECTION_MARK = " > "
_GOES_ON = re.compile(r"\w[+#]")  # "C" is not "C++"


class FieldLabel(NamedTuple):
    """A label of a field. With ``section``, the key of a heading, it counts only below that one:
    the alias "Billing > City"."""

    text: str
    key: str
    section: str

    def fits(self, text: str) -> bool:
        """Whether a page's label is this one, with its signs, if it has any: "Growth %" is neither
        "Growth €" nor "Growth", and "Order" is "Order #"."""
        if not self.key:
            return text.strip() == self.text.strip()
        signs = _signs_in(self.text)
        is_same = _signs_in(text) == signs if signs else not _GOES_ON.search(text)
        return is_same and label_key(text) == self.key


def _signs_in(text: str) -> str:
    """Currencies, mathematical signs and pictures, which a key leaves out."""
    if text.isalnum():
        return ""
    return "".join(c for c in text if c in "#%" or unicodedata.category(c).startswith("S"))


def field_label(name: str) -> FieldLabel:
    """A field's name, or one of its aliases, as a label."""
    section, _, text = name.rpartition(_SECTION_MARK)
    return FieldLabel(text, label_key(text), label_key(section))


def labels_of(task: TaskSpec, name: str) -> tuple[FieldLabel, ...]:
    """The field's name and its aliases."""
    return tuple(map(field_label, (name, *task.aliases.get(name, ()))))


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
