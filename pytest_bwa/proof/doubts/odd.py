"""Finds values that stand elsewhere on the page than those of most samples of a run, and pages that
do not name their sample as those of most do. Pure.

Nothing on one page tells whether “Phone” below “Emergency contact” is the sample's. That the others
have theirs below “Employment” speaks against it. A site that shows another record in place of one
that is gone says so in its own language; but the heading is not what the others have.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.facts.identity import below_title
from pytest_bwa.facts.place import ValuePlace
from pytest_bwa.proof.doubts.standing import Document, Standing, Standings
from pytest_bwa.proof.flagging import UNNAMED
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt

MIN_USUAL = 4
"""Samples that must have a value at the same place before another place is unusual."""
USUAL_SHARE = 0.75
"""Of the samples that have a value at any place of such a page."""
MIN_ROWS = 3
"""Samples with several rows, of which the same one has the value, before another is unusual."""
NAME_CHARACTERS = 60
"""Of a row's name that is said."""
_Row = Literal["only", "first", "between", "last"]


class UsualPlaces:
    """Where the values of the fields stand in most samples of one run."""

    def __init__(
        self, task: TaskSpec, standings: Standings, results: Collection[SampleResult]
    ) -> None:
        self._all = standings
        self._fields = frozenset(task.output_schema)
        counts: defaultdict[str, Counter[Standing]] = defaultdict(Counter)
        rows: defaultdict[str, Counter[_Row]] = defaultdict(Counter)
        named: Counter[tuple[Document, bool]] = Counter()
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
            return [f"{UNNAMED}, unlike in most samples"]
        return []

    def _pages(self, result: SampleResult) -> dict[Document, bool]:
        """The pages that values of a sample stand on, and whether what is above one of these, or
        its row, names the sample."""
        names = self._all.names(result)
        pages: dict[Document, bool] = {}
        for _, standing, place in self._standings(result):
            above = (*place.identity.headings, place.identity.record)
            is_named = any(map(names.are_in, above))
            pages[standing.document] = pages.get(standing.document, False) or is_named
        return pages

    def _is_usual_row(self, name: str, place: ValuePlace) -> bool:
        """Whether the value is in the first row of its list, or the last one, if most are."""
        usual, own = self._rows.get(name), _row_of(place)
        return usual is None or own in (usual, "only")

    def _standings(self, result: SampleResult) -> Iterator[tuple[str, Standing, ValuePlace]]:
        for path, standing, _, place in self._all.of(result):
            if path in self._fields:
                yield path, standing, place


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


def _usual(counted: Counter[Standing]) -> Standing | None:
    """The place that most values have; None if it is not clear."""
    standing, number = counted.most_common(1)[0]
    alike = sum(n for other, n in counted.items() if other.document == standing.document)
    return standing if number >= max(MIN_USUAL, USUAL_SHARE * alike) else None


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
