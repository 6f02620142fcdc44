"""The lines that an answer can cite, by their numbers. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from pytest_bwa.proof.spots import SAID, Spot
from pytest_bwa.proof.texts.text_match import clean
from pytest_bwa.steps.step import ActionResult, ElementRef, Observation

Number = int | str
"""How a place is cited: the number of a line, or the ref of what no list has, as text: "3.17"."""


class Lines:
    """Which elements have had a number, and which spots are in an element or a row; spots are given
    by their own numbers."""

    def __init__(self) -> None:
        self._refs: defaultdict[int, set[ElementRef]] = defaultdict(set)
        self._number_of: dict[ElementRef, int] = {}
        self._at: defaultdict[ElementRef, list[int]] = defaultdict(list)
        self._in_row: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        """For each row, by its frame and text, what is in it."""
        self.from_scripts: set[Number] = set()
        """The numbers of what scripts returned, which proves nothing."""

    def add_spot(self, number: int, spot: Spot) -> None:
        for ref in {spot.ref, spot.holder}:
            if ref is not None:
                self._at[ref].append(number)
        if spot.record:
            self._in_row[spot.frame, clean(spot.record)].append(number)

    def add_page(self, page: Observation) -> None:
        for element in page.elements:
            self._keep(element.index, element.ref)
        for line in page.other_lines:
            self._keep(line.index, (SAID, line.index))

    def add_result(self, result: ActionResult) -> None:
        """A hit of find has the number of its element; any other line has one of its own."""
        for line in result.lines:
            if line.source == "evaluate":
                self.from_scripts.add(line.index)
                continue
            hit = line.ref if line.source == "find" else None
            self._keep(line.index, hit or (SAID, line.index))

    def _keep(self, number: int, ref: ElementRef) -> None:
        if number >= 0:
            self._refs[number].add(ref)
            self._number_of[ref] = number

    def spots_of(self, number: Number) -> Iterator[int]:
        """The spots of a line in all of its states; none if no line had this number."""
        for ref in self._refs_of(number):
            yield from self._at[ref]

    def _refs_of(self, number: Number) -> Iterable[ElementRef]:
        if isinstance(number, int):
            return self._refs.get(number, ())
        document, _, element = number.partition(".")
        return [(int(document), int(element))]

    def in_row(self, row: Spot) -> Iterable[int]:
        return self._in_row[row.frame, row.text]

    def in_element(self, ref: ElementRef | None) -> Iterable[int]:
        return self._at.get(ref, ()) if ref is not None else ()

    def number_of(self, spot: Spot) -> int | None:
        """The number under which the prompt has shown a spot."""
        refs = (ref for ref in (spot.ref, spot.holder) if ref in self._number_of)
        return next((self._number_of[ref] for ref in refs if ref is not None), None)
