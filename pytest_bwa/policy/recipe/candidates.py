"""Finds the places from which a field can be read in every lesson. Pure.

They come of where the lessons' values were seen. A place counts only if it gives the value of each
lesson letter for letter, or, where a lesson has null or an empty list, if the page has nothing
there, or what another lesson calls the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from pytest_bwa.facts.fact import Fact
from pytest_bwa.facts.identity import PlaceNotFound
from pytest_bwa.facts.place import PageFacts, ValuePlace, Where, locate
from pytest_bwa.facts.value import ReadAs
from pytest_bwa.policy.recipe.lesson import Lesson, is_nothing
from pytest_bwa.policy.recipe.parameters import any_number, filled, generalised
from pytest_bwa.policy.recipe.places import (
    count_namesakes,
    find_value,
    is_beyond_doubt,
    is_content,
    named_links,
    place_in_recipe,
)
from pytest_bwa.policy.recipe.reading import FieldReader
from pytest_bwa.policy.recipe.recipe import ValueSource
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.place_identity import PlaceIdentity

ABSENT = None
"""Instead of a text: the page has no such label."""
MANY = 1_000_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place on one page of the walk."""

    page: int
    source: ValueSource
    read_as: ReadAs

    @property
    def is_labelled(self) -> bool:
        """Whether the page has a label there."""
        return bool(self.source.place.name)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a candidate's place has in one lesson; ``is_value`` if it gives the lesson's value, else
    the lesson has null or an empty list."""

    text: str | None
    is_value: bool
    found: Fact | None = None


class CandidateFinder:
    """Finds the candidates of one task's fields."""

    def __init__(self, task: TaskSpec) -> None:
        self.reader = FieldReader(task)

    def all_in(self, name: str, lesson: Lesson) -> list[Candidate] | None:
        """The places at which a lesson's value was seen; None if it has no value, or if nothing
        finds its place again."""
        value = lesson.values.get(name)
        if is_nothing(value) or not lesson.has_place(name):
            return None
        return list(dict.fromkeys(self._candidates(name, value, lesson)))

    def is_sure(self, name: str, lesson: Lesson) -> bool:
        """Whether a value stands at no other place than where it was seen, as far as anybody can
        say: its place was cited, or nothing with another label has the same text."""
        records = lesson.records(name)
        if all(record.cited for record in records):
            return True
        places = [record.place for record in records if record.place is not None]
        labels = {place.identity.name for place in places}
        texts = {place.text for place in places}
        others = (r for page in lesson.pages for r in page.texts)
        return not any(r.label and r.label not in labels and r.text in texts for r in others)

    def _candidates(self, name: str, value: Any, lesson: Lesson) -> Iterator[Candidate]:
        for number, page in enumerate(lesson.pages):
            for place in lesson.places(name):
                for source, read_as, fact in self._sources(name, value, place, lesson, page):
                    with suppress(PlaceNotFound):
                        counted = self._checked(source, number, lesson, fact)
                        yield Candidate(number, counted, read_as)
            if lesson.is_a_link(name):
                yield from self._links(value, lesson, number)

    def _links(self, value: Any, lesson: Lesson, number: int) -> Iterator[Candidate]:
        """The links that say in their address what their text is."""
        page = lesson.pages[number]
        for link, address in named_links(page):
            if link.text == value:
                place = place_in_recipe(page.identity(link), lesson.columns)
                source = ValueSource(place=place, address=address)
                with suppress(PlaceNotFound):
                    yield Candidate(number, self._checked(source, number, lesson, link), "typed")

    def _sources(
        self, name: str, value: Any, place: ValuePlace, lesson: Lesson, page: PageFacts
    ) -> Iterator[tuple[ValueSource, ReadAs, Fact]]:
        """The whole text at a place if it is the value, else the part of it that is. What is one
        item may be read as a list in several ways: others say which it is."""
        is_list, is_found = isinstance(value, list), False
        own = place_in_recipe(place.identity, lesson.columns)
        if not place.is_on(page):
            return
        where = place.where
        whole = replace(where, before="", after="")
        for part in dict.fromkeys((place.part, "items") if is_list else (place.part,)):
            fact = _at(replace(whole, part=part), page)
            if fact is None:
                continue
            ways = self._ways(name, value, fact, page)
            for read_as in ways if is_list else ways[:1]:
                is_found = True
                yield ValueSource(place=own, part=part), read_as, fact
        if is_found or is_list or whole == where:
            return
        if (fact := _at(where, page)) is not None:
            for read_as in self._ways(name, value, fact, page)[:1]:
                yield _part(own, place, lesson), read_as, fact

    def _ways(self, name: str, value: Any, fact: Fact, page: PageFacts) -> list[ReadAs]:
        if fact.kind == "address" or not is_content(fact.place):
            return []
        if not is_beyond_doubt(fact, page=page):
            return []
        return list(self.reader.ways_to_read(name, value, fact, page.page))

    def _checked(self, source: ValueSource, number: int, lesson: Lesson, fact: Fact) -> ValueSource:
        """The source, if it finds what stands there. Raises PlaceNotFound if it does not."""
        page = lesson.pages[number]
        counted = source.model_copy(update={"namesakes": MANY})
        found = find_value(counted, page, lesson.columns)
        if found.text != fact.text or found.place != fact.place:
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
            is_gone = bool(label) and not any(r.label == label for r in page.placed)
            return Seen(ABSENT, is_value=False) if is_nothing(value) and is_gone else None
        if is_nothing(value):
            return Seen(generalised(found.text, lesson.columns), is_value=False, found=found)
        if not found.text:
            return None
        forms = self.reader.ways_to_read(name, value, found, page.page)
        is_same = candidate.read_as in forms
        return Seen(found.text, True, found) if is_same else None


def chosen(candidates: Sequence[Candidate]) -> Candidate:
    """The one on the first page that has any."""
    return min(candidates, key=lambda candidate: candidate.page)


def with_namesakes(candidate: Candidate, lessons: Sequence[Lesson]) -> ValueSource:
    """The source of a candidate, with how often its label was on a page at most."""
    counts = [
        count_namesakes(_label(candidate, lesson), lesson.pages[candidate.page], lesson.columns)
        for lesson in lessons
    ]
    return candidate.source.model_copy(update={"namesakes": max(1, *counts)})


def _label(candidate: Candidate, lesson: Lesson) -> str:
    return filled(candidate.source.place.name, lesson.columns)


def _at(where: Where, page: PageFacts) -> Fact | None:
    """What a page has at a place, whatever speaks against it."""
    try:
        return locate(where, page, is_certain=lambda found: True)
    except PlaceNotFound:
        return None


def _part(own: PlaceIdentity, place: ValuePlace, lesson: Lesson) -> ValueSource:
    """A part of a text, between what stands around it."""

    def fixed(text: str) -> str:
        return any_number(generalised(text, lesson.columns, keeps_ends=True))

    return ValueSource(
        place=own,
        part=place.part,
        before=fixed(place.text_before),
        after=fixed(place.text_after),
    )
