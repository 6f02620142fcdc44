"""What an answer cites: for each of its values the numbers of the lines that show it. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
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


def leaves(answer: Mapping[str, Any], sources: Mapping[str, Any]) -> Iterator[Leaf]:
    """The plain values of an answer, each with its numbers. A list has one source for each item, or
    the same ones for all; an object one for all of its parts, or one for each."""
    for name, value in answer.items():
        yield from _leaves(value, sources.get(name), name, (name,), False)


def _leaves(value: Any, source: Any, words: str, path: Path, is_item: bool) -> Iterator[Leaf]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            own = source.get(name) if isinstance(source, Mapping) else source
            yield from _leaves(inner, own, f"{words}.{name}", (*path, name), is_item)
    elif isinstance(value, list):
        is_each = isinstance(source, list) and len(source) == len(value)
        for number, item in enumerate(value):
            own = source[number] if is_each else source
            yield from _leaves(item, own, f"{words}[{number}]", path, True)
    else:
        yield Leaf(words, path, value, is_item, numbers_in(source))


class Citations:
    """The sources of all answers of one sample. Of equal values of a list, each has its own."""

    def __init__(self) -> None:
        self._numbers: defaultdict[tuple[Path, str], list[tuple[Number, ...]]] = defaultdict(list)
        self._counted_none: set[str] = set()

    def add(self, extracted: Mapping[str, Any], sources: Mapping[str, Any]) -> None:
        """A value that is given again with a source takes the newer one."""
        new: defaultdict[tuple[Path, str], list[tuple[Number, ...]]] = defaultdict(list)
        is_none = (name for name, value in extracted.items() if value == 0)
        self._counted_none.update(name for name in is_none if sources.get(name) == [])
        for leaf in leaves(extracted, sources):
            if leaf.numbers:
                new[leaf.path, repr(leaf.value)].append(leaf.numbers)
        self._numbers |= new

    def count_none(self, path: Path, value: Any) -> bool:
        """Whether an answer says that there was nothing to count: 0, and no line for it."""
        return type(value) is int and value == 0 and path[0] in self._counted_none

    def of(self, path: Path, value: Any, nth: int = 0) -> tuple[Number, ...]:
        """The numbers for the ``nth`` of equal values of a field; empty if it was never cited."""
        known = self._numbers.get((path, repr(value)), [])
        return known[min(nth, len(known) - 1)] if known else ()
