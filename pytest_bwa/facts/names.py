"""Whose name a text is: what the samples list calls the sample, and what it calls others. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pytest_bwa.facts.text_match import same_text
from pytest_bwa.spec.notation.record_names import names_alike, tells_its_kind
from pytest_bwa.steps.text import cells_of, has_words, label_key

MIN_TELLING = 4
"""Characters of a column that tells the sample from others."""


class OwnNames:
    """``given`` is what the list says of the sample, ``others`` what it calls its other samples."""

    def __init__(self, given: Iterable[str] = (), others: frozenset[str] = frozenset()) -> None:
        columns = [text for text in given if text]
        self.given = {same_text(text) for text in columns}
        """The sample's own columns, in the form in which they are compared."""
        self._telling = [text for text in self.given if len(text) >= MIN_TELLING]
        """Those that tell the sample from others."""
        self._keys = frozenset(map(label_key, columns))
        self._others = frozenset(label_key(n) for n in others if len(n) >= MIN_TELLING) - self._keys
        """The names of the other samples, as keys: FV/2026/7 is FV-2026-7."""
        self._alike = [names_alike(name) for name in filter(tells_its_kind, self._telling)]

    def are_in(self, entry: str) -> bool:
        """Whether a cell of an entry is what the list says of the sample, or the entry has a long
        one of these in it."""
        if not self._keys.isdisjoint(map(label_key, cells_of(entry))):
            return True
        return any(has_words(entry, own) for own in self._telling)

    def are_others(self, text: str) -> bool:
        """Whether a cell of a text is the name of another sample of the list."""
        return not self._others.isdisjoint(map(label_key, cells_of(text)))

    def is_other(self, text: str) -> bool:
        """Whether a text is the name of another sample, or one of the same kind."""
        key = same_text(text)
        return self.are_others(text) or any(alike.fullmatch(key) for alike in self._alike)

    def alike_in(self, text: str) -> Iterator[str]:
        """The names of the sample's kind in a text."""
        return (found[0] for alike in self._alike for found in alike.finditer(text))
