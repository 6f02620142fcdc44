"""Finds the places from which a field can be read in every lesson. Pure.

A place counts only if it gives the value of each lesson letter for letter, or, where a lesson has
null or an empty list, if the page has nothing there, or what another lesson calls the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from pytest_bwa.place_identity import PlaceNotFound
from pytest_bwa.proof.places.placing import MAX_CHARACTERS
from pytest_bwa.proof.places.readable import Readable, ReadablePage
from pytest_bwa.proof.text_match import clean
from pytest_bwa.recipe.field_words import FieldWords
from pytest_bwa.recipe.lesson import Lesson, is_nothing
from pytest_bwa.recipe.links import REMOVABLE_DOUBTS, is_beyond_doubt, is_content, named_links
from pytest_bwa.recipe.parameters import any_number, filled, generalised
from pytest_bwa.recipe.places import Found, count_namesakes, find_value, place_in_recipe
from pytest_bwa.recipe.reading import FieldReader
from pytest_bwa.recipe.recipe import ReadAs, RecipePlace, ValueSource
from pytest_bwa.spec.task import TaskSpec

ABSENT = None
"""Instead of a text: the page has no such label."""
MANY = 1_000_000
BY_LABEL = 1
"""The last rank of a place that its label names."""
RELATED = 2
"""The rank of a place that the words around it name."""
UNNAMED = 3
"""The rank of a place where nothing names the field."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"\d[\d.,'’]*\d|\d")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place on one page of the walk."""

    page: int
    source: ValueSource
    read_as: ReadAs
    rank: int
    """How certainly the page's own words name the field there; 0 is best."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a candidate's place has in one lesson; ``is_value`` if it gives the lesson's value, else
    the lesson has null or an empty list."""

    text: str | None
    is_value: bool
    found: Readable | None = None


class CandidateFinder:
    """Finds the candidates of one task's fields."""

    def __init__(self, task: TaskSpec) -> None:
        self._task, self.reader = task, FieldReader(task)

    def all_in(self, name: str, lesson: Lesson) -> list[Candidate]:
        """Every place that gives the value of a lesson."""
        value = lesson.values.get(name)
        if is_nothing(value) or isinstance(value, dict):
            return []
        return list(dict.fromkeys(self._candidates(name, lesson)))

    def _candidates(self, name: str, lesson: Lesson) -> Iterator[Candidate]:
        value, words = lesson.values[name], self._words(name)
        for number, page in enumerate(lesson.pages):
            for readable in page.readables:
                is_certain = readable.refusal in REMOVABLE_DOUBTS or is_beyond_doubt(
                    readable, page=page, doubt=""
                )
                if not is_certain or not is_content(readable.place):
                    continue
                if readable.part == "url" or not _may_say(value, readable):
                    continue
                for source, read_as in self._sources(name, value, readable, lesson, page):
                    with suppress(PlaceNotFound):
                        counted = self._checked(source, number, lesson, readable)
                        yield Candidate(number, counted, read_as, _rank(readable, words))
            yield from self._links(name, lesson, number, words)

    def _links(
        self, name: str, lesson: Lesson, number: int, words: FieldWords
    ) -> Iterator[Candidate]:
        """The links that say in their address what their text is."""
        page = lesson.pages[number]
        for link, address in named_links(page):
            if link.text == lesson.values[name]:
                place = place_in_recipe(page.identity(link), lesson.columns)
                source = ValueSource(place=place, address=address)
                rank = RELATED if words.are_in(_before_gap(address)) else UNNAMED
                with suppress(PlaceNotFound):
                    counted = self._checked(source, number, lesson, link)
                    yield Candidate(number, counted, "typed", rank)

    def _sources(
        self, name: str, value: Any, readable: Readable, lesson: Lesson, page: ReadablePage
    ) -> Iterator[tuple[ValueSource, ReadAs]]:
        """The whole text if it is the value, else the part of it that is. What is one item may be
        read as a list in several ways: others say which it is."""
        place = place_in_recipe(page.identity(readable), lesson.columns)
        ways = list(self.reader.ways_to_read(name, value, readable, page.page))
        for read_as in ways if isinstance(value, list) else ways[:1]:
            yield ValueSource(place=place, part=readable.part, doubt=_doubt(readable)), read_as
        if not ways and readable.part in ("text", "title") and len(readable.text) <= MAX_CHARACTERS:
            text = clean(readable.text)
            for start, end in self._parts(name, value, text, readable, page):
                before, after = text[:start], text[end:]
                yield _part(place, readable, before, after, lesson), "typed"

    def _parts(
        self, name: str, value: Any, text: str, readable: Readable, page: ReadablePage
    ) -> list[tuple[int, int]]:
        """Where in a text the value stands, if that is at one place only."""
        if isinstance(value, str):
            found = [(m.start(), m.end()) for m in re.finditer(re.escape(value), text) if value]
            found = [(start, end) for start, end in found if _is_whole(text, start, end)]
        elif isinstance(value, int | float) and not isinstance(value, bool):
            numbers = [m for m in _NUMBER.finditer(text) if _is_whole(text, m.start(), m.end())]
            parts = ((m, replace(readable, part="text", text=m[0])) for m in numbers)
            read = self.reader.ways_to_read
            fitting = (m for m, part in parts if "typed" in read(name, value, part, page.page))
            found = [(m.start(), m.end()) for m in fitting]
        else:
            return []
        is_part = len(found) == 1 and found[0] != (0, len(text))
        return found if is_part else []

    def _checked(
        self, source: ValueSource, number: int, lesson: Lesson, readable: Readable
    ) -> ValueSource:
        """The source, if it finds what stands there. Raises PlaceNotFound if it does not."""
        page = lesson.pages[number]
        counted = source.model_copy(update={"namesakes": MANY})
        found = find_value(counted, page, lesson.columns).readable
        if found.text not in readable.text or found.place != readable.place:
            raise PlaceNotFound("another text stands there")
        return counted

    def seen_in(self, name: str, candidate: Candidate, lesson: Lesson) -> Seen | None:
        """What the place has in a lesson; None if that is not what the lesson says."""
        if candidate.page >= len(lesson.pages):
            return None
        page, value = lesson.pages[candidate.page], lesson.values.get(name)
        try:
            found = find_value(candidate.source, page, lesson.columns)
        except (PlaceNotFound, KeyError):
            label = candidate.source.place.name
            is_gone = bool(label) and not any(r.label == label for r in page.readables)
            return Seen(ABSENT, is_value=False) if is_nothing(value) and is_gone else None
        if is_nothing(value):
            return Seen(_text(found, lesson), is_value=False, found=found.readable)
        if found.is_empty:
            return None
        forms = self.reader.ways_to_read(name, value, found.readable, page.page)
        is_same = candidate.read_as in forms
        return Seen(clean(found.readable.text), True, found.readable) if is_same else None

    def _words(self, name: str) -> FieldWords:
        return FieldWords([name], self._task.aliases.get(name, ()))


def chosen(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those that the page's own words name best, on the first page that has any; of one label
    only one."""
    best = min(candidate.rank for candidate in candidates)
    named = [candidate for candidate in candidates if candidate.rank == best]
    first = min(candidate.page for candidate in named)
    by_label: dict[tuple[object, ...], Candidate] = {}
    for candidate in named:
        if candidate.page == first:
            place = candidate.source.place
            by_label.setdefault((place.name, place.headings, place.record), candidate)
    return list(by_label.values())


def with_namesakes(candidate: Candidate, lessons: Sequence[Lesson]) -> ValueSource:
    """The source of a candidate, with how often its label was on a page at most."""
    counts = [
        count_namesakes(_label(candidate, lesson), lesson.pages[candidate.page], lesson.columns)
        for lesson in lessons
    ]
    return candidate.source.model_copy(update={"namesakes": max(1, *counts)})


def _label(candidate: Candidate, lesson: Lesson) -> str:
    return filled(candidate.source.place.name, lesson.columns)


def _text(found: Found, lesson: Lesson) -> str:
    return "" if found.is_empty else generalised(found.readable.text, lesson.columns)


def _may_say(value: Any, readable: Readable) -> bool:
    """Whether it is worth to read a text: most of a large page cannot be the value."""
    if isinstance(value, str):
        in_text = value.casefold() in readable.text.casefold()
        return in_text or (_DATE.match(value) is not None and _has_digit(readable))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return _has_digit(readable) if is_number else True


def _has_digit(readable: Readable) -> bool:
    return any(character.isdigit() for character in readable.text[:MAX_CHARACTERS])


def _part(
    place: RecipePlace, readable: Readable, before: str, after: str, lesson: Lesson
) -> ValueSource:
    """A part of a text, between what stands around it."""

    def fixed(text: str) -> str:
        return any_number(generalised(text, lesson.columns, keeps_ends=True))

    return ValueSource(
        place=place,
        part=readable.part,
        before=fixed(before),
        after=fixed(after),
        doubt=_doubt(readable),
    )


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a part of a text is more than a part of a word."""
    ends = (text[start - 1 : start] + text[start], text[end - 1] + text[end : end + 1])
    return not any(len(pair) == 2 and pair.isalnum() for pair in ends)


def _rank(readable: Readable, words: FieldWords) -> int:
    if readable.label and readable.part in ("text", "items", "value"):
        if words.are_exactly(readable.label):
            return 0
        if words.are_in(readable.label):
            return 1
    names = [readable.place.record_name, *readable.place.headings[-1:], readable.label]
    return RELATED if any(words.are_in(text) for text in names) else UNNAMED


def _doubt(readable: Readable) -> str:
    return readable.refusal if readable.refusal in REMOVABLE_DOUBTS else ""


def _before_gap(address: str) -> str:
    """What an address calls the part that may be anything: ``status`` in ``/query?status=*``."""
    return re.split(r"[?&/=]", address.partition("*")[0].rstrip("=/"))[-1]
