"""What the samples list calls the sample, and what it calls the others. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_bwa.proof.texts.text_match import same_text
from pytest_bwa.steps.text import cells_of, has_words, label_key

MIN_TELLING = 4
"""Characters of a column that tells the sample from others."""


class OwnNames:
    """``given`` is what the list says of the sample, ``others`` what it calls its other samples."""

    def __init__(self, given: Iterable[str] = (), others: frozenset[str] = frozenset()) -> None:
        columns = [text for text in given if text]
        self.given = {same_text(text) for text in columns}
        """The sample's own columns, in the form in which they are compared."""
        self.telling = [text for text in self.given if len(text) >= MIN_TELLING]
        """Those that tell the sample from others."""
        self.keys = frozenset(map(label_key, columns))
        self.others = frozenset(label_key(n) for n in others if len(n) >= MIN_TELLING) - self.keys
        """The names of the other samples, as keys: FV/2026/7 is FV-2026-7."""

    def are_in(self, entry: str) -> bool:
        """Whether a cell of an entry is what the list says of the sample, or the entry has a long
        one of these in it."""
        if not self.keys.isdisjoint(map(label_key, cells_of(entry))):
            return True
        return any(has_words(entry, own) for own in self.telling)

    def are_others(self, text: str) -> bool:
        """Whether a cell of a text is the name of another sample of the list."""
        return not self.others.isdisjoint(map(label_key, cells_of(text)))
