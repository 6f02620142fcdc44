"""Says for each value of an answer where it was seen, and how; or that nobody has seen it.

Pure: it looks only at the sightings of the sample and at which pictures show them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from pytest_bwa.evidence.doubts.absence import Absence
from pytest_bwa.evidence.doubts.contested import ContestedValues
from pytest_bwa.evidence.doubts.left_out import LeftOut
from pytest_bwa.evidence.doubts.other_group import below_other_headings
from pytest_bwa.evidence.doubts.other_reading import OtherReadings
from pytest_bwa.evidence.doubts.relation import Relation
from pytest_bwa.evidence.doubts.standing import is_around_content, is_hidden
from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.labels.surroundings import Surroundings
from pytest_bwa.evidence.lookup.best_places import best_places
from pytest_bwa.evidence.lookup.counts import Count, count_of_items, count_of_rows
from pytest_bwa.evidence.lookup.lists import (
    of_other_rows,
    row_of_key,
    row_of_most,
    strangers,
    told_apart,
)
from pytest_bwa.evidence.lookup.scale import unscaled
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.value_search import Field, ValueSearch
from pytest_bwa.evidence.places.placing import list_place_of, place_of, with_others
from pytest_bwa.evidence.places.value_place import ReadablePage, ValuePlace
from pytest_bwa.evidence.record import Grounding, GroundingTree, How
from pytest_bwa.evidence.sightings import Look, Sightings
from pytest_bwa.spec.notation.numbers import SCALES
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Box

TEXT_CHARACTERS = 200


class PictureIndex(Protocol):
    """Which picture shows what."""

    def picture_of(self, look: Look, spot: Spot) -> str | None:
        """The file name of a picture that shows a spot in a look's state of the page, if any."""

    def box_in(self, filename: str, spot: Spot, look: Look) -> Box | None:
        """Where a picture shows a spot of a look; None if that is not certain."""

    def state_in(self, filename: str, look: Look) -> str:
        """The state of the page that a picture shows; of one that shows none, that of a look."""


