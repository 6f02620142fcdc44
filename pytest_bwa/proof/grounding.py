"""Makes the record of where each value of an answer was seen, how, and what speaks against it.

Pure: it looks only at what was observed and at which pictures show it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from pytest_bwa.evidence.grounding import (
    TEXT_CHARACTERS,
    Grounding,
    GroundingTree,
    field_of,
)
from pytest_bwa.facts.fact import PAGE, Fact, Piece
from pytest_bwa.facts.place import ValuePlace, list_place_of, place_of
from pytest_bwa.proof.checking import Checker
from pytest_bwa.proof.doubts.on_page import DoubtsOnPage
from pytest_bwa.proof.finding import NotShown, Shown
from pytest_bwa.proof.observed import OWN_READING, Look, Observed
from pytest_bwa.proof.sources import Citations, EqualValues, Path, Which, leaves
from pytest_bwa.proof.texts.readings import Readings
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import Box


class PictureIndex(Protocol):
    """Which picture shows what."""

    def picture_of(self, look: Look, fact: Fact) -> str | None:
        """The file name of a picture that shows a fact in a look's state of the page, if any."""

    def box_in(self, filename: str, fact: Fact, look: Look) -> Box | None:
        """Where a picture shows a fact of a look; None if that is not certain."""

    def state_in(self, filename: str, look: Look) -> str:
        """The state of the page that a picture shows; of one that shows none, that of a look."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A value that is not proven, with its place in the answer (``checks[1].name``)."""

    path: str
    value: Any
    finding: NotShown


