"""The words by which a page may name a field. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_bwa.text import label_key


class FieldWords:
    """Those of a field's name and of its aliases."""

    def __init__(self, names: Iterable[str], aliases: Iterable[str] = ()) -> None:
        self._keys = {label_key(name) for name in (*names, *aliases)}

    def are_exactly(self, label: str) -> bool:
        return label_key(label) in self._keys

    def are_in(self, label: str) -> bool:
        """Whether a label has all words of a name, perhaps with others."""
        words = set(label_key(label).split("_"))
        return any(words >= set(key.split("_")) for key in self._keys if key)
