"""Finds a value that the page paints otherwise than its text says. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.own_record import line_of
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.steps import LabelledValue

_DOUBTS = frozenset(
    {
        "a line of the style sheet crosses it",
        "a style sheet adds to the text",
        "it is painted in another order",
        "it is still loading",
    }
)
"""What the page scripts say of such texts (page/scripts/labelled/contents.js)."""


class PaintedOtherwise:
    """Looks for a minus of the style sheet, a line through a text, letters in another order."""

    def __init__(self, entries_at: Callable[[Sighting], Sequence[LabelledValue]]) -> None:
        """``entries_at``: the labelled values at a place."""
        self._entries_at = entries_at

    def find(self, claim: Claim) -> tuple[str, ...]:
        """The labelled value with its doubt, if no place of the value is without one."""
        lines: dict[str, None] = {}
        for entries in map(self._entries_at, claim.found):
            doubted = [entry for entry in entries if entry.doubt in _DOUBTS]
            if not doubted or len(doubted) < len(entries):
                return ()
            lines |= {f"{line_of(entry)} ({entry.doubt})": None for entry in doubted}
        return tuple(lines)
