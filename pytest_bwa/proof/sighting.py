"""A place where a value was seen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sighting:
    """``start`` and ``end`` are places in the text of a spot."""

    spot: int
    start: int
    end: int
    rule: str = ""
    """What makes the value equal to the text; empty if it is the text."""
