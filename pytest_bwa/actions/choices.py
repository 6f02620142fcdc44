"""The choices of a list, and which of them a text names. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from pytest_bwa.steps.text import first_of, folded

MAX_NAMED = 20  # choices in a message
_BETWEEN = re.compile(r"[\s>›»→/|:;,()\[\]–—-]+")
_COMMA = re.compile(r"\s*,\s*")
_IN_GROUP = re.compile(r"^(?:.*\s[>›»→/]\s)?(.+?)(?:\s*\([^()]*\))?$", re.S)


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice; ``key`` is its place in a <select>, else its number in its document."""

    key: int
    text: str
    name: str
    """The first part of its text, where that has several."""
    detail: str = ""
    """The other parts."""
    group: str = ""
    value: str = ""

    @classmethod
    def read(cls, found: Sequence[Any]) -> Self:
        """What the reader describedChoice found."""
        number, text, parts, group, value = found
        name, *others = parts or [text]
        return cls(number, text, name, ", ".join(others), group, value)

    def is_called(self, wanted: str) -> bool:
        return folded(wanted) in (folded(self.text), folded(self.name))

    @property
    def effect(self) -> tuple[str, ...]:
        """What choosing it does: the same for the option of a country that a page lists twice, in a
        group of frequent ones, too."""
        if self.value not in ("", self.text):
            return self.text, self.value
        return self.text, self.group, self.value, "" if self.value else str(self.key)

    @property
    def in_group(self) -> str:
        return f"{self.group} > {self.name}" if self.group else self.text


def named(choices: Sequence[Choice], wanted: str) -> list[Choice]:
    """The choices that a text names: all that fit it best. Those that differ in nothing are one."""
    text = folded(wanted)
    words = _words(wanted)
    ways: tuple[Callable[[Choice], bool], ...] = (
        lambda one: one.text == wanted.strip(),
        lambda one: folded(one.text) == text,
        lambda one: one.value != "" and one.value == wanted.strip(),
        lambda one: one.value != "" and folded(one.value) == text,
        lambda one: words in _qualified(one),
        lambda one: folded(one.name) == text,
    )
    for fits in ways:
        if text and (found := [one for one in choices if fits(one)]):
            return found[:1] if len({one.effect for one in found}) == 1 else found
    return []


def names_in(text: str, every: Iterable[str]) -> list[str]:
    """The names that stand in a text with commas between them, which names may have, too: the
    longest that leaves another name behind it is meant. Empty if anything in it is no name."""
    whole, names = folded(text), {folded(name): name for name in every if name.strip()}
    longest_first = sorted(names, key=len, reverse=True)

    @cache
    def after(start: int) -> list[str] | None:
        for name in longest_first:
            end = start + len(name)
            if not whole.startswith(name, start):
                continue
            if end == len(whole):
                return [names[name]]
            comma = _COMMA.match(whole, end)
            others = after(comma.end()) if comma else None
            if others is not None:
                return [names[name], *others]
        return None

    return after(0) or []


def own_name(wanted: str) -> str:
    """A name without the group that it was given: "Springfield" for "Missouri > Springfield"."""
    found = _IN_GROUP.match(wanted.strip())
    return found[1] if found else wanted.strip()


def ambiguous(found: Sequence[Choice], wanted: str) -> str:
    """That a text names several choices, and how each can be named."""
    count = f'{len(found)} options are called "{wanted}"'
    for way in (_by_group, _by_detail, _by_value):
        names = [way(one) for one in found]
        if len({_words(name) for name in names}) == len(found):
            return f"{count}; none was chosen: name one as {_list(names)}"
    return f"{count} and no name tells them apart; none was chosen: click the one you mean"


def no_such_option(wanted: str, options: Sequence[Choice]) -> str:
    return f'there is no option "{wanted}"; the options are: {quoted(options)}'


def quoted(options: Sequence[Choice], among: Sequence[Choice] = ()) -> str:
    """Their names, and the groups of those that share one with another of the list."""
    names = Counter(one.text for one in among or options)
    return _list([one.in_group if names[one.text] > 1 else one.text for one in options])


def _by_group(one: Choice) -> str:
    return f"{one.group} > {one.name}" if one.group else one.name


def _by_detail(one: Choice) -> str:
    return f"{one.name} ({one.detail})" if one.detail else one.name


def _by_value(one: Choice) -> str:
    return f"{one.name} ({one.value})"


def _qualified(one: Choice) -> set[str]:
    """The words of a choice's name with what tells it from others, before it or after it."""
    parts = [part for part in (one.group, one.detail, one.value) if part]
    if one.group and one.detail:
        parts.append(f"{one.group} {one.detail}")
    return {
        words
        for name in {one.text, one.name}
        for part in parts
        for words in (_words(f"{part} {name}"), _words(f"{name} {part}"))
    }


def _list(names: Sequence[str]) -> str:
    return first_of([f'"{name}"' for name in names], MAX_NAMED)


def _words(text: str) -> str:
    return _BETWEEN.sub(" ", text).strip().casefold()


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
