"""Finds, over several known rows, the one place at which each of them has what is known. Pure.

What is known answers nothing: it says where to look, and what a sample answers is read from its
own page. Where several places agree in all rows, one of them may agree by chance, and nobody can
say which: all of them must say the same wherever the field is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_bwa.facts.fact import Fact, Piece, whole
from pytest_bwa.facts.identity import PlaceNotFound
from pytest_bwa.facts.place import PageFacts, ValuePlace, list_place_of, part_of, place_of
from pytest_bwa.facts.text_match import matches, words
from pytest_bwa.facts.value import ValueReader
from pytest_bwa.policy.recipe.lesson import Lesson, Option, is_nothing
from pytest_bwa.policy.recipe.places import (
    find_value,
    is_beyond_doubt,
    is_content,
    source_of,
)
from pytest_bwa.policy.recipe.recipe import ValueSource
from pytest_bwa.policy.recipe.sketch import steps_of
from pytest_bwa.proof.checking import SHORT, SMALL
from pytest_bwa.spec.coercion import dates_in, numbers_in
from pytest_bwa.spec.field_labels import labels_of
from pytest_bwa.spec.messages import quote_value
from pytest_bwa.spec.samples import RECIPE_SAMPLES
from pytest_bwa.spec.task import TaskSpec

_PARTS = frozenset({"text", "items", "value", "state", "address"})


Walk = tuple[str, ...]
"""The steps that lead to a page."""
_Found = Mapping[tuple[Walk, Option], None]


@dataclass(frozen=True)
class Taught:
    """What known rows teach: lessons that cite the places that were found, and of every other field
    that is known why it is not taught."""

    lessons: Sequence[Lesson] = ()
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The rows that taught each of them."""
    untaught: Mapping[str, str] = field(default_factory=dict)


class _NotTaught(Exception):
    """Why a field is not taught, as a part of a sentence."""


def taught_by(task: TaskSpec, examples: Sequence[Lesson]) -> Taught:
    """What these rows teach; an example is a lesson with its whole walk whose ``values`` are what
    is known, and cite nothing."""
    finder = _Finder(task, examples)
    options: dict[str, Sequence[Option]] = {}
    walk: Walk = ()
    untaught: dict[str, str] = {}
    for name in task.output_schema:
        if name in task.derived or not any(name in example.values for example in examples):
            continue
        try:
            own, options[name] = finder.agreed(name)
            walk = max(walk, own, key=len)
        except _NotTaught as why:
            untaught[name] = str(why)
    lessons = [one for example in examples if (one := finder.lesson(example, walk, options))]
    fields = {name: [le.sample_id for le in lessons if name in le.values] for name in options}
    return Taught(lessons, fields, untaught)


