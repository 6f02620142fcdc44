"""Where values stand on their pages, without what differs from sample to sample. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from pytest_bwa.evidence.grounding import Grounding, leaves_of, plain_values
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.facts.address import address_pattern
from pytest_bwa.facts.identity import below_title
from pytest_bwa.facts.names import OwnNames
from pytest_bwa.facts.place import ValuePlace
from pytest_bwa.spec.sample import Sample
from pytest_bwa.steps.step import Region
from pytest_bwa.steps.text import label_key

_NAMING = "heading"
_SOME_HOST = "site.invalid"
_SOME_SITE = f"http://{_SOME_HOST}"
"""Stands in for the site of an address that is relative to it."""
_OWN_HEADING = "*"
_DIGITS = re.compile(r"\d+")
Document = tuple[str, str]
"""The pattern of a page's address, and that of a frame in it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a value stands, without what differs from sample to sample."""

    page: str
    frame: str
    regions: tuple[Region, ...]
    headings: tuple[str, ...]
    """As keys, without those that name the sample; of what only this sample has, that it is there.
    """
    label: str
    """As a key."""
    is_in_row: bool
    """Whether a row or a card with a name of its own has it."""
    is_name: bool = False
    """Whether it is what the page, or a part of it, is called: that stands in no section."""

    @property
    def is_of_many(self) -> bool:
        """Whether no heading above it is one that only this sample has."""
        return _OWN_HEADING not in self.headings

    @property
    def document(self) -> Document:
        return self.page, self.frame


class Standings:
    """The standings of the values of one run's samples."""

    def __init__(
        self, find_sample: Callable[[str], Sample | None], results: Collection[SampleResult]
    ) -> None:
        self._find_sample = find_sample
        counted = Counter(key for result in results for key in _headings_of(result))
        self._shared = {key for key, number in counted.items() if number > 1}
        """The headings that several samples have: any other is the record's own."""

    def names(self, result: SampleResult) -> OwnNames:
        """What the sample is called."""
        sample = self._find_sample(result.sample_id)
        return OwnNames((result.sample_id, *(sample.names.values() if sample else ())))

    def of(self, result: SampleResult) -> Iterator[tuple[str, Standing, Grounding, ValuePlace]]:
        """Each plain value of which it is known where it stood, by its place in the answer."""
        sample = self._find_sample(result.sample_id)
        names, answers = self.names(result), _texts_of(result)

        def differs(heading: str) -> bool:
            return names.are_in(heading) or label_key(heading) in answers

        url = sample.url if sample and sample.url else ""
        own_page = address_pattern(urljoin(_SOME_SITE, url)) if url and "?" not in url else ""
        for path, _, record in plain_values(result.extracted, result.grounding):
            if (place := record.place) is None:
                continue
            page = _without_name(place.page) if _is_page(place.page, own_page) else place.page
            yield path, self._standing(place, page, differs), record, place

    def _standing(self, place: ValuePlace, page: str, differs: Callable[[str], bool]) -> Standing:
        """``differs``: whether a heading may be another one for each sample."""
        identity = place.identity
        if identity.role == _NAMING:
            return Standing(page, identity.frame, (), (), "", is_in_row=False, is_name=True)
        above = (_key(h) for h in below_title(identity) if not differs(h))
        headings = tuple(key if key in self._shared else _OWN_HEADING for key in above)
        label, is_in_row = _key(identity.name), bool(identity.record)
        return Standing(page, identity.frame, identity.regions, headings, label, is_in_row)


def _texts_of(result: SampleResult) -> set[str]:
    """The texts of an answer, as keys."""
    return {label_key(v) for v in result.extracted.values() if isinstance(v, str)}


def _headings_of(result: SampleResult) -> set[str]:
    """The headings above the values of a sample, as keys."""
    records = [r for tree in result.grounding.values() for r in leaves_of(tree)]
    places = (record.place.identity for record in records if record.place is not None)
    return {_key(heading) for identity in places for heading in below_title(identity)}


def _key(text: str) -> str:
    return _DIGITS.sub("0", label_key(text))


def _is_page(page: str, own_page: str) -> bool:
    """Whether the pattern of an address is that of the sample's own."""
    path = own_page.removeprefix(_SOME_HOST)
    return bool(path.strip("/")) and page.endswith(path)


def _without_name(page: str) -> str:
    """The pattern of a sample's own address without what the address calls the sample."""
    return f"{page.rpartition('/')[0]}/*"
