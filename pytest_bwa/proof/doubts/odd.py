"""Finds values that stand elsewhere on the page than those of most samples of a run, and pages that
do not name their sample as those of most do. Pure.

Nothing on one page tells whether “Phone” below “Emergency contact” is the sample's. That the others
have theirs below “Employment” speaks against it. A site that shows another record in place of one
that is gone says so in its own language; but the heading is not what the others have.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urljoin

from pytest_bwa.evidence.grounding import Grounding, leaves_of
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.facts.address import address_pattern
from pytest_bwa.facts.identity import below_title
from pytest_bwa.facts.names import OwnNames
from pytest_bwa.facts.place import ValuePlace
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import Region
from pytest_bwa.steps.text import label_key

MIN_USUAL = 4
"""Samples that must have a value at the same place before another place is unusual."""
USUAL_SHARE = 0.75
"""Of the samples that have a value at any place of such a page."""
MIN_ROWS = 3
"""Samples with several rows, of which the same one has the value, before another is unusual."""
NAME_CHARACTERS = 60
"""Of a row's name that is said."""
_NAMING = "heading"
_SOME_HOST = "site.invalid"
_SOME_SITE = f"http://{_SOME_HOST}"
"""Stands in for the site of an address that is relative to it."""
_OWN_HEADING = "*"
_Document = tuple[str, str]
"""The pattern of a page's address, and that of a frame in it."""
_Row = Literal["only", "first", "between", "last"]
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class _Standing:
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
    def document(self) -> _Document:
        return self.page, self.frame


class UsualPlaces:
    """Where the values of the fields stand in most samples of one run."""

    def __init__(
        self,
        task: TaskSpec,
        find_sample: Callable[[str], Sample | None],
        results: Collection[SampleResult],
    ) -> None:
        self._find_sample = find_sample
        self._fields = frozenset(task.output_schema)
        self._shared: set[str] = set()
        """The headings that several samples have: any other is the record's own."""
        counted = Counter(key for result in results for key in _headings_of(result))
        self._shared = {key for key, number in counted.items() if number > 1}
        counts: defaultdict[str, Counter[_Standing]] = defaultdict(Counter)
        rows: defaultdict[str, Counter[_Row]] = defaultdict(Counter)
        named: Counter[tuple[_Document, bool]] = Counter()
        for result in results:
            named.update(self._pages(result).items())
            for name, standing, place in self._standings(result):
                counts[name][standing] += 1
                rows[name][_row_of(place)] += place.is_only
        known = {name: _usual(counted) for name, counted in counts.items()}
        self._usual = {name: usual for name, usual in known.items() if usual is not None}
        self._rows = {name: _usual_row(counted) for name, counted in rows.items()}
        self._named = {
            page
            for (page, is_named), number in named.items()
            if is_named and number >= max(MIN_USUAL, USUAL_SHARE * (number + named[page, False]))
        }
        """The pages that most samples are named on."""

    def of(self, result: SampleResult) -> dict[str, str]:
        """For each value of a sample that stands elsewhere, where; nothing if most of its values
        do, because its page is of another kind; a single one cannot tell."""
        found, known = {}, 0
        for name, standing, place in self._standings(result):
            usual = self._usual.get(name)
            if usual is not None and usual.document == standing.document:
                known += 1
                is_usual = standing == usual and self._is_usual_row(name, place)
                may_be_odd = place.is_only and result.extracted.get(name) is not None
                if may_be_odd and not is_usual and not standing.is_name:
                    record = place.identity.record if not usual.is_in_row else ""
                    found[name] = _in_words(place, record)
        return found if 2 * len(found) <= max(known, 2) else {}

    def notes(self, result: SampleResult) -> list[str]:
        """What speaks against the pages of a sample: that of most samples they name it."""
        pages = self._pages(result)
        if any(not is_named and page in self._named for page, is_named in pages.items()):
            return ["no heading above its values names it, unlike in most samples"]
        return []

    def _pages(self, result: SampleResult) -> dict[_Document, bool]:
        """The pages that values of a sample stand on, and whether what is above one of these, or
        its row, names the sample."""
        names = _names_of(result, self._find_sample(result.sample_id))
        pages: dict[_Document, bool] = {}
        for _, standing, place in self._standings(result):
            above = (*place.identity.headings, place.identity.record)
            is_named = any(map(names.are_in, above))
            pages[standing.document] = pages.get(standing.document, False) or is_named
        return pages

    def _is_usual_row(self, name: str, place: ValuePlace) -> bool:
        """Whether the value is in the first row of its list, or the last one, if most are."""
        usual, own = self._rows.get(name), _row_of(place)
        return usual is None or own in (usual, "only")

    def _standings(self, result: SampleResult) -> Iterator[tuple[str, _Standing, ValuePlace]]:
        sample = self._find_sample(result.sample_id)
        names, answers = _names_of(result, sample), _texts_of(result)

        def differs(heading: str) -> bool:
            return names.are_in(heading) or label_key(heading) in answers

        url = sample.url if sample and sample.url else ""
        own_page = address_pattern(urljoin(_SOME_SITE, url)) if url and "?" not in url else ""
        for name, record in result.grounding.items():
            place = record.place if isinstance(record, Grounding) else None
            if place is None or name not in self._fields:
                continue
            page = _without_name(place.page) if _is_page(place.page, own_page) else place.page
            yield name, self._standing(place, page, differs), place

    def _standing(self, place: ValuePlace, page: str, differs: Callable[[str], bool]) -> _Standing:
        """``differs``: whether a heading may be another one for each sample."""
        identity = place.identity
        if identity.role == _NAMING:
            return _Standing(page, identity.frame, (), (), "", is_in_row=False, is_name=True)
        above = (_key(h) for h in below_title(identity) if not differs(h))
        headings = tuple(key if key in self._shared else _OWN_HEADING for key in above)
        label, is_in_row = _key(identity.name), bool(identity.record)
        return _Standing(page, identity.frame, identity.regions, headings, label, is_in_row)


