"""Finds the aliases with a section that would settle what is contested in several samples. Pure.

A page with two sections that have the field's label does not tell which of them is meant, and so
each of its samples is flagged. The user knows, and can say it once for all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.record import Grounding, SampleResult
from pytest_bwa.place_identity import PlaceIdentity, below_title
from pytest_bwa.spec.task import TaskSpec

MIN_SAMPLES = 2
"""Contested in one section before an alias with it is proposed: a heading that only one sample has
may be its own."""
SHARE = 0.75
"""Of the contested values of a field whose place is known."""


class ProposedAlias(NamedTuple):
    """``Feedback > Grade``, and in how many samples it would settle the field."""

    alias: str
    samples: int


class _Place(NamedTuple):
    label: str
    headings: tuple[str, ...]
    """Of the section alone, without those above it; none right below the page's title."""


class ContestedPlaces:
    """Under which labels, and in which sections, the contested values of a run stand."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, Counter[_Place]] = defaultdict(Counter)

    def add(self, result: SampleResult) -> None:
        for name, record in result.grounding.items():
            if isinstance(record, Grounding) and record.contested and record.place:
                self._counts[name][_place_of(record.place.identity)] += 1

    def join(self, other: ContestedPlaces) -> None:
        """Add those of another run."""
        for name, counts in other._counts.items():
            self._counts[name] += counts

    def proposed(self, task: TaskSpec) -> Mapping[str, ProposedAlias]:
        """By field, the alias that most of its contested values would have; only under the field's
        own name or an alias, and where none names the section yet."""
        found: dict[str, ProposedAlias] = {}
        for name, counts in self._counts.items():
            place, number = counts.most_common(1)[0]
            is_usual = number >= max(MIN_SAMPLES, SHARE * counts.total())
            words = FieldWords([name], task.aliases.get(name, ()))
            is_named = words.is_in_named_section(place.label, place.headings)
            if is_usual and place.headings and words.are_literally(place.label) and not is_named:
                found[name] = ProposedAlias(f"{place.headings[-1]} > {place.label}", number)
        return found


def _place_of(identity: PlaceIdentity) -> _Place:
    return _Place(identity.name, below_title(identity)[-1:])
