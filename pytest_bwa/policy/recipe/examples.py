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

from pytest_bwa.evidence.grounding import Grounding, GroundingTree
from pytest_bwa.facts.address import address_pattern
from pytest_bwa.facts.fact import Fact, Piece, whole
from pytest_bwa.facts.identity import PlaceNotFound
from pytest_bwa.facts.place import PageFacts, ValuePlace, list_place_of, part_of, place_of
from pytest_bwa.facts.text_match import matches, words
from pytest_bwa.facts.value import ReadAs, ValueReader
from pytest_bwa.policy.recipe.lesson import Lesson, is_nothing
from pytest_bwa.policy.recipe.parameters import any_number, filled, generalised
from pytest_bwa.policy.recipe.places import (
    find_value,
    is_beyond_doubt,
    is_content,
    place_in_recipe,
)
from pytest_bwa.policy.recipe.recipe import ValueSource
from pytest_bwa.policy.recipe.sketch import steps_of
from pytest_bwa.proof.checking import SHORT, SMALL
from pytest_bwa.spec.coercion import Uncertain, dates_in, numbers_in
from pytest_bwa.spec.field_labels import labels_of
from pytest_bwa.spec.messages import quote_value
from pytest_bwa.spec.samples import RECIPE_SAMPLES
from pytest_bwa.spec.task import TaskSpec

_PARTS = frozenset({"text", "items", "value", "state", "address"})


@dataclass(frozen=True, slots=True)
class Spot:
    """A place without anything of a sample, and how its text is read."""

    source: ValueSource
    read_as: ReadAs

    @property
    def label(self) -> str:
        return self.source.place.name


Walk = tuple[str, ...]
"""The steps that lead to a page."""
_Found = Mapping[Spot, set[Walk]]


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
    spots: dict[str, tuple[Walk, Sequence[Spot]]] = {}
    untaught: dict[str, str] = {}
    for name in task.output_schema:
        if name in task.derived or not any(name in example.values for example in examples):
            continue
        try:
            spots[name] = finder.agreed(name)
        except _NotTaught as why:
            untaught[name] = str(why)
    lessons = [one for example in examples if (one := finder.lesson(example, spots)) is not None]
    ids = {lesson.sample_id for lesson in lessons}
    fields = {
        name: [e.sample_id for e in examples if name in e.values and e.sample_id in ids]
        for name in spots
    }
    return Taught(lessons, fields, untaught)