class Grounder:
    """Looks up the values of one sample's answers."""

    def __init__(
        self,
        task: TaskSpec,
        sightings: Sightings,
        pictures: PictureIndex,
        *,
        adds_places: bool = False,
    ) -> None:
        self._task, self._sightings, self._pictures = task, sightings, pictures
        self._adds_places = adds_places
        self._readable: dict[int, ReadablePage] = {}
        self._search = ValueSearch(sightings, task.locale)
        self._surroundings = Surroundings(sightings)
        self._contested = ContestedValues(sightings, task.locale, self._words_of)
        self._other_readings = OtherReadings(sightings, task.locale)
        self._relation = Relation(sightings)
        self._absence, self._left_out = Absence(task, sightings), LeftOut(sightings)

    def ground(self, extracted: Mapping[str, Any]) -> dict[str, GroundingTree | None]:
        """The grounding of every value; an empty text needs none, nor does a null or an empty list
        that no page contradicts."""
        fields = {name: self._field((name,), extracted) for name in extracted}
        return {
            name: self._absence.record(fields[name])
            if value in (None, [])
            else self._tree(value, fields[name])
            for name, value in extracted.items()
        }

    def sightings_of(self, extracted: Mapping[str, Any]) -> Iterator[tuple[str, list[Sighting]]]:
        """For each plain value that was seen the name of its field, and the places that prove it
        best; if no place proves it, the one that a person should look at."""
        for name, value in extracted.items():
            for inner, field in self._leaves(value, self._field((name,), extracted)):
                if found := self._search.find(inner, field):
                    yield name, best_places(found, field.words, self._sightings)
                elif self._derived(inner, field):
                    continue
                elif unnamed := self._search.find_unnamed(inner, field):
                    yield name, [unnamed[0]]

    def _leaves(self, value: Any, field: Field) -> Iterator[tuple[Any, Field]]:
        if isinstance(value, list):
            for item in value:
                yield from self._leaves(item, field)
        elif isinstance(value, Mapping):
            for name, inner in value.items():
                yield from self._leaves(inner, self._field((*field.path, name), value))
        elif value is not None and value != "":
            yield value, field

    def _field(self, path: tuple[str, ...], answer: Mapping[str, Any]) -> Field:
        aliases = self._task.aliases
        known = [*aliases.get(path[-1], ()), *aliases.get(".".join(path), ())]
        return Field(path, FieldWords(path[::-1], known), answer)

    def _words_of(self, name: str) -> FieldWords:
        return self._field((name,), {}).words

    def _tree(self, value: Any, field: Field) -> GroundingTree | None:
        if value is None or value == "":
            return None
        if isinstance(value, list):
            return self._with_list_place(value, field, self._entries(value, field))
        if isinstance(value, Mapping):
            return self._members(value, field)
        return self._record(value, field)

    def _entries(self, items: list[Any], field: Field) -> list[GroundingTree | None]:
        """The records of a list; an entry that stands elsewhere than the others is contested, and
        the last one by what the page has in its list and the answer leaves out."""
        tree = [self._tree(item, field) for item in items]
        if any(not isinstance(record, Grounding) for record in tree):
            return tree
        places = [self._search.find(item, field) for item in items]
        outside = below_other_headings(places, field, self._sightings)
        outside |= strangers(items, places, self._sightings) | self._contested.in_list(items, field)
        outside |= told_apart(items, places, self._sightings)
        if left_out := self._left_out.find(items, field):
            outside.setdefault(len(items) - 1, left_out)
        return [_contested(r, outside.get(number)) for number, r in enumerate(tree)]

    def _members(self, value: Mapping[str, Any], field: Field) -> dict[str, GroundingTree | None]:
        """The records of an object; in a list, what stands in another row is contested."""
        fields = {name: self._field((*field.path, name), value) for name in value}
        tree = {name: self._tree(inner, fields[name]) for name, inner in value.items()}
        places = {
            name: self._search.find(value[name], fields[name])
            for name, record in tree.items()
            if isinstance(record, Grounding)
        }
        if not isinstance(field.answer.get(field.path[0]), list):
            for name, found in places.items() if len(field.path) == 1 else ():
                rivals = self._contested.in_object(value[name], fields[name], found)
                tree[name] = _contested(tree[name], *rivals)
            return tree
        others: dict[str, str | None] = {**of_other_rows(value, places, self._sightings)}
        row = row_of_most(places, self._sightings) or row_of_key(value, fields, self._sightings)
        if row:
            for name in places.keys() - others.keys():
                others[name] = self._contested.in_row(value[name], fields[name], row)
        return {name: _contested(record, others.get(name)) for name, record in tree.items()}

    def _with_list_place(
        self, items: list[Any], field: Field, tree: list[GroundingTree | None]
    ) -> list[GroundingTree | None]:
        """The records of a list; if one place of the page lists just these items, it is the place
        of each."""
        records = [record for record in tree if isinstance(record, Grounding)]
        if not self._adds_places or not records or len(records) != len(tree):
            return tree
        looks = [n for n, page in self._sightings.pages.items() if page.url == records[0].url]
        for number in reversed(looks):
            look, page = self._sightings.looks[number], self._readable_page(number)
            if page and (place := list_place_of(items, look, page, field.words)):
                return [record.model_copy(update={"place": place}) for record in records]
        return tree

    def _record(self, value: Any, field: Field) -> Grounding:
        if found := self._search.find(value, field):
            best = best_places(found, field.words, self._sightings)
            sighting = next((s for s in best if self._look_at(s.spot)[1] is not None), best[0])
            written = unscaled(value, sighting.rule)
            more = {
                "contested": self._contested.others(written, field, found) or None,
                "place": self._place(sighting, field, found) if self._adds_places else None,
                "hidden": is_hidden(found, self._sightings),
                "beside": is_around_content(found, self._sightings)
                or self._contested.is_out_of_section(written, field, found),
                "unrelated": self._relation.is_none(found),
                "other_reading": self._other_readings.of(value, best),
            }
            return self._seen(sighting).model_copy(update=more)
        if derived := self._derived(value, field):
            others = self._contested.others(value, field, ()) or None
            return derived.model_copy(update={"contested": others})
        if (unnamed := self._search.find_unnamed(value, field)) is None:
            return Grounding(how="unseen")
        place, label = unnamed
        nameless = {"how": "unseen", "rule": None, "name": label or None}
        return self._seen(place).model_copy(update=nameless)

    def _derived(self, value: Any, field: Field) -> Grounding | None:
        """The record of a value that follows from something else."""
        if {field.path[0], ".".join(field.path)} & set(self._task.derived):
            return Grounding(how="derived", rule="the spec lists it")
        if isinstance(value, bool) and not self._sightings.has_ticked(field.words):
            return Grounding(how="derived", rule="boolean")
        if count := self._count(value, field):
            place = self._seen(Sighting(count.spot, 0, 0)) if count.spot is not None else None
            derived = {"how": "derived", "rule": count.rule}
            return place.model_copy(update=derived) if place else Grounding.model_validate(derived)
        return None

    def _count(self, value: Any, field: Field) -> Count | None:
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        of_items = count_of_items(value, field.words, field.answer)
        return of_items or count_of_rows(value, field.words, self._sightings)

    def _seen(self, sighting: Sighting) -> Grounding:
        spot = self._sightings.spots[sighting.spot]
        look, artifact = self._look_at(sighting.spot)
        box = self._pictures.box_in(artifact, spot, look) if artifact else spot.box
        state = self._pictures.state_in(artifact, look) if artifact and not spot.file else ""
        how: How = "normalised" if sighting.rule else "verbatim"
        if spot.source in ("vision", "ocr"):
            how = "vision" if spot.source == "vision" else "ocr"
        return Grounding(
            how=how,
            rule=sighting.rule or None,
            step=look.step,
            url=look.url,
            frame=spot.frame or None,
            role=spot.role or None,
            name=(spot.name or spot.label)[:TEXT_CHARACTERS] or None,
            text=_excerpt(spot.text, sighting.start),
            box=(box.x, box.y, box.width, box.height) if box else None,
            artifact=spot.file or artifact,
            page_state=state or None,
        )

    def _place(self, sighting: Sighting, field: Field, found: list[Sighting]) -> ValuePlace | None:
        spots, (look, _) = self._sightings.spots, self._look_at(sighting.spot)
        spot, page = spots[sighting.spot], self._readable_page(look.number)
        if page is None or sighting.rule in ("joined", *SCALES):
            return None
        piece = spot.text[sighting.start : sighting.end]
        place = place_of(piece, spot, look, page, field.words)
        return place and with_others(place, [spots[other.spot] for other in found])

    def _readable_page(self, look: int) -> ReadablePage | None:
        page = self._sightings.pages.get(look)
        if page is not None and look not in self._readable:
            self._readable[look] = ReadablePage(page)
        return self._readable.get(look)

    def _look_at(self, number: int) -> tuple[Look, str | None]:
        """The newest look at a spot that a picture shows, else the first look at it."""
        spot = self._sightings.spots[number]
        looks = [self._sightings.looks[n] for n in self._sightings.looks_of[number]]
        for look in reversed(looks):
            if artifact := self._pictures.picture_of(look, spot):
                return look, artifact
        return looks[0], None


