"""Clears doubts by known rows: what stands at a place that is right in several known samples, and
wrong in none, is right there, whatever speaks against it. Pure.

A doubt is cleared by samples that have the same one: that a value was right where nothing spoke
against it says nothing of a sample where something does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pytest_bwa.evidence.grounding import Grounding, change_leaves, field_of
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.proof.doubts.groups import cleared_notes
from pytest_bwa.proof.doubts.standing import Standing, Standings
from pytest_bwa.proof.flagging import is_only_doubted, value_doubts
from pytest_bwa.spec.known import is_equal
from pytest_bwa.steps.doubts import Doubt

MIN_RIGHT = 3
"""Known samples that must be right at a place."""
_OF_ONE_SAMPLE = (Doubt.OTHER_RECORD, Doubt.UNREAD)
"""What one sample stands with, or what nobody has read of it, no other one tells; unless it is the
same for both."""


class _Place(NamedTuple):
    """Where a field stands."""

    field: str
    standing: Standing


class _DoubtedPlace(NamedTuple):
    place: _Place
    code: Doubt
    detail: str


class KnownPlaces:
    """The places at which known values of one run stood."""

    def __init__(self, standings: Standings) -> None:
        self._standings = standings
        self._right: Counter[_DoubtedPlace] = Counter()
        self._wrong: set[_Place] = set()

    def add(self, result: SampleResult) -> None:
        """Count the known values of a sample by whether they are right."""
        right: set[_DoubtedPlace] = set()
        for path, place, record in self._placed(result):
            is_right = _is_right(result, field_of(path))
            if is_right:
                right.update(doubted for _, doubted in _doubted(place, record))
            elif is_right is False:
                self._wrong.add(place)
        self._right.update(right)

    def clear(self, result: SampleResult) -> None:
        """Clear the doubts of a sample at places that are known to be right."""
        if not self._right:
            return
        found = {
            path: {
                sort: by for sort, doubted in _doubted(place, record) if (by := self._by(doubted))
            }
            for path, place, record in self._placed(result)
        }
        if any(found.values()):
            _change(result, lambda path, record: record.with_cleared(found.get(path, {})))

    def _by(self, doubted: _DoubtedPlace) -> str:
        """What clears a doubt; empty if nothing does."""
        number, place = self._right[doubted], doubted.place
        is_known = number >= MIN_RIGHT and place not in self._wrong
        return f"right in {number} known samples" if is_known else ""

    def _placed(self, result: SampleResult) -> Iterator[tuple[str, _Place, Grounding]]:
        for path, standing, record, _ in self._standings.of(result):
            if standing.is_of_many:
                yield path, _Place(path.partition("[")[0], standing), record


def take_back(result: SampleResult) -> None:
    """Let all that was cleared be doubted again: more may be known by now."""
    if cleared_notes(result):
        _change(result, lambda _, record: record.with_cleared({}))


def _change(result: SampleResult, change: Callable[[str, Grounding], Grounding]) -> None:
    """Change records, and say in the notes, and by the flag, what speaks against values now."""
    outdated = {*value_doubts(result), *cleared_notes(result)}
    trees = result.grounding.items()
    result.grounding = {name: change_leaves(name, tree, change) for name, tree in trees}
    doubts = value_doubts(result)
    others = [note for note in result.notes if note not in outdated]
    unsaid = [doubt for doubt in doubts if doubt not in result.reason]
    result.notes = [*unsaid, *others, *cleared_notes(result)]
    is_settled = result.review_marks == ("flagged",) and is_only_doubted(result)
    result.flagged = bool(doubts) or (result.flagged and not is_settled)


def _is_right(result: SampleResult, field: str) -> bool | None:
    """None if it is not known. A value may be right of which only doubts ask for a review."""
    known = result.expected.get(field)
    if known is None:
        return None
    if known.equal is None and is_only_doubted(result):
        return is_equal(known.expected, known.found)
    return known.equal


def _doubted(place: _Place, record: Grounding) -> Iterator[tuple[Doubt, _DoubtedPlace]]:
    """Each doubt of a value, by its sort."""
    for code, detail in record.found():
        sort = code.sort or code
        yield sort, _DoubtedPlace(place, code, detail if sort in _OF_ONE_SAMPLE else "")