class _Finder:
    """Looks for what is known on the pages of one task's examples."""

    def __init__(self, task: TaskSpec, examples: Sequence[Lesson]) -> None:
        self._task, self._examples, self._reader = task, examples, ValueReader(task)
        self._walks = {
            id(example): [str(step) for step in steps_of(example)] for example in examples
        }

    # -- one field -----------------------------------------------------------------------------

    def agreed(self, name: str) -> tuple[Walk, Sequence[Spot]]:
        """The places that all examples have in common, and the page. Raises _NotTaught."""
        known = [example for example in self._examples if name in example.values]
        valued = [example for example in known if not is_nothing(example.values[name])]
        if len(valued) < RECIPE_SAMPLES:
            raise _NotTaught(
                f"{len(valued)} of the known rows have a value of it, and {RECIPE_SAMPLES} are "
                "needed"
            )
        found = {example.sample_id: self._found(name, example) for example in valued}
        common = [
            spot for spot in found[valued[0].sample_id] if all(spot in f for f in found.values())
        ]
        if not common:
            raise _NotTaught(self._where_not(name, valued, found))
        self._check_evidence(name, common, [example.values[name] for example in valued])
        for example in known:
            if is_nothing(example.values[name]):
                self._check_empty(name, common, example, known)
        walks = [set.intersection(*(f[spot] for f in found.values())) for spot in common]
        if not (shared := set.intersection(*walks)):
            places = " and ".join(spot.source.place.in_words() for spot in common)
            raise _NotTaught(
                f"all of them show it at several places ({places}), on different pages: know a row "
                "in which these differ"
            )
        return min(shared, key=len), common

    def _where_not(self, name: str, valued: Sequence[Lesson], found: Mapping[str, _Found]) -> str:
        """Which row keeps the others from agreeing."""
        counts = Counter(spot for own in found.values() for spot in own)
        best, most = counts.most_common(1)[0] if counts else (None, 0)
        odd = next(example for example in valued if best not in found[example.sample_id])
        if twice := self._said_twice(name, odd):
            return twice
        if best is None:
            return f"no page of the {len(valued)} known rows shows what is known of it"
        place = best.source.place.in_words()
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

    def _check_evidence(self, name: str, spots: Sequence[Spot], values: Sequence[Any]) -> None:
        """Values that are equal, or as slight as a yes, stand at other places by chance: the page
        must give them a label, and the same label in all rows. Of equal values even that says
        nothing, unless it has a word of the field. Raises _NotTaught."""
        labels = list(dict.fromkeys(spot.label for spot in spots if spot.label))
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
        self, name: str, spots: Sequence[Spot], example: Lesson, known: Sequence[Lesson]
    ) -> None:
        """A row that has no value is a check, too: nothing must stand there, or what another row
        without a value has, too. Raises _NotTaught."""
        for spot in spots:
            for text in self._texts_at(spot, example):
                empty = [e for e in known if is_nothing(e.values[name])]
                same = sum(text in self._texts_at(spot, other) for other in empty)
                if any(map(str.isalnum, text)) and same == 1:
                    raise _NotTaught(
                        f"{example.sample_id} has “{text}” at {spot.source.place.in_words()}, and "
                        "is known to be empty: know a second row with these words"
                    )

    def _texts_at(self, spot: Spot, example: Lesson) -> list[str]:
        """What stands at a place on the pages of a row."""
        return list(dict.fromkeys(fact.text for fact in self._facts_at(spot, example).values()))

    def _facts_at(self, spot: Spot, example: Lesson) -> Mapping[int, Fact]:
        found = {}
        for number, page in enumerate(example.pages):
            with suppress(PlaceNotFound, KeyError):
                found[number] = find_value(spot.source, page, example.columns)
        return found

    # -- one row -------------------------------------------------------------------------------

    def _found(self, name: str, example: Lesson) -> _Found:
        """Where the pages of a row show what is known of it."""
        found: dict[Spot, set[Walk]] = {}
        value, walk = example.values[name], self._walks[id(example)]
        for number, page in enumerate(example.pages):
            for place in self._places(name, value, page, number):
                source = _source(place, example.columns)
                with suppress(PlaceNotFound, KeyError):
                    fact = find_value(source, page, example.columns)
                    for read_as, _ in self._reader.ways(value, fact, (name,), page.page):
                        found.setdefault(Spot(source, read_as), set()).add(tuple(walk[:number]))
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
        self, example: Lesson, spots: Mapping[str, tuple[Walk, Sequence[Spot]]]
    ) -> Lesson | None:
        """What a row teaches: its walk as far as it is needed, and these places. A field that is
        not known of this row is read there. None if the row has no such walk or place."""
        if not spots:
            return None
        longest = max((walk for walk, _ in spots.values()), key=len)
        if tuple(self._walks[id(example)][: len(longest)]) != longest:
            return None
        pictured = [number for number, visit in enumerate(example.visits) if visit.pictures]
        last = max([len(longest), *pictured])
        visits = [*example.visits[:last], replace(example.visits[last], step=None)]
        values: dict[str, Any] = {}
        grounding: dict[str, GroundingTree | None] = {}
        for name, (walk, own) in spots.items():
            try:
                values[name], grounding[name] = self._read(name, len(walk), own, example)
            except (PlaceNotFound, Uncertain):
                return None
        is_known = spots.keys() <= example.values.keys()
        return replace(
            example, visits=visits, values=values, grounding=grounding, is_known=is_known
        )

    def _read(
        self, name: str, number: int, spots: Sequence[Spot], example: Lesson
    ) -> tuple[Any, GroundingTree | None]:
        """The value of a row, and its places as if they had been cited. Raises PlaceNotFound and
        Uncertain."""
        if name in example.values and is_nothing(example.values[name]):
            return example.values[name], None
        page, records = example.pages[number], list[GroundingTree | None]()
        for spot in spots:
            fact = self._facts_at(spot, example).get(number)
            if fact is None:
                raise PlaceNotFound(spot.label)
            value = example.values.get(name)
            if name not in example.values:
                value = self._reader.value(fact, spot.read_as, (name,), page.page)
            records.append(_cited(spot, fact, number, page, example.columns))
        return value, records if len(records) > 1 else records[0]


def _source(place: ValuePlace, columns: Mapping[str, str]) -> ValueSource:
    """A place without anything of the sample; a part of a text stands between other texts."""

    def fixed(text: str) -> str:
        return any_number(generalised(text, columns, keeps_ends=True))

    return ValueSource(
        place=place_in_recipe(place.identity, columns),
        part=place.part,
        before=fixed(place.text_before),
        after=fixed(place.text_after),
    )


def _cited(
    spot: Spot, fact: Fact, number: int, page: PageFacts, columns: Mapping[str, str]
) -> Grounding:
    """The record of a place, as if an answer had cited it."""
    place = ValuePlace(
        identity=page.identity(fact),
        part=spot.source.part,
        page=address_pattern(page.page.url),
        steps_done=number,
        text=fact.text,
        text_before=filled(spot.source.before, columns),
        text_after=filled(spot.source.after, columns),
    )
    return Grounding(how="verbatim", cited=True, role=fact.role, text=fact.text, place=place)


def _is_slight(value: Any) -> bool:
    """Whether it stands at many places by chance."""
    if isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return abs(value) < SMALL
    return isinstance(value, str) and len(value) < SHORT
