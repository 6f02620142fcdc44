"""The options of a <select>, and which of them a text names. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from pytest_bwa.actions.choosing.choices import Choice, named

_BETWEEN = re.compile(r"\s*,\s*")


@dataclass(frozen=True, slots=True)
class NativeList:
    """A <select> as it is at one moment."""

    is_multiple: bool
    options: list[Choice]
    chosen: list[Choice]
    offered: list[Choice]
    """Those that can be chosen; all of them where none can."""

    @classmethod
    def read(cls, found: dict[str, Any]) -> Self:
        """What the reader selectOptions found."""
        options, chosen, offered = [], [], []
        for at, (label, value, is_chosen, group, is_offered) in enumerate(found["options"]):
            option = Choice(at, label, label, group=group, value=value)
            options.append(option)
            chosen += [option] * is_chosen
            offered += [option] * is_offered
        return cls(found["multiple"], options, chosen, offered or options)

    @property
    def labels(self) -> list[str]:
        return [option.text for option in self.options]

    @property
    def text(self) -> str:
        """What the list of elements says as its value."""
        return ", ".join(option.text for option in self.chosen)

    def called(self, wanted: str) -> list[list[Choice]]:
        """The options that a text names: for each name in it all that are called so; empty if it
        names one that is not there. The name of one option comes first: it may have commas."""
        if one := named(self.offered, wanted) or named(self.options, wanted):
            return [one]
        if not self.is_multiple:
            return []
        return [named(self.offered, name) for name in self._names_in(wanted)]

    def _names_in(self, wanted: str) -> list[str]:
        """The names that stand in a text with commas between them, which names may have too: the
        longest that leaves another name behind it is meant."""
        text = " ".join(wanted.split()).casefold()
        every = {
            " ".join(name.split()).casefold()
            for one in self.offered
            for name in (one.text, one.value, one.in_group, f"{one.text} ({one.group})")
        }
        longest_first = sorted(every - {""}, key=len, reverse=True)

        @cache
        def after(start: int) -> list[str] | None:
            for name in longest_first:
                end = start + len(name)
                if not text.startswith(name, start):
                    continue
                if end == len(text):
                    return [name]
                comma = _BETWEEN.match(text, end)
                others = after(comma.end()) if comma else None
                if others is not None:
                    return [name, *others]
            return None

        return after(0) or []
