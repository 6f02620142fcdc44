"""The words by which a page may name a field, and whether a label has them. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Set

from pytest_bwa.evidence.lookup.text_match import phrases, weight
from pytest_bwa.spec.field_labels import field_label
from pytest_bwa.text import label_key, without_accents

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_GENERIC = frozenset(
    {"count", "counts", "number", "numbers", "num", "no", "total", "amount", "value", "of", "the"}
    | {"is", "has", "was", "are", "in", "on", "at", "by", "for", "to", "and", "n", "nr"}
)
"""Words of field names that say nothing about which field it is."""
_COUNTING = frozenset(
    {"count", "counts", "counted", "num", "total", "quantity", "size", "items", "entries", "rows"}
    | {"length", "many"}
)
"""Words of field names that ask for a count, whatever is counted; a number may be a name."""
_NOTE = re.compile(r"\s*[(（](?!\d+[)）])[^()（）]*[)）]\s*$")
"""And no count: "vendor (1)" is called more than a vendor."""
MIN_STEM = 4
MIN_ENDING = 6
"""Letters of a word whose ending may be another one: approval, approver; but not state, status."""
MAX_LINKING = 3
"""Letters of a word that may only join two others, in most languages that write them apart."""


class FieldWords:
    """The words by which a page may name a field: those of its aliases, and of the first of
    ``names`` that says which field it is (its own, then that of what it is a part of).
    ``keeps_all`` says that words count, too, that most fields have."""

    def __init__(
        self, names: Iterable[str], aliases: Iterable[str] = (), *, keeps_all: bool = False
    ) -> None:
        names, labels = list(names), [field_label(alias) for alias in aliases]
        aliases = [label.text for label in labels]
        self._keys = frozenset(map(_key, [*names[:1], *aliases]))
        self._sections: defaultdict[str, set[str]] = defaultdict(set)
        """By label, the headings below which an alias of the spec looks for it."""
        for label in labels:
            if label.section:
                self._sections[_key(label.text)].add(_key(label.section))
        own = [phrases(_CAMEL.sub(" ", name).replace("_", " ")) for name in names]
        specific = [[word for word in part if keeps_all or word not in _GENERIC] for part in own]
        first = next(filter(None, specific), own[0] if own else [])
        others = [[*filter(_is_specific, phrases(a))] or phrases(a) for a in aliases]
        self._names = [frozenset(name) for name in (first, *others) if name]
        """The field's own name and each of its aliases: a label is one of them, never all."""
        of_aliases = {word for name in others for word in name if _is_specific(word)}
        self.words = frozenset(first) | of_aliases
        inner = {word for name in (first, *others) for word in name[1:-1]}
        self._linking = frozenset(word for word in inner if len(word) <= MAX_LINKING)
        self.ask_for_count = not _COUNTING.isdisjoint(own[0] if own else ())

    def found_in(self, text: str) -> frozenset[str]:
        """The words that a text has, in whatever form."""
        found = phrases(text)
        return frozenset(
            own for own in self.words if any(_is_same_word(word, own) for word in found)
        )

    def are_in(self, text: str) -> bool:
        """Whether a text has one of the words, in whatever form. A short one that stands between
        others in the name and in the text, as that of "data_de_entrega", only joins them."""
        found = self.found_in(text)
        if found and found <= self._linking:
            words = phrases(text)
            return any(_is_same_word(word, own) for own in found for word in (words[0], words[-1]))
        return bool(found)

    def are_all_in(self, text: str) -> bool:
        """Whether a text has each word of the field's name or of one alias, in whatever form."""
        return any(_has_all(name, text) for name in self._names)

    def are_exactly(self, label: str) -> bool:
        """Whether a label has each word of the name or an alias, and none of another field."""
        return any(_has_all(n, label) and not _others_in(label, n) for n in self._names)

    def are_whole(self, label: str) -> bool:
        """The same, but a state is no status: short words are the same only in their plural. What
        stands in parentheses at the end, such as a currency, is a note."""
        words = phrases(_NOTE.sub("", label)) or phrases(label)
        found = [*filter(_is_specific, words)] or words
        return any(_are_same_words(found, name) for name in self._names)

    def are_literally(self, label: str) -> bool:
        """Whether a label is written like the field's name or an alias, accents aside: "Assigned
        to", of which "Assigned by" has the words that say which field it is."""
        return _key(label) in self._keys

    def sections_of(self, label: str) -> Set[str]:
        """The keys of the headings below which the spec looks for a label: "Billing > City"; empty
        if it may stand anywhere."""
        return self._sections.get(_key(label), set())

    def may_stand(self, label: str, headings: Iterable[str]) -> bool:
        """Whether a label is the field's below these headings, as far as the spec says it."""
        sections = self.sections_of(label)
        return not sections or not sections.isdisjoint(map(_key, headings))

    def is_in_named_section(self, label: str, headings: Iterable[str]) -> bool:
        """Whether an alias names a section for a label, and it stands below that heading."""
        return bool(self.sections_of(label)) and self.may_stand(label, headings)

    def leave_out(self, label: str) -> list[str]:
        """The words of a label that say which field it is, and are none of the field's."""
        return _others_in(label, self.words)


def _key(label: str) -> str:
    return label_key(without_accents(label))


def _is_specific(word: str) -> bool:
    return word not in _GENERIC


def _has_all(name: Iterable[str], text: str) -> bool:
    """Whether a text has each word of a name, in whatever form."""
    found = phrases(text)
    return all(any(_is_same_word(word, own) for word in found) for own in name)


def _others_in(label: str, name: Iterable[str]) -> list[str]:
    rest = filter(_is_specific, phrases(label))
    return [word for word in rest if not any(_is_same_word(word, own) for own in name)]


def _are_same_words(found: Iterable[str], name: Iterable[str]) -> bool:
    """Whether each word of both is in the other."""
    pairs = [(a, b) for a in found for b in name if _is_nearly(a, b)]
    return {a for a, _ in pairs} == set(found) and {b for _, b in pairs} == set(name)


def _is_nearly(a: str, b: str) -> bool:
    is_long = min(len(a), len(b)) >= MIN_ENDING
    return a.removesuffix("s") == b.removesuffix("s") or (is_long and _is_same_word(a, b))


def _is_same_word(a: str, b: str) -> bool:
    """Whether two words have the same stem: approvals, approved; but not commits, comments."""
    if a == b or a.removesuffix("s") == b.removesuffix("s"):
        return True
    if weight(b) > len(b) and b in a:  # a script without spaces: the word may have begun before
        return True
    shorter = min(len(a), len(b))
    common = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), shorter)
    return common >= max(MIN_STEM, shorter - 2)
