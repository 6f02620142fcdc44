"""What a policy saw under each number: compared with the page before anything is pressed."""

from __future__ import annotations

from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.seen.same_record import SameRecord, Words
from pytest_bwa.page.script_loader import read_json
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps.step import Action, ActionResult, Element, Observation, list_number

COMPARED_ACTIONS = frozenset(
    {"click", "type", "press", "select_option", "upload", "download", "drag"}
)


class SeenElements:
    """The elements of one sample as they were listed last. A number that was on a page before is
    compared, too."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self.listed: dict[int, Element] = {}
        self._refused: set[int] = set()
        """The numbers that were refused, and could tick."""

    def add(self, page: Observation) -> None:
        # Of an element, the browser's own tree may add its text under the same number.
        self.listed |= {element.index: element for element in reversed(page.elements)}

    def refusal(self, action: Action, page: Observation) -> ActionResult | None:
        """A failure if a number of the action is another record now; None if none is. Raises
        Playwright's errors."""
        self.add(page)
        if action.action not in COMPARED_ACTIONS:
            return None
        for selector in filter(None, (action.selector, action.target)):
            number = list_number(selector)
            seen = self.listed.get(number) if number is not None else None
            if seen is not None and (difference := self._difference(seen, page)):
                return failure(f"nothing was done: {difference}; say again which one you mean")
        return None

    def _difference(self, seen: Element, page: Observation) -> str:
        reference = self._tabs.reference(seen.ref)
        found = reference and self._tabs.readers.ask_reference(reference, "saidNow")
        if not found:
            return ""
        now = read_json(found)
        words = Words(now["name"], tuple(now["around"]), tuple(now["headings"]), now["url"])
        difference = SameRecord(page, now["ago"]).difference(seen, words)
        if difference is None or (difference.may_tick and seen.index in self._refused):
            self._refused.discard(seen.index)
            return ""
        if difference.may_tick:
            self._refused.add(seen.index)
        return difference.text
