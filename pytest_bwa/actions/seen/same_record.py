"""Whether a number still stands for what the policy saw under it: many pages keep an element and
write another record into it. Pure.

One comparison decides: the same words in the same order, but for numbers and for how long ago
something was. More words may have come, or some may be gone, but not those that the record begins
with. A number counts where it names something ("OR-2", "Order 1042", 1042 in a cell of its own),
and all of them do where something else on the page says the same but for its numbers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pytest_bwa.steps.step import Element, Observation

MAX_QUOTED = 160  # characters
MAX_PLACEHOLDER = 40
MIN_STEM = 3
MIN_CODE = 4
"""Digits of what in a cell of its own is the number of something."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_ONLY_NUMBERS = re.compile(r"\W*\d[\d\W]*(?:ms|[smhd]|[kKMGT]i?B?)?\W*")
"""An amount, a clock, a count in brackets, with its signs and a short unit."""
_UNIT = re.compile(r"(?:ms|s|secs?|m|mins?|h|hrs?|d|[kKMGT]i?B)\b|%|/")
_LOADING = re.compile(r"(?:…|\.\.\.)$")
_AROUND_WORD = "·•|,;:()[]–—-"
_TIME_WORDS = frozenset(
    {"a", "an", "about", "few", "just", "less", "moments", "now", "one", "than"}
)


class Difference(NamedTuple):
    """In which words another record differs from the one that was seen."""

    text: str
    may_tick: bool
    """Whether it could be the same record: if it differs like that again, it changes by itself."""


@dataclass(frozen=True, slots=True)
class Words:
    """What an element is called, what its record says part by part, and the headings above it."""

    name: str
    around: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    url: str = ""
    """Where a link leads."""


class SameRecord:
    """Compares what the elements of a page said with what they say later. ``ago`` are the words in
    which the page says how long ago something was, with # for numbers."""

    def __init__(self, page: Observation, ago: Collection[str] = ()) -> None:
        self._page = page
        self._time = {word.casefold() for word in ago} - {"", "#"} | _TIME_WORDS

    def difference(self, was: Element, now: Words) -> Difference | None:
        """None if it is the same record. Headings and addresses count where an element stands in
        no record."""
        named = f"[{was.index}] {was.role}"
        if was.name != now.name and not self._is_called_so(was, now.name):
            names = f"{named} was “{_cut(was.name)}” and is “{_cut(now.name)}” now"
            return Difference(names, may_tick=_form(was.name) == _form(now.name))
        named += f" “{_cut(was.name)}”" if was.name else ""
        if was.around:
            return self._other_record(f"{named} stood in", was.around, now.around)
        above, below = was.place.headings[-1:], now.headings[-1:]
        if above and below and not self._is_same(above, below, ()):
            places = f"{_quoted(above)} and now stands under {_quoted(below)}"
            return Difference(f"{named} stood under {places}", may_tick=False)
        if was.url and now.url and was.url.partition("#")[0] != now.url.partition("#")[0]:
            return Difference(f"{named} led to {was.url} and now leads to {now.url}", may_tick=True)
        return None

    def _other_record(
        self, stood: str, was: tuple[str, ...], now: tuple[str, ...]
    ) -> Difference | None:
        others = self._records - {was}
        if self._is_same(was, now, others):
            return None
        is_called_alone = all(other[0] != was[0] for other in others)
        places = f"{_quoted(was)} and now stands in {_quoted(now)}"
        return Difference(f"{stood} {places}", may_tick=is_called_alone and now[:1] == was[:1])

    @cached_property
    def _records(self) -> set[tuple[str, ...]]:
        return {element.around for element in self._page.all_elements if element.around}

    def _is_called_so(self, was: Element, now: str) -> bool:
        """No word may be added: "Delete all" is another button than "Delete"."""
        alike = [e for e in self._page.all_elements if e.role == was.role and e.ref != was.ref]
        form = [*self._of(was.name)]
        tells = not was.around and any([*self._of(other.name)] == form for other in alike)
        return _are_alike([*self._of(was.name, tells)], [*self._of(now, tells)])

    def _is_same(
        self, was: tuple[str, ...], now: tuple[str, ...], others: Collection[tuple[str, ...]]
    ) -> bool:
        if was == now:
            return True
        tells = self._numbers_tell(was, others)
        old, new, first = (self._words(parts, tells) for parts in (was, now, was[:1]))
        return _are_alike(first, new[: len(first)]) and (_are_in(old, new) or _are_in(new, old))

    def _numbers_tell(self, record: Sequence[str], others: Collection[Sequence[str]]) -> bool:
        words = self._words(record)
        return any(self._words(other) == words for other in others)

    def _words(self, parts: Sequence[str], numbers_tell: bool = False) -> list[str]:
        """The words that tell one record from another."""
        known = [p for p in parts if not (_LOADING.search(p) and len(p) <= MAX_PLACEHOLDER)]
        return [word for at, part in enumerate(known) for word in self._of(part, numbers_tell, at)]

    def _of(self, part: str, numbers_tell: bool = False, at: int | None = None) -> Iterator[str]:
        """``at`` is None for what is no part of a record."""
        words = part.casefold().split()
        is_time = [False, *(_form(w).strip(_AROUND_WORD) in self._time for w in words), False]
        for n, word in enumerate(words):
            is_number = _ONLY_NUMBERS.fullmatch(word) is not None
            is_beside = is_time[n] or is_time[n + 2]
            if is_time[n + 1] or (is_number and is_beside):
                continue
            if not is_number or numbers_tell or self._names(words, n, at):
                yield word

    def _names(self, words: Sequence[str], n: int, at: int | None) -> bool:
        """Whether a number names something: behind a word, or alone in the first part of a record,
        unless it says only which row that is, or with many digits in any other."""
        digits = words[n].lstrip("#№")
        if not digits.isdecimal():
            return False
        if len(words) == 1:
            is_called = at == 0 and int(digits) > len(self._records)
            is_code = len(digits) >= MIN_CODE or digits[0] == "0"
            return is_called or (at is not None and is_code)
        before, after = words[n - 1] if n else "", words[n + 1] if n + 1 < len(words) else ""
        is_share = any(map(str.isdecimal, (*words[n + 2 : n + 3], *words[max(0, n - 2) : n - 1])))
        is_named = before[-1:].isalpha() or digits != words[n]
        return is_named and not is_share and not _UNIT.match(after)


def _are_in(some: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words come in this order among others."""
    left = iter(words)
    return all(any(_is_inflected(word, other) for other in left) for word in some)


def _are_alike(some: Sequence[str], others: Sequence[str]) -> bool:
    return len(some) == len(others) and all(map(_is_inflected, some, others))


def _is_inflected(a: str, b: str) -> bool:
    """Whether it is one word; its end may differ with a number (1 item, 2 items)."""
    short, long = sorted((a, b), key=len)
    return a == b or (len(short) >= MIN_STEM and long in (f"{short}s", f"{short}es", f"{short}n"))


def _form(text: str) -> str:
    """A text with # for each number."""
    return " ".join(_NUMBER.sub("#", text).casefold().split())


def _quoted(parts: Sequence[str]) -> str:
    return f"“{_cut(' | '.join(parts))}”" if parts else "nothing"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1]}…"
