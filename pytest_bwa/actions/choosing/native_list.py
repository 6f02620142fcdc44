"""The options of a <select>, and which of them a text names. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

_BETWEEN = re.compile(r"\s*,\s*")


@dataclass(frozen=True, slots=True)
class NativeList:
    """A <select> as it is at one moment."""

    is_multiple: bool
    labels: list[str]
    values: list[str]
    is_chosen: list[bool]

    @classmethod
    def read(cls, found: dict[str, Any]) -> Self:
        """What the reader selectOptions found."""
        labels, values, chosen = (
            [option[part] for option in found["options"]] for part in range(3)
        )
        return cls(found["multiple"], labels, values, chosen)

    @property
    def chosen_labels(self) -> list[str]:
        return [label for label, chosen in zip(self.labels, self.is_chosen, strict=True) if chosen]

    @property
    def chosen_values(self) -> set[str]:
        return {value for value, chosen in zip(self.values, self.is_chosen, strict=True) if chosen}

    @property
    def text(self) -> str:
        """What the list of elements says as its value."""
        return ", ".join(self.chosen_labels)

    def called(self, wanted: str) -> list[int] | None:
        """The places of the options that a text names; None if there is one that it does not. The
        name of one option comes first: it may have commas itself."""
        if wanted in self.labels:
            return [self.labels.index(wanted)]
        names = [(_folded(t), _folded(v)) for t, v in zip(self.labels, self.values, strict=True)]
        text = _folded(wanted)
        one = next((at for at, both in enumerate(names) if text in both), None)
        if one is not None:
            return [one]
        return _all_in(text, names) if self.is_multiple else None


def _all_in(text: str, names: Sequence[tuple[str, str]]) -> list[int] | None:
    """The options whose names stand in a text with commas between them, which names may have too:
    the longest that leaves a name of another one behind it is meant."""
    longest_first = sorted(
        ((name, at) for at, both in enumerate(names) for name in both if name),
        key=lambda pair: -len(pair[0]),
    )

    @cache
    def after(start: int) -> list[int] | None:
        for name, at in longest_first:
            end = start + len(name)
            if not text.startswith(name, start):
                continue
            if end == len(text):
                return [at]
            comma = _BETWEEN.match(text, end)
            others = after(comma.end()) if comma else None
            if others is not None:
                return [at, *others]
        return None

    return after(0)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