def _contested(record: GroundingTree | None, *others: str | None) -> GroundingTree | None:
    known = tuple(filter(None, others))
    if not known or not isinstance(record, Grounding):
        return record
    return record.model_copy(update={"contested": known})


def _excerpt(text: str, start: int) -> str:
    """The part of a long text around a place in it."""
    if len(text) <= TEXT_CHARACTERS:
        return text
    begin = max(0, min(start - TEXT_CHARACTERS // 2, len(text) - TEXT_CHARACTERS))
    return text[begin : begin + TEXT_CHARACTERS]


def plain_values(
    values: Mapping[str, Any], grounding: Mapping[str, GroundingTree | None]
) -> Iterator[tuple[str, Any, Grounding]]:
    """Each plain value with its place in the answer, such as ``checks[1].name``, and its record."""
    for name, value in values.items():
        yield from _plain_values(name, value, grounding.get(name))


def _plain_values(
    path: str, value: Any, tree: GroundingTree | None
) -> Iterator[tuple[str, Any, Grounding]]:
    if isinstance(tree, Grounding):
        yield path, value, tree
    elif isinstance(tree, list):
        for number, (item, inner) in enumerate(zip(value, tree, strict=True)):
            yield from _plain_values(f"{path}[{number}]", item, inner)
    elif tree is not None:
        for name, inner in tree.items():
            yield from _plain_values(f"{path}.{name}", value[name], inner)
