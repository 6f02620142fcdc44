"""What one sample teaches, in the few texts that a recipe is made of: the pages themselves are not
kept. It is drawn once, from the places that an answer cites and those that others cited before.
Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from pytest_bwa.facts.address import plain_address
from pytest_bwa.facts.fact import Fact, Piece
from pytest_bwa.facts.identity import PlaceNotFound, identity_of
from pytest_bwa.facts.place import PageFacts, ValuePlace
from pytest_bwa.facts.value import ReadAs
from pytest_bwa.policy.recipe.lesson import Lesson, Option, is_nothing
from pytest_bwa.policy.recipe.parameters import (
    DAY,
    filled,
    generalised,
    names_sample,
)
from pytest_bwa.policy.recipe.places import (
    PageLook,
    count_namesakes,
    find_value,
    is_content,
    labels_beside,
    look_at,
    named_links,
    place_in_recipe,
    source_of,
)
from pytest_bwa.policy.recipe.reading import FieldReader
from pytest_bwa.policy.recipe.recipe import EndingKind, StepRecipe, ValueSource
from pytest_bwa.policy.recipe.walk import SamplePages
from pytest_bwa.spec.notation.dates import iso_date
from pytest_bwa.steps.place_identity import PlaceIdentity
from pytest_bwa.steps.step import Observation, Step

ABSENT = None
"""Instead of a text: the page has no such label."""
MAX_KNOWN = 8
"""Places of a field that others cited, at which a sample is looked at, too."""
_SEEN_BY_NUMBER = ("selector", "target", "screenshot_label")


@dataclass(frozen=True, slots=True)
class Seen:
    """What a sample has there: its value, or, if it has none, what stands there instead."""

    text: str | None
    language: str = ""
    labels: frozenset[str] = frozenset()
    namesakes: int = 1
    is_cited: bool = False


@dataclass(frozen=True)
class FieldSketch:
    """What a sample answered for a field, and the options that say so; ``seen`` is None if nothing
    is known of its place."""

    answer: Literal["value", "null", "list"]
    seen: Sequence[tuple[Option, Seen]] | None = None
    is_known: bool = False
    """Whether the value is known to be right, and not only answered."""

    @cached_property
    def at(self) -> Mapping[Option, Seen]:
        return dict(self.seen or ())


@dataclass(frozen=True)
class Sketch:
    sample_id: str
    columns: Mapping[str, str]
    own_host: str
    steps: Sequence[StepRecipe]
    looks: Sequence[PageLook]
    pictures: Sequence[tuple[str, ...]]
    fields: Mapping[str, FieldSketch] = field(default_factory=dict)
    ending: EndingKind | None = None
    is_doubtful: bool = False

    @property
    def teaches_way(self) -> bool:
        return self.ending is None and not self.is_doubtful

    @property
    def pages(self) -> SamplePages:
        return SamplePages(self.columns, self.own_host, "")


class Sketcher:
    """Draws the sketches of one task's samples."""

    def __init__(self, reader: FieldReader, names: Sequence[str]) -> None:
        self._reader, self._names = reader, names

    def all_of(self, lessons: Sequence[Lesson], before: Sequence[Sketch]) -> list[Sketch]:
        """Several lessons also say of each other where a value may stand."""
        drawn = [self._draw(lesson, before) for lesson in lessons]
        if len(lessons) > 1:
            drawn = [self._draw(lesson, [*before, *drawn]) for lesson in lessons]
        return drawn

    def _draw(self, lesson: Lesson, before: Sequence[Sketch]) -> Sketch:
        names = self._names if lesson.teaches_way else ()
        return Sketch(
            lesson.sample_id,
            lesson.columns,
            lesson.own_host,
            steps_of(lesson),
            [look_at(page, lesson.columns, lesson.own_host) for page in lesson.pages],
            [visit.pictures for visit in lesson.visits],
            {name: self._field(name, lesson, _known(name, before)) for name in names},
            ending=lesson.ending,
            is_doubtful=lesson.is_doubtful,
        )

    # -- fields --------------------------------------------------------------------------------

    def _field(self, name: str, lesson: Lesson, known: Iterable[Option]) -> FieldSketch:
        if name not in lesson.values:
            return FieldSketch("value")
        value, found = lesson.values[name], lesson.options.get(name, ())
        cited = [] if is_nothing(value) else list(found or self._cited(name, lesson))
        options = dict.fromkeys([*cited, *known])
        looked = ((o, self._seen(name, o, lesson, o in cited)) for o in options)
        seen = [(option, one) for option, one in looked if one is not None]
        if is_nothing(value):
            return FieldSketch("null" if value is None else "list", seen, bool(found))
        has_place = bool(options) or _has_place(name, lesson)
        return FieldSketch("value", seen if has_place else None, bool(found))

    def _cited(self, name: str, lesson: Lesson) -> Iterator[Option]:
        """The options at the places that the answer cites."""
        if not all(record.cited for record in lesson.records(name)):
            return
        for number, page in enumerate(lesson.pages):
            for place in lesson.places(name):
                if place.is_on(page):
                    yield from self._at(name, lesson, number, place)
            if lesson.is_a_link(name):
                for link, address in named_links(page):
                    if link.text == lesson.values[name]:
                        own = place_in_recipe(page.identity(link), lesson.columns)
                        yield Option(number, ValueSource(place=own, address=address))

    def _at(self, name: str, lesson: Lesson, number: int, place: ValuePlace) -> Iterator[Option]:
        """The whole text at a place if it is the value, else the part of it that is. What is one
        item may be read as a list in several ways: others say which it is."""
        own = place_in_recipe(place.identity, lesson.columns)
        is_list = isinstance(lesson.values[name], list)
        parts = dict.fromkeys([place.part, "items"] if is_list else [place.part])
        sources = [ValueSource(place=own, part=part) for part in parts]
        found = [o for source in sources for o in self._read(name, lesson, number, source)]
        if not found and not is_list and (place.text_before or place.text_after):
            found = list(self._read(name, lesson, number, source_of(place, lesson.columns)))
        yield from found or self._in_row(name, lesson, number, sources[0])

    def _in_row(self, name: str, lesson: Lesson, number: int, row: ValueSource) -> Iterator[Option]:
        """Of a yes or no the whole row may be cited: then it is what the page labels there."""
        page = lesson.pages[number]
        with suppress(PlaceNotFound):
            for fact in page.values_at(Piece(find_value(row, page, lesson.columns), 0, 0)):
                own = place_in_recipe(page.identity(fact), lesson.columns)
                yield from self._read(name, lesson, number, ValueSource(place=own))

    def _read(
        self, name: str, lesson: Lesson, number: int, source: ValueSource
    ) -> Iterator[Option]:
        page = lesson.pages[number]
        with suppress(PlaceNotFound):
            fact = find_value(source, page, lesson.columns)
            if fact.kind != "address" and is_content(fact.place):
                for way in self._ways(name, lesson, fact, page):
                    yield Option(number, source, *way)

    def _seen(self, name: str, option: Option, lesson: Lesson, is_cited: bool) -> Seen | None:
        """What a sample has at a place; None if that is not what it answered."""
        if option.page >= len(lesson.pages):
            return None
        page, source, columns = lesson.pages[option.page], option.source, lesson.columns
        is_null, label = is_nothing(lesson.values.get(name)), option.source.place.name
        fact: Fact | None = None
        try:
            fact = find_value(source, page, columns)
        except (PlaceNotFound, KeyError):
            is_gone = bool(label) and not any(r.label == label for r in page.placed)
            if not (is_null and is_gone):
                return None
        way = (option.read_as, option.locale)
        if fact and not is_null and way not in self._ways(name, lesson, fact, page):
            return None
        return Seen(
            text=ABSENT if fact is None else generalised(fact.text, columns)
            if is_null else fact.text,
            language=(fact.language or page.page.language) if fact else "",
            labels=frozenset(labels_beside(source, fact, page, columns)),
            namesakes=count_namesakes(filled(label, columns), page, columns),
            is_cited=is_cited,
        )  # fmt: skip

    def _ways(
        self, name: str, lesson: Lesson, fact: Fact, page: PageFacts
    ) -> list[tuple[ReadAs, str]]:
        if not fact.text:
            return []
        return list(self._reader.ways_to_read(name, lesson.values[name], fact, page.page))


