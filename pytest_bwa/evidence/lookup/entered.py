"""When the agent entered something, counted in the pages that had been opened."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_bwa.steps import Observation


@dataclass(frozen=True, order=True, slots=True)
class Entered:
    """When and where the agent entered something."""

    opened: int
    """Pages that had been opened by then."""
    looks: int
    address: str


class Opened:
    """Counts the pages that were opened, by their documents."""

    def __init__(self) -> None:
        self.count = 0
        self._latest: int | None = None
        self._ages: dict[int, int] = {}

    def add(self, page: Observation) -> None:
        """Keep of each document how many pages had been opened when it came."""
        top = next((e.ref[0] for e in page.elements if not e.place.frame), None)
        if top is not None and top != self._latest:
            self.count += 1
            self._latest = top
        for number in {element.ref[0] for element in page.elements}:
            self._ages.setdefault(number, self.count)

    def age_of(self, document: int) -> int:
        return self._ages.get(document, 0)