class Grounder:
    """Looks at the values of one sample's answers, with what the answers have cited."""

    def __init__(self, task: TaskSpec, observed: Observed, pictures: PictureIndex) -> None:
        self._task, self._observed, self._pictures = task, observed, pictures
        self.citations = Citations()
        self.policy_doubts: dict[str, dict[Doubt, str]] = {}
        """What the policy itself has said of its values, by field."""
        self.locales: dict[str, str] = {}
        """How numbers and dates of a field are written, where other samples settled it."""
        self._schema = OutputSchema(task.output_schema)
        self._checker = Checker(observed, task.locale)
        self._doubts = {"": DoubtsOnPage(observed, self._checker.reader.readings, task.locale)}
        self._findings: dict[tuple[object, ...], Shown | NotShown] = {}

    def ground(
        self, extracted: Mapping[str, Any], *, adds_places: bool = False
    ) -> dict[str, GroundingTree | None]:
        """The grounding of every value; an empty text needs none, nor does a null or an empty list
        that cites no line. ``adds_places``: with what finds each place again."""
        run = _Grounding(self, adds_places)
        tree = {name: run.tree(value, (name,), False, None) for name, value in extracted.items()}
        return {name: run.with_same_cell(name, own) for name, own in tree.items()}

    def refused(self, extracted: Mapping[str, Any]) -> list[Refused]:
        """The values of an answer that are not proven."""
        found = self.findings(extracted)
        return [Refused(p, v, f) for p, v, f in found if isinstance(f, NotShown)]

    def seen_values(self, extracted: Mapping[str, Any]) -> Iterator[tuple[str, Shown]]:
        """For each value that was seen the name of its field, and where."""
        for path, _, finding in self.findings(extracted):
            if isinstance(finding, Shown):
                yield field_of(path), finding

    def findings(self, extracted: Mapping[str, Any]) -> Iterator[tuple[str, Any, Shown | NotShown]]:
        """Every value that needs a proof, with its place in the answer."""
        equal = EqualValues()
        for leaf in leaves(extracted, {}):
            which = equal.count(leaf.path, leaf.value, leaf.entry)
            finding = self.finding(leaf.path, leaf.value, which, leaf.is_item)
            if finding is not None:
                yield leaf.words, leaf.value, finding

    def finding(
        self, path: Path, value: Any, which: Which, is_item: bool
    ) -> Shown | NotShown | None:
        """Where a plain value was seen; None if it needs no proof."""
        cited = self.citations.of(path, value, which)
        is_derived = bool({path[0], ".".join(path)} & set(self._task.derived))
        if value == "" or ((value is None or is_derived) and not cited):
            return None
        if not cited and self.citations.count_none(path, value):
            return None
        observed = self._observed
        key = (path, repr(value), cited, is_item, len(observed.looks), observed.steps_done)
        if key not in self._findings:
            choices = self._choices(path)
            found = self._checker.check(value, cited, choices, is_item=is_item)
            self._findings[key] = found
        finding = self._findings[key]
        is_free = value is None or is_derived  # the line is only shown
        return None if is_free and isinstance(finding, NotShown) else finding

    def _choices(self, path: Path) -> Sequence[str]:
        listed = self._schema.at(path).get("enum")
        return [choice for choice in listed or () if isinstance(choice, str)]

    def _doubts_as_written(self, locale: str) -> DoubtsOnPage:
        if locale not in self._doubts:
            readings = Readings(self._observed, locale)
            self._doubts[locale] = DoubtsOnPage(self._observed, readings, locale)
        return self._doubts[locale]

    # -- records -------------------------------------------------------------------------------

    def record(self, value: Any, path: Path, seen: Shown, *, adds_places: bool) -> Grounding:
        seen = self._as_pictured(seen)
        place, record = seen.places[0], self._seen(value, seen)
        if adds_places and seen.how in ("verbatim", "normalised", "state"):
            record = record.model_copy(update={"place": self._place(place, seen)})
        allows = partial(self._schema.allows, path)
        on_page = self._doubts_as_written(self.locales.get(path[0], ""))
        doubts = on_page.of(value, seen, allows) if value is not None else {}
        return record.with_doubts({**doubts, **self.policy_doubts.get(path[0], {})})

    def facts_of(self, seen: Shown) -> list[Fact]:
        """The facts of which a picture must show one."""
        return [place.fact for place in self._checker.alike(seen)]

    def _as_pictured(self, seen: Shown) -> Shown:
        """With a place before the others that a picture shows, if it is as good."""
        for place in self._checker.alike(seen):
            if self._look_at(place.fact)[1] is not None:
                others = [other for other in (*seen.places[:1], *seen.same) if other != place]
                return replace(seen, places=[place, *seen.places[1:]], same=others)
        return seen

    def _seen(self, value: Any, seen: Shown) -> Grounding:
        place = seen.places[0]
        fact = place.fact
        look, artifact = self._look_at(place.fact)
        box = self._pictures.box_in(artifact, fact, look) if artifact else fact.box
        state = self._pictures.state_in(artifact, look) if artifact and not fact.file else ""
        texts = [p.fact.text for p in seen.places]
        text = _excerpt(fact.text, place.start) if len(texts) == 1 else " + ".join(texts)
        return Grounding(
            how=seen.how,
            rule=seen.rule or None,
            cited=seen.cited,
            step=look.step,
            url=look.url,
            frame=fact.place.frame or None,
            role=_role_of(fact) or None,
            name=self._name_of(place)[:TEXT_CHARACTERS] or None,
            text=text[:TEXT_CHARACTERS] or None,
            box=(box.x, box.y, box.width, box.height) if box else None,
            artifact=fact.file or artifact,
            page_state=state or None,
        )

    def _place(self, place: Piece, seen: Shown) -> ValuePlace | None:
        look, _ = self._look_at(place.fact)
        page = self._observed.pages.get(look.number)
        if page is None:
            return None
        found = place_of(place, look.steps_done, page)
        facts = [p.fact for p in (place, *seen.same)]
        parts = {(fact.place.headings, fact.place.record) for fact in facts if fact.box is not None}
        return found.model_copy(update={"is_only": len(parts) <= 1})

    def with_list_place(
        self, items: Sequence[Any], records: list[GroundingTree | None]
    ) -> list[GroundingTree | None]:
        """The records of a list; if one place of a page lists just these items, it is the place of
        each."""
        own = [record for record in records if isinstance(record, Grounding)]
        if len(own) != len(records) or any(record.url is None for record in own):
            return records
        for look in reversed(self._observed.looks):
            page = self._observed.pages.get(look.number) if look.url == own[0].url else None
            if page and (place := list_place_of(items, look.steps_done, page)):
                return [record.model_copy(update={"place": place}) for record in own]
        return records

    def _name_of(self, place: Piece) -> str:
        fact = place.fact
        return "" if fact.role == PAGE else self._observed.label_at(place) or fact.name

    def cell_of(self, place: Piece) -> tuple[object, ...]:
        """What two places have in common that are the same piece of text."""
        fact = place.fact
        where = (fact.place.frame, fact.element) if fact.element else place.fact
        return where, place.start, place.text

    def has_several_lines(self, finding: Shown) -> bool:
        places = [*finding.places, *finding.same]
        return len(places) > 1 and len(self._checker.lines_of(places)) > 1

    def _look_at(self, fact: Fact) -> tuple[Look, str | None]:
        """The newest look at a fact that a picture shows, else the newest look at it."""
        looks = self._observed.looks_with(fact)
        for look in reversed(looks):
            if artifact := self._pictures.picture_of(look, fact):
                return look, artifact
        return looks[-1], None