def _known(name: str, before: Sequence[Sketch]) -> list[Option]:
    """The places that most samples cited."""
    fields = (sketch.fields[name] for sketch in before if name in sketch.fields)
    cited = Counter(o for own in fields for o, seen in own.seen or () if seen.is_cited)
    return [option for option, _ in cited.most_common(MAX_KNOWN)]


def _has_place(name: str, lesson: Lesson) -> bool:
    return bool(lesson.places(name)) or lesson.is_a_link(name)


# -- steps -----------------------------------------------------------------------------------------


def steps_of(lesson: Lesson) -> list[StepRecipe]:
    """The steps of a lesson's walk, without anything of the sample."""
    steps = [(v, _step(v.step, v.page, lesson)) for v in lesson.visits if v.step]
    found: list[StepRecipe] = []
    month_of = ""
    for visit, step in steps:
        found.append(
            _of_day(step, month_of, lesson).model_copy(update={"month_of": visit.month_of})
        )
        month_of = visit.month_of or month_of
    return found


def _of_day(step: StepRecipe, month_of: str, lesson: Lesson) -> StepRecipe:
    """A click on the day of a column's date, whose month was looked for before."""
    day = iso_date(lesson.columns.get(month_of, ""))
    if step.action != "click" or step.place is None or day is None:
        return step
    if step.place.name != str(day.day):
        return step
    place = step.place.model_copy(update={"name": f"{{{month_of}{DAY}}}"})
    return step.model_copy(update={"place": place})


def _step(step: Step, page: Observation, lesson: Lesson) -> StepRecipe:
    """A step of the log as a recipe has it. An address that says nothing of the sample is that of
    the link that leads there, if there is one."""
    if step.action == "goto":
        url = str(step.params.get("url", ""))
        address = generalised(plain_address(url, lesson.own_host), lesson.address_columns)
        links = [e for e in page.all_elements if e.url == url]
        if len(links) == 1 and not names_sample(address):
            place = place_in_recipe(identity_of(links[0], page), lesson.columns)
            return StepRecipe(action="goto", place=place)
        return StepRecipe(action="goto", parameters={"url": address})
    found: dict[str, PlaceIdentity | None] = {}
    for part, target in (("target", step.target), ("destination", step.destination)):
        identity = target.identity if target is not None else None
        found[part] = place_in_recipe(identity, lesson.columns) if identity else None
    parameters = {}
    for key, value in step.params.items():
        if key == "selector" and found["target"] is None:
            parameters[key] = value
        elif key not in _SEEN_BY_NUMBER:
            text = isinstance(value, str)
            parameters[key] = generalised(value, lesson.columns) if text else value
    return StepRecipe(
        action=step.action,
        place=found["target"],
        destination=found["destination"],
        parameters=parameters,
    )
