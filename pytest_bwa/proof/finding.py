"""What a check of a value finds: where it stands, or why it is not proven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pytest_bwa.evidence.grounding import How
from pytest_bwa.facts.fact import Piece
from pytest_bwa.proof.lines import Number

Why = Literal["miscited", "unknown", "script", "asked", "nowhere", "cut", "entered"]
"""Why a value is not proven: the cited line does not show it; no line has that number; what is
cited is what a script returned; it stands on several lines, or is a yes or no, and none was cited;
no line shows it; only its beginning is shown; only what the agent itself entered shows it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Where a value was seen: ``places`` has the best place first, of several lines one each."""

    how: How
    places: Sequence[Piece]
    rule: str = ""
    cited: bool = False
    same: Sequence[Piece] = ()
    """Other places that show the same, the best first: other states of a cited line; where none was
    cited, other lines."""


@dataclass(frozen=True, slots=True)
class NotShown:
    """Why a value is not proven, and the numbers of the lines that it is about."""

    why: Why
    lines: Sequence[Number] = ()


Finding = Shown | NotShown