class _Grounding:
    """One grounding of one answer."""

    def __init__(self, grounder: Grounder, adds_places: bool) -> None:
        self._grounder, self._adds_places = grounder, adds_places
        self._equal = EqualValues()
        self._cells: defaultdict[tuple[object, ...], set[str]] = defaultdict(set)
        """For each piece of a text the fields that were read from it."""
        self._cell_of: dict[str, list[tuple[object, ...]]] = {}

    def tree(self, value: Any, path: Path, is_item: bool, entry: Any) -> GroundingTree | None:
        """``entry``: the outermost one of a list that has the value."""
        if isinstance(value, list) and value:
            records = [self.tree(item, path, True, entry if is_item else item) for item in value]
            return self._grounder.with_list_place(value, records) if self._adds_places else records
        if isinstance(value, Mapping):
            return {k: self.tree(inner, (*path, k), is_item, entry) for k, inner in value.items()}
        if isinstance(value, list):
            return None
        which = self._equal.count(path, value, entry)
        finding = self._grounder.finding(path, value, which, is_item)
        if self._grounder.citations.count_none(path, value) and finding is None:
            return Grounding(how="counted", rule="none", cited=True)
        if finding is None:
            is_derived = value is not None and value != ""
            return Grounding(how="derived", rule="the spec lists it") if is_derived else None
        if isinstance(finding, NotShown):
            return Grounding(how="unseen", cited=finding.why in ("miscited", "unknown", "script"))
        if value is not None and finding.how in ("verbatim", "normalised") and len(path) == 1:
            self._keep_cell(path[0], finding)
        return self._grounder.record(value, path, finding, adds_places=self._adds_places)

    def _keep_cell(self, name: str, finding: Shown) -> None:
        """Where a value was not cited, and several lines have it, two fields may have one each."""
        if self._grounder.has_several_lines(finding):
            return
        cell = self._grounder.cell_of(finding.places[0])
        self._cells[cell].add(name)
        self._cell_of.setdefault(name, []).append(cell)

    def with_same_cell(self, name: str, tree: GroundingTree | None) -> GroundingTree | None:
        """A doubt, if another field was read from the very same piece of text."""
        cells = self._cell_of.get(name, [])
        others = sorted({other for cell in cells for other in self._cells[cell]} - {name})
        if not others or not isinstance(tree, Grounding):
            return tree
        return tree.with_doubts({Doubt.SAME_CELL: ", ".join(others)})


def _role_of(fact: Fact) -> str:
    if fact.kind == "look":
        return OWN_READING
    return fact.kind if fact.role == PAGE else fact.role


def _excerpt(text: str, start: int) -> str:
    """The part of a long text around a place in it."""
    if len(text) <= TEXT_CHARACTERS:
        return text
    begin = max(0, min(start - TEXT_CHARACTERS // 2, len(text) - TEXT_CHARACTERS))
    return text[begin : begin + TEXT_CHARACTERS]
