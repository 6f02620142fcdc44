"""The options of a <select>, and which of them a text names. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from pytest_bwa.actions.choosing.choices import Choice, named, names_in


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
        names = [
            name
            for one in self.offered
            for name in (one.text, one.value, one.in_group, f"{one.text} ({one.group})")
        ]
        return [named(self.offered, name) for name in names_in(wanted, names)]
