"""Whether a number still stands for what the policy saw under it: many pages keep an element and
write another record into it. Pure.

What changes by itself is no other record: a clock, how long ago something was, a count, a text that
is added. A number only counts unless it names something ("OR-2", "Order 1042", the first cell of a
row), or other records of the page say the same but for their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import NamedTuple

from pytest_bwa.steps.step import Element, Observation

MAX_QUOTED = 160  # characters
MAX_PLACEHOLDER = 40
MIN_STEM = 3
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_MEASURE = re.compile(r"\d+[.,:]\d.*")
"""A clock, an amount, or a number in groups of digits."""
_CODE = re.compile(r"0\d+|\d{4,}")
"""What in a cell of its own is the number of something."""
_NAMED = re.compile(r"(?:[^\W\d_]|[#№_])[\s\-–#№/]*$")
"""What stands before a number that names something: "Order 1042", "OR-2", "#12"."""
_OF = re.compile(r"\d\s\w+\s$|\d\s?/\s?$")
"""What stands before the second number of "3 of 12" or "3/12"."""
_SHARE = re.compile(r"\s?[%/]|\s\w+\s\d")
"""What stands after the first of them, or after a percentage."""
_UNIT = re.compile(r"\s?(?:ms|s|secs?|m|mins?|h|hrs?|d|[kKMGT]i?B)\b")
_COUNTED = re.compile(r"\s[^\W\d_A-Z]")
"""What stands after a number that counts something: "12 orders"."""
_COUNT = re.compile(r"\s*[(\[]\d+\+?[)\]]\s*")
_LOADING = re.compile(r"(?:…|\.\.\.)$")
_AROUND_WORD = "·•|,;:()[]–—-"
_BUTTONS = frozenset({"button", "clickable", "switch", "tab"})
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
        self._ago = {word.casefold() for word in ago} - {"", "#"}

    def difference(self, was: Element, now: Words) -> Difference | None:
        """None if it is the same record. Headings and addresses count where an element stands in
        no record."""
        named = f"[{was.index}] {was.role}"
        own_numbers = not was.around and self._numbers_tell_names(was)
        if not self._says_same(was.name, now.name, numbers_tell=own_numbers, may_grow=False):
            may_tick = not own_numbers and _form(was.name) == _form(now.name)
            names = f"{named} was “{_cut(was.name)}” and is “{_cut(now.name)}” now"
            return Difference(names, may_tick)
        named += f" “{_cut(was.name)}”" if was.name else ""
        if was.around:
            return self._other_record(named, was.around, now.around)
        above, below = was.place.headings[-1:], now.headings[-1:]
        if above and below and not self._is_same(above, below, numbers_tell=False):
            places = f"{_quoted(above)} and now stands under {_quoted(below)}"
            is_text = not any(map(str.isdigit, above[0] + below[0]))
            return Difference(f"{named} stood under {places}", may_tick=is_text)
        if was.url and now.url and was.url.partition("#")[0] != now.url.partition("#")[0]:
            return Difference(f"{named} led to {was.url} and now leads to {now.url}", may_tick=True)
        return None

    def _other_record(
        self, named: str, was: tuple[str, ...], now: tuple[str, ...]
    ) -> Difference | None:
        numbers_tell = self._numbers_tell(was)
        if self._is_same(was, now, numbers_tell=numbers_tell) or self._is_told_by_the_rest(
            was, now
        ):
            return None
        may_tick = self._may_tick(was, now, numbers_tell=numbers_tell)
        places = f"{_quoted(was)} and now stands in {_quoted(now)}"
        return Difference(f"{named} stood in {places}", may_tick)

    def _is_told_by_the_rest(self, was: tuple[str, ...], now: tuple[str, ...]) -> bool:
        """Whether only the number of a row differs, or what its buttons are called, and what is
        left is there once only."""
        own = self._telling(was)
        is_same = len(was) == len(now) and all(was[at] == now[at] for at in own)
        others = [list(self._telling(record).values()) for record in self._records - {was}]
        return bool(own) and is_same and list(own.values()) not in others

    def _telling(self, record: tuple[str, ...]) -> dict[int, str]:
        """The parts of a record but for the number of its row and what its buttons are called, by
        their places."""
        buttons = self._buttons_in.get(record, set())
        parts = enumerate(record)
        return {n: p for n, p in parts if p not in buttons and (n or not self._is_position(p))}

    @cached_property
    def _buttons_in(self) -> dict[tuple[str, ...], set[str]]:
        """What the buttons of each record are called, which changes when they are pressed."""
        found: dict[tuple[str, ...], set[str]] = {}
        for element in self._page.all_elements:
            if element.around and element.role in _BUTTONS:
                found.setdefault(element.around, set()).add(element.name)
        return found

    def _is_position(self, text: str) -> bool:
        return text.isdecimal() and int(text) <= len(self._records)

    def _numbers_tell_names(self, was: Element) -> bool:
        """Whether other elements of its kind are called the same but for a number."""
        form = _form(was.name)
        alike = [e for e in self._page.all_elements if e.role == was.role and e.ref != was.ref]
        return any(_form(other.name) == form for other in alike)

    @cached_property
    def _records(self) -> set[tuple[str, ...]]:
        return {element.around for element in self._page.all_elements if element.around}

    def _numbers_tell(self, record: tuple[str, ...]) -> bool:
        forms = list(map(_form, record))
        return any(list(map(_form, other)) == forms for other in self._records - {record})

    def _may_tick(self, was: tuple[str, ...], now: tuple[str, ...], *, numbers_tell: bool) -> bool:
        """Whether only numbers differ, which tell nothing; or all but what the record is called; or
        only words, and the page has no other record of this kind."""
        if list(map(_form, was)) == list(map(_form, now)):
            return not numbers_tell
        others = [record for record in self._records if record != was]
        if all(len(record) != len(was) for record in others):
            return not any(map(str.isdigit, "".join({*was} ^ {*now})))
        is_called_alone = not any(record[0] == was[0] for record in others)
        return now[:1] == was[:1] and is_called_alone and any(map(str.isalpha, was[0]))

    def _is_same(self, was: Sequence[str], now: Sequence[str], *, numbers_tell: bool) -> bool:
        """Parts may be added, or taken away but for the first; where both happened, it is another
        record."""
        added = removed = False
        for tag, a, b, c, d in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
            if tag == "equal":
                continue
            for at, text in zip(range(a, b), now[c:d], strict=False):
                if not self._says_same(was[at], text, numbers_tell=numbers_tell, is_first=at == 0):
                    return False
            added |= d - c > b - a
            removed |= b - a > d - c
            if a == 0 and c == d:
                return False
        return not (added and removed)

    def _says_same(
        self,
        was: str,
        now: str,
        *,
        numbers_tell: bool,
        is_first: bool | None = None,
        may_grow: bool = True,
    ) -> bool:
        """``is_first`` is None for what is no part of a record."""
        if was.casefold().split() == now.casefold().split():
            return True
        if _LOADING.search(was) and len(was) <= MAX_PLACEHOLDER:
            return True
        if may_grow and now.startswith(f"{was} "):
            return True
        if self._without_time(was) == self._without_time(now) and (
            self._has_time(was) or self._has_time(now)
        ):
            return True
        return not numbers_tell and _only_counts(was, now, is_first=is_first)

    def _has_time(self, text: str) -> bool:
        return any(_bare(word) in self._ago for word in text.split())

    def _without_time(self, text: str) -> list[str]:
        """The words of a text without those that say how long ago something was."""
        words = text.split()
        is_time = [_bare(word) in self._ago for word in words]
        beside = [True in is_time[max(0, at - 1) : at + 2] for at in range(len(words))]
        return [
            word.casefold()
            for at, word in enumerate(words)
            if not is_time[at]
            and not (beside[at] and _bare(word) == "#")
            and _bare(word) not in _TIME_WORDS
        ]


def _only_counts(was: str, now: str, *, is_first: bool | None) -> bool:
    """Whether two texts differ only in numbers that name nothing."""
    if _COUNT.sub("", was) == _COUNT.sub("", now) != "":
        return True  # "Inbox" and "Inbox (3)"
    old, new = list(_NUMBER.finditer(was)), list(_NUMBER.finditer(now))
    if not old or len(old) != len(new) or not _is_same_form(was, now):
        return False
    return all(
        a[0] == b[0] or _counts(was, a, is_first=is_first) for a, b in zip(old, new, strict=True)
    )


def _is_same_form(was: str, now: str) -> bool:
    """Whether the words are the same; their ends may differ with a number (1 item, 2 items)."""
    old, new = _form(was).split(), _form(now).split()
    return len(old) == len(new) and all(_is_inflected(*pair) for pair in zip(old, new, strict=True))


def _is_inflected(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return a == b or (len(short) >= MIN_STEM and long in (f"{short}s", f"{short}es", f"{short}n"))


def _counts(text: str, number: re.Match[str], *, is_first: bool | None) -> bool:
    """Whether a number of a text counts or measures, and names nothing."""
    before, after = text[: number.start()], text[number.end() :]
    if _MEASURE.fullmatch(number[0]) or _OF.search(before) or _SHARE.match(after):
        return True
    if _UNIT.match(after):
        return True
    if re.match(r"\w|-\w", after) or _NAMED.search(before):
        return False
    if is_first is not None and text.strip() == number[0] and _CODE.fullmatch(number[0]):
        return False
    return not is_first or before.rstrip()[-1:] in ("(", "[") or _COUNTED.match(after) is not None


def _form(text: str) -> str:
    """A text with # for each number."""
    return " ".join(_NUMBER.sub("#", text).casefold().split())


def _bare(word: str) -> str:
    return _form(word).strip(_AROUND_WORD)


def _quoted(parts: Sequence[str]) -> str:
    return f"“{_cut(' | '.join(parts))}”" if parts else "nothing"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1]}…"
