"""What an answer cites: for each of its values the numbers of the lines that show it. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_bwa.proof.lines import Number

Path = tuple[str, ...]
"""Where a plain value stands in an answer: the field and the parts of objects, without the places
in lists."""
Leaf = tuple[Path, Any, tuple[Number, ...]]
_NUMBER = re.compile(r"\s*\[?(\d+)\]?\s*")
_REF = re.compile(r"\d+\.\d+")


def numbers_in(source: Any) -> tuple[Number, ...]:
    """All numbers of a source, however they are nested or written ("[7]"), each once."""
    return tuple(dict.fromkeys(_numbers_in(source)))


def _numbers_in(source: Any) -> Iterator[Number]:
    if isinstance(source, bool) or source is None:
        return
    if isinstance(source, int):
        yield source
    elif isinstance(source, str):
        if _REF.fullmatch(source):
            yield source
        else:
            yield from (int(part) for part in _NUMBER.findall(source))
    else:
        inner = source.values() if isinstance(source, Mapping) else source
        for part in inner if isinstance(inner, Sequence) or isinstance(source, Mapping) else ():
            yield from _numbers_in(part)


def leaves(value: Any, source: Any, path: Path) -> Iterator[Leaf]:
    """The plain values of a part of an answer, each with its numbers. A list has one source for
    each item, or the same ones for all; an object one for all of its parts, or one for each."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            own = source.get(name) if isinstance(source, Mapping) else source
            yield from leaves(inner, own, (*path, name))
    elif isinstance(value, list):
        is_each = isinstance(source, list) and len(source) == len(value)
        for number, item in enumerate(value):
            yield from leaves(item, source[number] if is_each else source, path)
    else:
        yield path, value, numbers_in(source)


class Citations:
    """The sources of all answers of one sample. Of equal values of a list, each has its own."""

    def __init__(self) -> None:
        self._numbers: defaultdict[tuple[Path, str], list[tuple[Number, ...]]] = defaultdict(list)
        self._counted_none: set[str] = set()

    def add(self, extracted: Mapping[str, Any], sources: Mapping[str, Any]) -> None:
        """A value that is given again with a source takes the newer one."""
        new: defaultdict[tuple[Path, str], list[tuple[Number, ...]]] = defaultdict(list)
        for name, value in extracted.items():
            if sources.get(name) == [] and value == 0:
                self._counted_none.add(name)
            for path, plain, numbers in leaves(value, sources.get(name), (name,)):
                if numbers:
                    new[path, repr(plain)].append(numbers)
        self._numbers |= new

    def count_none(self, path: Path, value: Any) -> bool:
        """Whether an answer says that there was nothing to count: 0, and no line for it."""
        return type(value) is int and value == 0 and path[0] in self._counted_none

    def of(self, path: Path, value: Any, nth: int = 0) -> tuple[Number, ...]:
        """The numbers for the ``nth`` of equal values of a field; empty if it was never cited."""
        known = self._numbers.get((path, repr(value)), [])
        return known[min(nth, len(known) - 1)] if known else ()