def _names_of(result: SampleResult, sample: Sample | None) -> OwnNames:
    return OwnNames((result.sample_id, *(sample.names.values() if sample else ())))


def _texts_of(result: SampleResult) -> set[str]:
    """The texts of an answer, as keys."""
    return {label_key(v) for v in result.extracted.values() if isinstance(v, str)}


def _headings_of(result: SampleResult) -> set[str]:
    """The headings above the values of a sample, as keys."""
    records = [r for tree in result.grounding.values() for r in leaves_of(tree)]
    places = (record.place.identity for record in records if record.place is not None)
    return {_key(heading) for identity in places for heading in below_title(identity)}


def _row_of(place: ValuePlace) -> _Row:
    if place.peers == 1:
        return "only"
    if place.row == 1:
        return "first"
    return "last" if place.row == place.peers else "between"


def _usual_row(counted: Counter[_Row]) -> _Row | None:
    """The row that most values of longer lists stand in; None if it is not clear."""
    longer = counted.total() - counted["only"]
    rows: tuple[_Row, ...] = ("first", "last")
    return next((r for r in rows if counted[r] >= max(MIN_ROWS, USUAL_SHARE * longer)), None)


def _usual(counted: Counter[_Standing]) -> _Standing | None:
    """The place that most values have; None if it is not clear."""
    standing, number = counted.most_common(1)[0]
    alike = sum(n for other, n in counted.items() if other.document == standing.document)
    return standing if number >= max(MIN_USUAL, USUAL_SHARE * alike) else None


def _key(text: str) -> str:
    return _DIGITS.sub("0", label_key(text))


def _is_page(page: str, own_page: str) -> bool:
    """Whether the pattern of an address is that of the sample's own."""
    path = own_page.removeprefix(_SOME_HOST)
    return bool(path.strip("/")) and page.endswith(path)


def _without_name(page: str) -> str:
    """The pattern of a sample's own address without what the address calls the sample."""
    return f"{page.rpartition('/')[0]}/*"


def _in_words(place: ValuePlace, record: str) -> str:
    """``record`` is what its row is called, if it is odd that it stands in a row."""
    if place.identity.role == "page":
        return f"in the page's {place.identity.name}"
    path = " > ".join(filter(None, (*below_title(place.identity)[-1:], place.identity.name)))
    where = f"under “{path}”" if path else "under no heading"
    where = f"{where} in the row “{record[:NAME_CHARACTERS]}”" if record else where
    return f"in row {place.row} of {place.peers} {where}" if place.peers > 1 else where


def add_odd(result: SampleResult, odd: Mapping[str, str]) -> None:
    """Write the doubt into the records of these fields."""
    for name, where in odd.items():
        record = result.grounding.get(name)
        if isinstance(record, Grounding):
            result.grounding[name] = record.with_doubts({Doubt.ODD: where})
