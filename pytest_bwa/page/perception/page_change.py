"""Says which parts of a page are the same as at the last decision."""

from __future__ import annotations

from pytest_bwa.steps.step import Observation

MAX_NAMED = 20
"""Numbers of changed lines that are named; with more, the page counts as another one."""


class PageChange:
    """Compares the page of each decision with that of the decision before."""

    def __init__(self) -> None:
        self._last: tuple[int, Observation] | None = None
        self._unchanged_since = 0
        self.text = ""
        """For the decision that is due now, in words; empty for another page."""

    def update(self, step: int, page: Observation) -> None:
        """Compare the page of this step's decision with the last one."""
        last, self._last = self._last, (step, page)
        self.text = ""
        if last is None or last[1].url != page.url:
            self._unchanged_since = step
            return
        changed = _changed_lines(last[1], page)
        if changed is None or changed:
            self._unchanged_since = step
            if changed:
                numbers = ", ".join(f"[{number}]" for number in changed)
                self.text = f"Since step {last[0]}: {numbers} changed or new, the rest is the same."
            return
        self.text = f"Unchanged since step {self._unchanged_since}."


def _changed_lines(before: Observation, after: Observation) -> list[int] | None:
    """The numbers of the elements whose lines are new; None if there are too many, or if lines
    without a number are others, or lines are gone."""
    old = {element.line() for element in before.elements}
    changed = [element.index for element in after.elements if element.line() not in old]
    there = {element.index for element in after.elements}
    gone = any(element.index not in there for element in before.elements)
    unnumbered = (before.title, before.cut, before.tabs, before.dialogs, before.picture_text)
    others = (after.title, after.cut, after.tabs, after.dialogs, after.picture_text)
    is_other = gone or unnumbered != others or len(changed) * 2 > len(after.elements)
    return None if is_other or len(changed) > MAX_NAMED else changed
