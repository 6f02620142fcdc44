"""What the agent itself entered in one sample, and when: counted in the pages that were opened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_bwa.facts.address import Address, address_of
from pytest_bwa.facts.fact import Fact
from pytest_bwa.facts.text_match import clean, same_text
from pytest_bwa.steps.step import (
    ENTERING_ACTIONS,
    TICKED_ROLES,
    Action,
    ActionResult,
    Element,
    Observation,
)


@dataclass(frozen=True, order=True, slots=True)
class Entered:
    """When and where the agent entered something."""

    opened: int
    """Pages that had been opened by then."""
    looks: int
    address: Address


class Entries:
    """What was typed, chosen, ticked and clicked, and how many pages had been opened by then."""

    def __init__(self) -> None:
        self.opened = 0
        self.clicked: dict[str, tuple[Entered, str]] = {}
        """The names of what was clicked and is no box, each with the address of the page."""
        self._typed: dict[str, Entered] = {}
        self._ticked: dict[tuple[str, str], Entered] = {}
        """The boxes that were pressed, by role and name."""
        self._document: int | None = None
        self._ages: dict[int, int] = {}

    def add_page(self, page: Observation, *, is_beside: bool = False) -> None:
        """Keep of each document how many pages had been opened when it came. One beside the own
        page was asked for by its address, so it answers nothing that was sent."""
        top = next((e.ref[0] for e in page.elements if not e.place.frame), None)
        if top is not None and top != self._document and not is_beside:
            self.opened += 1
            self._document = top
        for number in {element.ref[0] for element in page.elements}:
            self._ages.setdefault(number, self.opened + 2 * is_beside)

    def age_of(self, document: int) -> int:
        """The pages that had been opened when a document came."""
        return self._ages.get(document, 0)

    def remember(self, action: Action, result: ActionResult, page: Observation, looks: int) -> None:
        """Keep what an action entered on a page; ``looks`` at pages were taken by then."""
        now = Entered(self.opened, looks, address_of(page.url))
        if action.action in ENTERING_ACTIONS:
            for text in filter(None, (action.text, action.value, result.entered)):
                self._typed[same_text(text)] = now
        if action.action == "click":
            for element in _named_by(action.selector or "", page):
                if element.role in TICKED_ROLES:
                    self._ticked[element.role, clean(element.name)] = now
                elif element.name:
                    self.clicked[same_text(element.name)] = now, page.url
        if action.action == "back":  # the browser fills in again what was in the fields
            self._typed = dict.fromkeys(self._typed, now)

    def has_typed(self, text: str) -> bool:
        return same_text(text) in self._typed

    def among(self, keys: Iterable[str]) -> list[str]:
        """Those of some texts, as they are compared, that were typed or clicked."""
        return [key for key in keys if key in self._typed or key in self.clicked]

    def has_ticked(self, fact: Fact) -> bool:
        return (fact.role, fact.name) in self._ticked

    def typed_among(self, *texts: str) -> list[Entered]:
        """When each of these texts was typed that was."""
        return [self._typed[key] for key in set(map(same_text, texts)) & self._typed.keys()]

    def latest_in(self, fact: Fact, value: str) -> Entered | None:
        """When the agent last typed the value or the text of a fact, or pressed its box."""
        ticked = self._ticked.get((fact.role, fact.name))
        typed = self.typed_among(value, fact.text)
        return max([*typed, *([ticked] if ticked else [])], default=None)


def _named_by(selector: str, page: Observation) -> list[Element]:
    """The elements that a selector names, by their number or what they are called."""
    listed, name = page.element_for(selector), same_text(selector)
    return [listed] if listed else [e for e in page.elements if same_text(e.name) == name]
