"""The lines that an answer can cite, by their numbers. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from pytest_bwa.facts.fact import Fact
from pytest_bwa.facts.text_match import clean
from pytest_bwa.steps.step import ActionResult, ElementRef, Observation

Number = int | str
"""How a place is cited: the number of a line, or the ref of what no list has, as text: "3.17"."""
_SAID = -1
"""The document of lines that are no elements: their ref is this and their number."""


class Lines:
    """Which elements have had a number, and which facts are in an element or a row."""

    def __init__(self) -> None:
        self._refs: defaultdict[int, set[ElementRef]] = defaultdict(set)
        self._number_of: dict[ElementRef, int] = {}
        self._at: defaultdict[ElementRef, list[Fact]] = defaultdict(list)
        self._in_row: defaultdict[tuple[str, str], list[Fact]] = defaultdict(list)
        """For each row, by its frame and text, what is in it."""
        self.from_scripts: set[Number] = set()
        """The numbers of what scripts returned, which proves nothing."""

    def add_fact(self, fact: Fact) -> None:
        for ref in _refs_of(fact):
            self._at[ref].append(fact)
        if fact.place.record:
            self._in_row[fact.place.frame, clean(fact.place.record)].append(fact)

    def add_page(self, page: Observation) -> None:
        for element in page.elements:
            self._keep(element.index, element.ref)
        for line in page.other_lines:
            self._keep(line.index, (_SAID, line.index))

    def add_result(self, result: ActionResult) -> None:
        """A hit of find has the number of its element; any other line has one of its own."""
        for line in result.lines:
            if line.source == "evaluate":
                self.from_scripts.add(line.index)
                continue
            hit = line.ref if line.source == "find" else None
            self._keep(line.index, hit or (_SAID, line.index))

    def _keep(self, number: int, ref: ElementRef) -> None:
        if number >= 0:
            self._refs[number].add(ref)
            self._number_of[ref] = number

    def facts_of(self, number: Number) -> Iterator[Fact]:
        """The facts of a line in all of its states; none if no line had this number."""
        for ref in self._refs_at(number):
            yield from self._at.get(ref, ())

    def _refs_at(self, number: Number) -> Iterable[ElementRef]:
        if isinstance(number, int):
            return self._refs.get(number, ())
        document, _, element = number.partition(".")
        return [(int(document), int(element))]

    def in_row(self, row: Fact) -> Iterable[Fact]:
        return self._in_row.get((row.place.frame, row.text), ())

    def in_element(self, fact: Fact) -> Iterable[Fact]:
        """What the element of a fact has, if it is known."""
        return self._at.get(fact.element, ()) if fact.is_of_element and fact.element else ()

    def number_of(self, fact: Fact) -> int | None:
        """The number under which the prompt has shown a fact."""
        known = (self._number_of[ref] for ref in _refs_of(fact) if ref in self._number_of)
        return next(known, None)


def _refs_of(fact: Fact) -> Iterator[ElementRef]:
    if fact.line is not None:
        yield _SAID, fact.line
    if fact.element is not None:
        yield fact.element
