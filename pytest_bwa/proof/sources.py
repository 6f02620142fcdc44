"""What an answer cites: for each of its values the numbers of the lines that show it. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from pytest_bwa.proof.lines import Number

Path = tuple[str, ...]
"""Where a plain value stands in an answer: the field and the parts of objects, without the places
in lists."""
_NUMBER = re.compile(r"\s*\[?(\d+)\]?\s*")
_REF = re.compile(r"\d+\.\d+")


def numbers_in(source: Any) -> tuple[Number, ...]:
    """All numbers of a source, however they are nested or written ("[7]"), each once."""
    return tuple(dict.fromkeys(_numbers_in(source)))


def _numbers_in(source: Any) -> Iterator[Number]:
    match source:
        case bool():
            return
        case int():
            yield source
        case str():
            is_ref = _REF.fullmatch(source) is not None
            yield from [source] if is_ref else map(int, _NUMBER.findall(source))
        case Mapping():
            yield from chain.from_iterable(map(_numbers_in, source.values()))
        case Sequence():
            yield from chain.from_iterable(map(_numbers_in, source))


class Leaf(NamedTuple):
    """A plain value of an answer."""

    words: str
    """Its place in the answer: ``checks[1].name``."""
    path: Path
    value: Any
    is_item: bool
    """Whether it is one of a list."""
    numbers: tuple[Number, ...]
    """Those of its source."""
    entry: Any = None
    """The outermost entry of a list that it is a part of, or is."""


def leaves(answer: Mapping[str, Any], sources: Mapping[str, Any]) -> Iterator[Leaf]:
    """The plain values of an answer, each with its numbers. A list has one source for each item, or
    the same ones for all; an object one for all of its parts, or one for each."""
    for name, value in answer.items():
        yield from _leaves(value, sources.get(name), name, (name,), False, None)


def _leaves(
    value: Any, source: Any, words: str, path: Path, is_item: bool, entry: Any
) -> Iterator[Leaf]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            own = source.get(name) if isinstance(source, Mapping) else source
            yield from _leaves(inner, own, f"{words}.{name}", (*path, name), is_item, entry)
    elif isinstance(value, list):
        is_each = isinstance(source, list) and len(source) == len(value)
        for number, item in enumerate(value):
            own = source[number] if is_each else source
            outermost = entry if is_item else item
            yield from _leaves(item, own, f"{words}[{number}]", path, True, outermost)
    else:
        yield Leaf(words, path, value, is_item, numbers_in(source), entry)


class Which(NamedTuple):
    """Which of the equal values of a field one is."""

    nth: int = 0
    """Counted from 0, in the whole answer."""
    entry: Any = None
    nth_in_entry: int = 0


class EqualValues:
    """Counts the equal values of an answer, in its order."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[Path, str]] = Counter()
        self._seen_in: Counter[tuple[Path, str, str]] = Counter()

    def count(self, path: Path, value: Any, entry: Any) -> Which:
        key = (path, repr(value))
        own = (*key, repr(entry))
        found = Which(self._seen[key], entry, self._seen_in[own])
        self._seen[key] += 1
        self._seen_in[own] += 1
        return found


class Citations:
    """The sources of all answers of one sample. Of equal values of a list, each has its own,
    whether its entries came one after the other or all at once."""

    def __init__(self) -> None:
        self._cited: defaultdict[tuple[Path, str], dict[str, _Cited]] = defaultdict(dict)
        """For each value the entries, as text, that have it."""
        self._counted_none: set[str] = set()

    def add(self, extracted: Mapping[str, Any], sources: Mapping[str, Any]) -> None:
        """A value that is given again with a source takes the newer one."""
        new: defaultdict[tuple[Path, str], dict[str, _Cited]] = defaultdict(dict)
        is_none = (name for name, value in extracted.items() if value == 0)
        self._counted_none.update(name for name in is_none if sources.get(name) == [])
        for leaf in leaves(extracted, sources):
            if leaf.numbers:
                of_value = new[leaf.path, repr(leaf.value)]
                cited = of_value.setdefault(repr(leaf.entry), _Cited(leaf.entry, []))
                cited.numbers.append(leaf.numbers)
        for key, of_value in new.items():
            self._cited[key] |= of_value

    def count_none(self, path: Path, value: Any) -> bool:
        """Whether an answer says that there was nothing to count: 0, and no line for it."""
        return type(value) is int and value == 0 and path[0] in self._counted_none

    def of(self, path: Path, value: Any, which: Which = Which()) -> tuple[Number, ...]:  # noqa: B008 - a tuple
        """The numbers of one of equal values of a field; empty if it was never cited."""
        known = self._cited.get((path, repr(value)), {})
        own = known.get(repr(which.entry))
        if own is None:  # the entry was saved in several parts
            parts = [cited for cited in known.values() if _is_part(cited.entry, which.entry)]
            own = parts[-1] if parts else None
        numbers, nth = own.numbers if own else [], which.nth_in_entry
        if own is None:  # or it was changed since then
            numbers, nth = [n for cited in known.values() for n in cited.numbers], which.nth
        return numbers[min(nth, len(numbers) - 1)] if numbers else ()


class _Cited(NamedTuple):
    """The numbers for each of the equal values of an entry, as it was when they came."""

    entry: Any
    numbers: list[tuple[Number, ...]]


def _is_part(part: Any, whole: Any) -> bool:
    """Whether an entry has all that one has which was saved before."""
    if isinstance(part, Mapping) and isinstance(whole, Mapping):
        return all(name in whole and _is_part(part[name], whole[name]) for name in part)
    if isinstance(part, list) and isinstance(whole, list):
        return all(any(_is_part(item, other) for other in whole) for item in part)
    return bool(part == whole)
