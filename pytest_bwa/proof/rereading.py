"""Reads the values of a recorded sample again, each from where it stood. Pure.

A recorded value is never an answer. What a text means is decided by the output schema, as it was
the first time; only if the same text stands there again, it means the same again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_bwa.evidence.grounding import Grounding, GroundingTree
from pytest_bwa.facts.fact import Fact
from pytest_bwa.facts.identity import PlaceNotFound
from pytest_bwa.facts.place import PageFacts, ValuePlace, locate, rows_like
from pytest_bwa.facts.text_match import clean
from pytest_bwa.facts.value import Path, ValueReader
from pytest_bwa.spec.coercion import Uncertain
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Observation


@dataclass(frozen=True, slots=True)
class _Leaf:
    """One plain value of the recorded answer, or a list of plain values that one place has."""

    path: Path
    value: Any
    record: Grounding
    place: ValuePlace

    def in_words(self) -> str:
        return _in_words(self.path)


class RecordedValues:
    """The values of one recorded sample."""

    def __init__(
        self,
        task: TaskSpec,
        extracted: Mapping[str, Any],
        grounding: Mapping[str, GroundingTree | None],
        given: Collection[str],
        moved: tuple[str, str] = ("", ""),
    ) -> None:
        """``given`` are the texts that name the sample; ``moved`` is the host that the recorded
        pages had, and the one that has them now."""
        self._moved = moved
        self._reader, self._given, self._extracted = ValueReader(task), given, extracted
        self.without_place: list[str] = []
        """The fields that no page can be asked for, each with the reason."""
        self.without_value = [name for name, value in extracted.items() if value is None]
        """The fields that were null: nothing says where to look for them."""
        self._leaves: list[_Leaf] = []
        for name, value in extracted.items():
            self._add((name,), value, grounding.get(name))

    def _add(self, path: Path, value: Any, tree: GroundingTree | None) -> None:
        if value is None:
            return
        if isinstance(tree, Grounding):
            self._add_leaf(path, value, tree)
        elif isinstance(tree, list) and tree:
            if (whole := _one_place(tree)) is not None:
                self._add_leaf(path, value, whole)
                return
            for number, (item, inner) in enumerate(zip(value, tree, strict=True)):
                self._add((*path, number), item, inner)
        elif isinstance(tree, Mapping):
            for name, inner in tree.items():
                self._add((*path, name), value[name], inner)
        else:
            self.without_place.append(f"{_in_words(path)}: no page showed it in the recorded run")

    def _add_leaf(self, path: Path, value: Any, record: Grounding) -> None:
        if (place := record.place) is not None and place.finds:
            old, new = self._moved
            if old and (place.page == old or place.page.startswith(f"{old}/")):
                place = place.model_copy(update={"page": new + place.page[len(old) :]})
            self._leaves.append(_Leaf(path, value, record, place))
        else:
            self.without_place.append(f"{_in_words(path)}: {_why_no_place(record)}")

    def is_due(self, first: float, last: float) -> bool:
        """Whether any value was on the page when ``first`` to before ``last`` steps were done."""
        return any(first <= leaf.place.steps_done < last for leaf in self._leaves)

    def read(
        self, page: Observation, first: float, last: float, collected: Mapping[str, Any]
    ) -> ValuesAgain:
        """These values from this page, beside those of the same fields in ``collected``."""
        found: dict[str, Any] = {}
        sources: dict[str, Any] = {}
        missing = []
        facts = PageFacts(page)
        for leaf in self._leaves:
            if not first <= leaf.place.steps_done < last:
                continue
            name = str(leaf.path[0])
            if name not in found:
                found[name] = _copy(collected.get(name), self._extracted[name], leaf.path[1:])
                sources[name] = _copy(None, self._extracted[name], leaf.path[1:])
            try:
                value, source = self._value(leaf, facts)
            except (PlaceNotFound, Uncertain) as why:
                missing.append(f"{leaf.in_words()}: {why}")
            else:
                found[name] = _set(found[name], leaf.path[1:], value)
                sources[name] = _set(sources[name], leaf.path[1:], source)
        return ValuesAgain(found, missing, sources)

    def _value(self, leaf: _Leaf, page: PageFacts) -> tuple[Any, str | None]:
        """The value, and how it is cited. Raises PlaceNotFound or Uncertain."""
        if not leaf.place.is_on(page):
            why = f"the page is {page.page.url}, and the value stood on another one"
            raise PlaceNotFound(why)
        found = locate(leaf.place.where, page, self._given)
        self._check_list(leaf, page)
        text = found.text
        is_same = (text, found.datetime) == (leaf.place.text, leaf.place.datetime)
        value = leaf.value if is_same else self._converted(leaf, found, page.page)
        return value, found.source

    def _check_list(self, leaf: _Leaf, page: PageFacts) -> None:
        """A list that has more or fewer rows now was not read as a whole."""
        place = leaf.place
        if len(leaf.path) < 2 or not place.identity.record:
            return
        if (number := len(rows_like(place.where, page))) != place.peers:
            raise PlaceNotFound(f"the list has {number} entries, and had {place.peers}")

    def _converted(self, leaf: _Leaf, found: Fact, page: Observation) -> Any:
        """What another text means, read as the recorded one was. Raises Uncertain."""
        place, value = leaf.place, leaf.value
        raw = value if isinstance(value, str) and clean(value) == place.text else ""
        items = tuple(value) if isinstance(value, list) else ()
        was = replace(found, text=place.text, raw=raw, items=items, datetime=place.datetime)
        is_text = value == place.text and not found.is_address
        if is_text:
            return self._reader.value(found, "typed", leaf.path, page)
        for read_as, convention in self._reader.ways(value, was, leaf.path, page):
            return self._reader.value(found, read_as, leaf.path, page, convention)
        raise Uncertain(found.as_written, f"is another text than the one that meant “{value}”")


@dataclass(frozen=True, slots=True)
class ValuesAgain:
    """What was read again: the fields with a value or null, and why others have none."""

    values: Mapping[str, Any]
    missing: Sequence[str] = ()
    """Why a field is null: ``department: the definition “Department” is not on the page``."""
    sources: Mapping[str, Any] = field(default_factory=dict)
    """Where the values stand, as an answer cites it."""


def _one_place(tree: Sequence[GroundingTree | None]) -> Grounding | None:
    """The record of a list whose items all come from one place that lists them."""
    records = [record for record in tree if isinstance(record, Grounding)]
    places = {record.place for record in records}
    place = next(iter(places), None)
    is_one = len(records) == len(tree) and len(places) == 1
    return records[0] if is_one and place is not None and place.part == "items" else None


def _copy(collected: Any, recorded: Any, path: Path) -> Any:
    """The field as it was collected so far; else the shape of the recorded one, without values."""
    if not path:
        return None
    if collected is not None:
        return collected
    if isinstance(recorded, list):
        return [_copy(None, item, path[1:]) for item in recorded]
    return dict.fromkeys(recorded) if isinstance(recorded, Mapping) else None


def _set(tree: Any, path: Path, value: Any) -> Any:
    """A copy of the tree with the value at the path."""
    if not path:
        return value
    copy = list(tree) if isinstance(tree, list) else dict(tree)
    copy[path[0]] = _set(copy[path[0]], path[1:], value)  # type: ignore[index]
    return copy


def _in_words(path: Path) -> str:
    """``checks[1].name``"""
    first, *rest = path
    return str(first) + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in rest)


def _why_no_place(record: Grounding) -> str:
    if record.how == "unseen":
        return "no page showed it in the recorded run"
    if record.how in ("vision", "ocr"):
        return "it was read from a picture in the recorded run"
    if record.how in ("counted", "joined"):
        return f"it was {record.how} from several places in the recorded run"
    if record.how == "derived":
        return f"it was derived in the recorded run ({record.rule}), not read"
    return "nothing on its page told its place from other places"