class _Finder:
    """Looks for what is known on the pages of one task's examples."""

    def __init__(self, task: TaskSpec, examples: Sequence[Lesson]) -> None:
        self._task, self._examples, self._reader = task, examples, ValueReader(task)
        self._walks = {
            id(example): tuple(str(step) for step in steps_of(example)) for example in examples
        }

    # -- one field -----------------------------------------------------------------------------

    def agreed(self, name: str) -> tuple[Walk, Sequence[Option]]:
        """The places that all examples have in common, and the way to them. Raises _NotTaught."""
        known = [example for example in self._examples if name in example.values]
        valued = [example for example in known if not is_nothing(example.values[name])]
        if len(valued) < RECIPE_SAMPLES:
            raise _NotTaught(
                f"{len(valued)} of the known rows have a value of it, and {RECIPE_SAMPLES} are "
                "needed"
            )
        found = [self._found(name, example) for example in valued]
        common = [one for one in found[0] if all(one in own for own in found)]
        if not common:
            raise _NotTaught(self._where_not(name, valued, found))
        options = [option for _, option in common]
        self._check_evidence(name, options, [example.values[name] for example in valued])
        for example in known:
            if is_nothing(example.values[name]):
                self._check_empty(name, options, example, known)
        places = {option.source: option.source.place.in_words() for option in options}
        for walk in sorted({walk for walk, _ in common}, key=len):
            own = [option for at, option in common if at == walk]
            if {option.source for option in own} == places.keys():
                return walk, own
        raise _NotTaught(
            f"all of them show it at several places ({' and '.join(places.values())}), on "
            "different pages: know a row in which these differ"
        )

    def _where_not(self, name: str, valued: Sequence[Lesson], found: Sequence[_Found]) -> str:
        """Which row keeps the others from agreeing."""
        sources = [{option.source: None for _, option in own} for own in found]
        counts = Counter(source for own in sources for source in own)
        best, most = counts.most_common(1)[0] if counts else (None, 0)
        odd = next(one for one, own in zip(valued, sources, strict=True) if best not in own)
        if twice := self._said_twice(name, odd):
            return twice
        if best is None:
            return f"no page of the {len(valued)} known rows shows what is known of it"
        place = best.place.in_words()
        if most == 1:
            return f"the known rows have it at different places, such as {place}"
        instead = next(iter(self._texts_at(best, odd)), "")
        has = f", but “{instead}” at {place}" if instead else ""
        value = quote_value(odd.values[name])
        return f"no page of {odd.sample_id} shows {value} where the others have theirs{has}"

    def _said_twice(self, name: str, example: Lesson) -> str:
        """That a label which has what is known stands beside itself with another text; empty if
        none does."""
        value = example.values[name]
        for page in example.pages:
            for fact in page.entries:
                if not any(self._reader.ways(value, fact, (name,), page.page)):
                    continue
                own = page.identity(fact)
                others = [f.text for f in page.entries if page.identity(f) == own]
                if other := next((text for text in others if text != fact.text), ""):
                    return (
                        f"“{fact.label}” stands twice in {example.sample_id}, with “{fact.text}” "
                        f"and “{other}”, and nothing says which is meant: make the field an array, "
                        "or let a model read it"
                    )
        return ""

    def _check_evidence(self, name: str, options: Sequence[Option], values: Sequence[Any]) -> None:
        """Values that are equal, or as slight as a yes, stand at other places by chance: the page
        must give them a label, and the same label in all rows. Of equal values even that says
        nothing, unless it has a word of the field. Raises _NotTaught."""
        found = (option.source.place.name for option in options)
        labels = list(dict.fromkeys(filter(None, found)))
        if all(map(_is_slight, values)) and not labels:
            raise _NotTaught("what is short stands anywhere, and no label says which it is")
        if all(value == values[0] for value in values[1:]):
            own = {word for label in labels_of(self._task, name) for word in label.key.split("_")}
            if any(own.isdisjoint(words(label)) for label in labels) or not labels:
                advice = f", or add {' or '.join(map(quote_value, labels))} to its aliases"
                raise _NotTaught(
                    f"all known rows have {quote_value(values[0])}, which may stand there by "
                    f"chance: know a row with another value{advice if labels else ''}"
                )

    def _check_empty(
        self, name: str, options: Sequence[Option], example: Lesson, known: Sequence[Lesson]
    ) -> None:
        """A row that has no value is a check, too: nothing must stand there, or what another row
        without a value has, too. Raises _NotTaught."""
        empty = [e for e in known if is_nothing(e.values[name])]
        for source in dict.fromkeys(option.source for option in options):
            for text in self._texts_at(source, example):
                same = sum(text in self._texts_at(source, other) for other in empty)
                if any(map(str.isalnum, text)) and same == 1:
                    raise _NotTaught(
                        f"{example.sample_id} has “{text}” at {source.place.in_words()}, and is "
                        "known to be empty: know a second row with these words"
                    )

    def _texts_at(self, source: ValueSource, example: Lesson) -> list[str]:
        """What stands at a place on the pages of a row."""
        found: dict[str, None] = {}
        for page in example.pages:
            with suppress(PlaceNotFound, KeyError):
                found[find_value(source, page, example.columns).text] = None
        return list(found)

    # -- one row -------------------------------------------------------------------------------

    def _found(self, name: str, example: Lesson) -> _Found:
        """Where the pages of a row show what is known of it."""
        found: dict[tuple[Walk, Option], None] = {}
        value, walk = example.values[name], self._walks[id(example)]
        for number, page in enumerate(example.pages):
            for place in self._places(name, value, page, number):
                source = source_of(place, example.columns)
                with suppress(PlaceNotFound, KeyError):
                    fact = find_value(source, page, example.columns)
                    for way in self._reader.ways(value, fact, (name,), page.page):
                        found[walk[:number], Option(number, source, *way)] = None
        return found

    def _places(self, name: str, value: Any, page: PageFacts, number: int) -> list[ValuePlace]:
        """Where a page shows a value, each place once."""
        if isinstance(value, list):
            listed = list_place_of(value, number, page)
            return [listed] if listed is not None else []
        facts = (f for f in page.placed if part_of(f) in _PARTS and is_content(f.place))
        sure = (fact for fact in facts if is_beyond_doubt(fact, page=page))
        pieces = (piece for fact in sure for piece in self._pieces(name, value, fact, page))
        places = (place_of(piece, number, page) for piece in pieces)
        return list(dict.fromkeys(place for place in places if place.finds))

    def _pieces(self, name: str, value: Any, fact: Fact, page: PageFacts) -> Iterator[Piece]:
        """The whole text if it reads as the value, else the parts of it that do."""
        if any(self._reader.ways(value, fact, (name,), page.page)):
            yield whole(fact)
        elif isinstance(value, str) and not _is_slight(value):
            yield from (Piece(fact, m.start, m.end) for m in matches(value, fact.text))
            if "date" in self._reader.kinds((name,)):
                dates = dates_in(fact.text, self._locale(page))
                yield from (Piece(fact, d.start, d.end) for d in dates if d.value == value)
        elif isinstance(value, int | float) and not _is_slight(value):
            numbers = numbers_in(fact.text, self._locale(page))
            yield from (Piece(fact, n.start, n.end) for n in numbers if n.value == value)

    def _locale(self, page: PageFacts) -> str | None:
        return self._task.locale or page.page.language or None

    # -- lessons -------------------------------------------------------------------------------

    def lesson(
        self, example: Lesson, walk: Walk, options: Mapping[str, Sequence[Option]]
    ) -> Lesson | None:
        """What a row teaches: its walk as far as it is needed, and these places. None if it took
        another walk, or none of them is known of it."""
        values = {name: example.values[name] for name in options if name in example.values}
        if not values or self._walks[id(example)][: len(walk)] != walk:
            return None
        pictured = [number for number, visit in enumerate(example.visits) if visit.pictures]
        last = max([len(walk), *pictured])
        visits = [*example.visits[:last], replace(example.visits[last], step=None)]
        return replace(example, visits=visits, values=values, options=options)


def _is_slight(value: Any) -> bool:
    """Whether it stands at many places by chance."""
    if isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return abs(value) < SMALL
    return isinstance(value, str) and len(value) < SHORT
