"""Doubts of many samples by their place: one decision settles them for all that share it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pytest_bwa.evidence.grounding import Grounding, plain_values
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.facts.address import address_pattern
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.text import label_key


class DoubtedPlace(NamedTuple):
    """A field at a place of a page, with what speaks against it there."""

    field: str
    code: Doubt
    page: str
    """The pattern of the page's address."""
    label: str
    """What the page calls the place, as a key."""


class DoubtedValue(NamedTuple):
    """One doubt of one value."""

    place: DoubtedPlace
    path: str
    """The value's place in the answer, such as ``checks[1].name``."""
    value: Any
    record: Grounding
    detail: str

    @property
    def label(self) -> str:
        return _label(self.record)


@dataclass(slots=True)
class DoubtGroup:
    """The samples whose value is doubted at one place."""

    place: DoubtedPlace
    label: str
    detail: str | None
    """What all of them say of the doubt; None if they do not say the same."""
    samples: list[str] = field(default_factory=list)

    @property
    def where(self) -> str:
        """``deposit under “Kaution”``."""
        return _where(self.place.field, self.label)

    @property
    def why(self) -> str:
        return self.place.code.in_words(self.detail or "")

    def in_words(self) -> str:
        """``deposit under “Kaution”: 46 samples, the page also says “Kaution | 0”``."""
        number = len(self.samples)
        return f"{self.where}: {number} sample{'s' if number != 1 else ''}, {self.why}"


def cleared_doubts(result: SampleResult) -> Iterator[tuple[str, str]]:
    """The doubts of a result that known samples have cleared, each once in words, and by what."""
    found = {}
    for path, _, record in plain_values(result.extracted, result.grounding):
        where = _where(path.partition("[")[0], _label(record))
        for sort, by in record.cleared.items():
            doubt = record.why.get(sort, sort)
            found[f"doubt about {where} ({doubt.in_words()})"] = by
    yield from found.items()


def cleared_notes(result: SampleResult) -> list[str]:
    return [f"{doubt} cleared: {by}" for doubt, by in cleared_doubts(result)]


def doubted_values(result: SampleResult) -> Iterator[DoubtedValue]:
    """Each doubt of a result with its place; of a list, all entries have the place of the field."""
    for path, value, record in plain_values(result.extracted, result.grounding):
        name = path.partition("[")[0]
        page = record.place.page if record.place else address_pattern(record.url or "")
        for code, detail in record.found():
            place = DoubtedPlace(name, code, page, label_key(_label(record)))
            yield DoubtedValue(place, path, value, record, detail)


class DoubtGroups:
    """The groups of one run."""

    def __init__(self) -> None:
        self._groups: dict[DoubtedPlace, DoubtGroup] = {}

    def add(self, result: SampleResult) -> None:
        for doubted in doubted_values(result):
            self.add_doubt(result.sample_id, doubted.place, doubted.label, doubted.detail)

    def add_doubt(self, sample_id: str, place: DoubtedPlace, label: str, detail: str) -> DoubtGroup:
        """The doubts of one sample come one after the other."""
        group = self._groups.setdefault(place, DoubtGroup(place, label, detail))
        group.detail = detail if detail == group.detail else None
        if group.samples[-1:] != [sample_id]:
            group.samples.append(sample_id)
        return group

    def have_all(self, result: SampleResult) -> bool:
        """Whether each doubted place of a result is one of an earlier one, too."""
        return all(doubted.place in self._groups for doubted in doubted_values(result))

    def largest_first(self) -> list[DoubtGroup]:
        return sorted(self._groups.values(), key=lambda group: (-len(group.samples), group.place))


def _where(field: str, label: str) -> str:
    return f"{field} under “{label}”" if label else field


def _label(record: Grounding) -> str:
    return (record.place.identity.name if record.place else "") or record.name or ""
