"""Doubts of many samples by their place: what one decision settles for all samples that share it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pytest_bwa.evidence.grounding import Doubt, Grounding, plain_values
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.place_identity import address_pattern
from pytest_bwa.text import label_key


class DoubtedPlace(NamedTuple):
    """A field at a place of a page, with what speaks against it there."""

    field: str
    code: Doubt
    page: str
    """The pattern of the page's address."""
    label: str
    """What the page calls the place, as a key."""


@dataclass(slots=True)
class DoubtGroup:
    """The samples whose value is doubted at one place."""

    place: DoubtedPlace
    label: str
    samples: list[str] = field(default_factory=list)

    def in_words(self) -> str:
        """``deposit under “Kaution”``."""
        return f"{self.place.field} under “{self.label}”" if self.label else self.place.field


def doubted_places(result: SampleResult) -> Iterator[tuple[DoubtedPlace, Grounding]]:
    """Each doubt of a result with its place; of a list, all entries have the place of the field."""
    for path, _, record in plain_values(result.extracted, result.grounding):
        name = path.partition("[")[0]
        page = record.place.page if record.place else address_pattern(record.url or "")
        for code in record.doubts:
            yield DoubtedPlace(name, code, page, label_key(_label(record))), record


class DoubtGroups:
    """The groups of one run."""

    def __init__(self) -> None:
        self._groups: dict[DoubtedPlace, DoubtGroup] = {}

    def add(self, result: SampleResult) -> None:
        for place, record in doubted_places(result):
            group = self._groups.setdefault(place, DoubtGroup(place, _label(record)))
            if group.samples[-1:] != [result.sample_id]:
                group.samples.append(result.sample_id)

    def join(self, other: DoubtGroups) -> None:
        """Add those of another run, whose samples are others."""
        for place, group in other._groups.items():
            own = self._groups.setdefault(place, DoubtGroup(place, group.label))
            own.samples += group.samples

    def largest_first(self) -> list[DoubtGroup]:
        return sorted(self._groups.values(), key=lambda group: (-len(group.samples), group.place))


def _label(record: Grounding) -> str:
    return (record.place.identity.name if record.place else "") or record.name or ""
